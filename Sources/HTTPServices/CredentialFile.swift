internal import Foundation
internal import Synchronization

/// A file with a credential for an HTTP service: a token, or the value of a header. The file is read for each request,
/// so that a change takes effect at once.
///
/// While the file is unreadable or invalid, the previous credential stays in effect.
final class CredentialFile: Sendable {
  /// The maximum size of a credential in bytes. Many servers accept no larger header.
  private static let limit = 8 << 10

  private let path: String
  /// The name of the header; nil for a token, whose header is `Authorization: Bearer`.
  private let name: String?
  private let service: String
  private let log: @Sendable (String) -> Void
  private let state: Mutex<State>

  private struct State {
    var credential: String
    /// The fault that was logged last; nil since the last valid credential.
    var loggedFault: String?
  }

  /// - Parameter name: the name of the header; nil for a token.
  init(
    _ path: String, header name: String?, service: String, log: @escaping @Sendable (String) -> Void
  ) throws(HTTPServiceFaults) {
    self.path = path
    self.name = name
    self.service = service
    self.log = log
    state = Mutex(State(credential: try Self.read(path, name, service)))
  }

  /// Returns the name and the value of the header.
  func header() -> (String, String) {
    let credential = current()
    guard let name else { return ("Authorization", "Bearer \(credential)") }
    return (name, credential)
  }

  private func current() -> String {
    do throws(HTTPServiceFaults) {
      let credential = try Self.read(path, name, service)
      state.withLock { $0 = State(credential: credential) }
      return credential
    } catch {
      let (credential, isNew) = state.withLock { state in
        defer { state.loggedFault = "\(error)" }
        return (state.credential, state.loggedFault != "\(error)")
      }
      if isNew { log("\(error) The previous \(name == nil ? "token" : "value") stays in effect.") }
      return credential
    }
  }

  private static func read(
    _ path: String, _ name: String?, _ service: String
  ) throws(HTTPServiceFaults) -> String {
    let problem: String
    do {
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      let credential = text.trimmingCharacters(in: .whitespacesAndNewlines)
      // Visible ASCII, because a header has nothing else (RFC 9110, section 5.5). A token has no spaces.
      let minimum: UInt8 = name == nil ? 0x21 : 0x20
      if credential.isEmpty {
        problem = "is empty."
      } else if credential.utf8.count > limit {
        problem = "has more than \(limit) bytes."
      } else if credential.utf8.allSatisfy({ (minimum...0x7E).contains($0) }) {
        return credential
      } else {
        problem = name == nil ? "has more than a token." : "must be one line of printable ASCII characters."
      }
    } catch {
      problem = "cannot be read: \(error.localizedDescription)"
    }
    let file = name.map { "file \(path) for the header \($0)" } ?? "token file \(path)"
    throw HTTPServiceFaults(["The \(file) of the HTTP service \(service) \(problem)"])
  }
}
