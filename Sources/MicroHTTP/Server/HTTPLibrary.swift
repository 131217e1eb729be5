import CMicroHTTPD
import Synchronization

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

/// What the library says, a few sentences a second: any client can make it say the same thing again and again.
final class LibraryLog: Sendable {
  private static let mostPerSecond = 5

  private struct State {
    var second: Int64 = 0
    var count = 0
    var omitted = 0
  }

  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

  /// That a client has left, or was cut off, is nothing to be told; and a sentence may have the target in it, which may be a secret.
  private static let leaving = [
    "Failed to send ", "Closing connection (application error generating response)",
    "Connection was closed by remote side", "Socket has been disconnected when reading request",
    "Connection socket is closed when reading request",
  ]

  func write(_ sentence: String) {
    guard !Self.leaving.contains(where: { sentence.hasPrefix($0) }) else { return }
    let second = MonotonicTime.now.nanoseconds / 1_000_000_000
    let omitted: Int? = state.withLock { state in
      if state.second != second { (state.second, state.count) = (second, 0) }
      state.count += 1
      guard state.count <= Self.mostPerSecond else {
        state.omitted += 1
        return nil
      }
      defer { state.omitted = 0 }
      return state.omitted
    }
    guard let omitted else { return }
    log(omitted == 0 ? sentence : "\(sentence) (\(omitted) more like it were left out before)")
  }
}
