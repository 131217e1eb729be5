import CMicroHTTPD

/// The release of libmicrohttpd that serves, and where the lines of a request's head are checked.
///
/// Releases from 0.9.75 to 1.0 have the same file name to the loader, so the header that the service was built with does not tell.
public struct HTTPLibrary: Sendable {
  public enum LineChecks: String, Sendable {
    /// The library refuses lines that are folded, do not end in CR LF, or hide a NUL byte.
    case library
    /// The library accepts them, and `HeadLayout` finds them in its memory.
    case service
    /// The library accepts them, and keeps its memory in another way than is known.
    case missing
  }

  public let version: String
  public let lineChecks: LineChecks

  public static let current = HTTPLibrary(version: String(cString: MHD_get_version()))

  init(version: String) {
    self.version = version
    let major = version.prefix { $0 != "." }
    lineChecks = (Int(major) ?? 0) >= 1 ? .library : Self.knownLayouts.contains(version) ? .service : .missing
  }

  /// Release 0.9.77 joins folded lines, which then look like one.
  private static let knownLayouts = ["0.9.75", "0.9.76"]
}

extension HTTPLibrary: CustomStringConvertible {
  /// For the log of an operator.
  public var description: String {
    let lines = "lines of a head that are folded, do not end in CR LF, or hide a NUL byte"
    let rest = "Usher checks names, lengths, codings, hosts and targets."
    return switch lineChecks {
    case .library: "libmicrohttpd \(version) refuses \(lines). \(rest)"
    case .service: "Usher refuses \(lines), which libmicrohttpd \(version) accepts. \(rest)"
    case .missing:
      "libmicrohttpd \(version) accepts \(lines), and Usher does not know this release well enough to refuse them. \(rest) "
        + "Use release 1.0 or later, or \(Self.knownLayouts.joined(separator: ", "))."
    }
  }
}
