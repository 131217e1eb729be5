import CMicroHTTPD
import Synchronization

/// The loaded release of libmicrohttpd, and the part of the server that checks the lines of a request's head.
///
/// Releases from 0.9.75 to 1.0 have the same file name for the loader, so the release can differ from the one of the
/// header at build time.
public struct HTTPLibrary: Sendable, CustomStringConvertible {
  public enum LineChecks: String, Sendable {
    /// The library refuses lines that are folded, do not end in CR LF, or contain a NUL byte.
    case library
    /// The library accepts such lines, and `HeadLayout` finds them in its memory.
    case service
    /// The library accepts such lines, and its memory layout is unknown.
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

  /// The releases with a known memory layout. Release 0.9.77 joins folded lines, which then look like one.
  private static let knownLayouts = ["0.9.75", "0.9.76"]

  /// A log message for operators.
  public var description: String {
    let lines = "header lines that are folded, do not end in CR LF, or contain a NUL byte"
    let rest = "Usher validates names, lengths, codings, hosts and targets."
    return switch lineChecks {
    case .library: "libmicrohttpd \(version) refuses \(lines). \(rest)"
    case .service: "Usher refuses \(lines), which libmicrohttpd \(version) accepts. \(rest)"
    case .missing:
      "libmicrohttpd \(version) accepts \(lines), and Usher cannot detect them in this release. \(rest) "
        + "Use release 1.0 or later, or \(Self.knownLayouts.joined(separator: ", "))."
    }
  }
}

/// The log of libmicrohttpd's own messages, limited to a few a second: any client can make the library repeat a
/// message.
final class LibraryLog: Sendable {
  private static let maximumPerSecond = 5

  private struct State {
    var second: Int64 = 0
    var count = 0
    var suppressed = 0
  }

  private let state = Mutex(State())
  private let log: @Sendable (String) -> Void

  init(_ log: @escaping @Sendable (String) -> Void) { self.log = log }

  /// The messages about disconnections by the client or the server, which the log leaves out: a disconnection is not a
  /// problem, and the message may contain the target, which may be a secret.
  private static let disconnections = [
    "Failed to send ", "Closing connection (application error generating response)",
    "Application reported internal error, closing connection",
    "Connection was closed by remote side", "Socket has been disconnected when reading request",
    "Connection socket is closed when reading request",
  ]

  func write(_ message: String) {
    guard !Self.disconnections.contains(where: { message.hasPrefix($0) }) else { return }
    let second = MonotonicTime.now.nanoseconds / 1_000_000_000
    let suppressed: Int? = state.withLock { state in
      if state.second != second { (state.second, state.count) = (second, 0) }
      state.count += 1
      guard state.count <= Self.maximumPerSecond else {
        state.suppressed += 1
        return nil
      }
      defer { state.suppressed = 0 }
      return state.suppressed
    }
    guard let suppressed else { return }
    log(suppressed == 0 ? message : "\(message) (\(suppressed) earlier messages were suppressed)")
  }
}
