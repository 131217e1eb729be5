import CMicroHTTPD
import Synchronization

/// The answer to a request. Mostly it is there at once; otherwise its connection is suspended until it is.
///
/// Whoever settles it first, the handler, the watchdog or a stopping server, resumes the connection; everybody else
/// is too late. So each connection is resumed exactly once.
final class PendingAnswer: Sendable {
  private enum State {
    case open(isSuspended: Bool)
    case settled(Response, closing: Bool)
    case taken
  }

  let request: Request
  private let connection: ConnectionHandle
  private let state = Mutex(State.open(isSuspended: false))

  init(to request: Request, connection: ConnectionHandle) {
    self.request = request
    self.connection = connection
  }

  /// Hands the answer in, and resumes the connection unless another answer came first. When it returns, the
  /// connection has been resumed, by whomever: that is why it happens under the lock.
  ///
  /// - Returns: whether the connection was suspended until now.
  @discardableResult
  func settle(_ response: Response, closing: Bool = false) -> Bool {
    state.withLock { state in
      guard case .open(let isSuspended) = state else { return false }
      state = .settled(response, closing: closing)
      if isSuspended { MHD_resume_connection(connection.pointer) }
      return isSuspended
    }
  }

  /// Suspends the connection, to be called by its polling thread; false where the answer is there.
  func suspend() -> Bool {
    state.withLock { state in
      guard case .open = state else { return false }
      state = .open(isSuspended: true)
      MHD_suspend_connection(connection.pointer)
      return true
    }
  }

  /// The answer, once; nil as long as there is none. Called by the connection's polling thread.
  func take() -> (response: Response, closing: Bool)? {
    state.withLock { state in
      guard case .settled(let response, let closing) = state else { return nil }
      state = .taken
      return (response, closing)
    }
  }
}
