internal import Foundation
internal import Synchronization

/// A file with the token of an HTTP service. It is read for each request, so that a change takes effect at once.
///
/// While the file is unreadable or invalid, the previous token stays in effect.
final class TokenFile: Sendable {
  private let path: String
  private let service: String
  private let log: @Sendable (String) -> Void
  private let state: Mutex<State>

  private struct State {
    var token: String
    /// The fault that was logged last; nil since the last valid token.
    var loggedFault: String?
  }

  init(_ path: String, service: String, log: @escaping @Sendable (String) -> Void) throws(HTTPServiceFaults) {
    self.path = path
    self.service = service
    self.log = log
    state = Mutex(State(token: try Self.read(path, service)))
  }

  /// Returns the token.
  func current() -> String {
    do throws(HTTPServiceFaults) {
      let token = try Self.read(path, service)
      state.withLock { $0 = State(token: token) }
      return token
    } catch {
      let (token, isNew) = state.withLock { state in
        defer { state.loggedFault = "\(error)" }
        return (state.token, state.loggedFault != "\(error)")
      }
      if isNew { log("\(error) The previous token stays in effect.") }
      return token
    }
  }

  private static func read(_ path: String, _ service: String) throws(HTTPServiceFaults) -> String {
    let problem: String
    do {
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
      // Visible ASCII, because a header has nothing else (RFC 9110, section 5.5).
      if !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) { return token }
      problem = token.isEmpty ? "is empty." : "has more than a token."
    } catch {
      problem = "cannot be read: \(error.localizedDescription)"
    }
    throw HTTPServiceFaults(["The token file \(path) of the HTTP service \(service) \(problem)"])
  }
}
