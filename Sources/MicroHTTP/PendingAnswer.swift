import CMicroHTTPD
import Synchronization

/// The answer to a request, for which its suspended connection waits.
///
/// Whoever settles it first, the worker, the watchdog or a stopping server, resumes the connection; everybody else
/// is too late. So each connection is resumed exactly once.
final class PendingAnswer: Sendable {
  private enum State {
    case open
    case settled(Response, closing: Bool)
    case taken
  }

  let request: Request
  let deadline: MonotonicTime
  private let connection: ConnectionHandle
  private let state = Mutex(State.open)

  init(to request: Request, connection: ConnectionHandle, deadline: MonotonicTime) {
    self.request = request
    self.connection = connection
    self.deadline = deadline
  }

  var isOpen: Bool {
    state.withLock { if case .open = $0 { true } else { false } }
  }

  /// Hands the answer in, and resumes the connection unless another answer came first. When it returns, the
  /// connection has been resumed, by whomever: that is why it happens under the lock.
  func settle(_ response: Response, closing: Bool = false) {
    state.withLock { state in
      guard case .open = state else { return }
      state = .settled(response, closing: closing)
      MHD_resume_connection(connection.pointer)
    }
  }

  /// The answer, once; called by the connection after it was resumed.
  func take() -> (response: Response, closing: Bool)? {
    state.withLock { state in
      guard case .settled(let response, let closing) = state else { return nil }
      state = .taken
      return (response, closing)
    }
  }
}
