internal import Foundation

/// The part of a transport that sends requests and receives their responses.
protocol RequestDriver: AnyObject, Sendable {
  /// Resumes the transfer of a response, once its reader has caught up after ``PendingRequest/hasRoom()`` returned
  /// false.
  func resume(_ request: PendingRequest)
  /// Stops a request, once, if its response is no longer wanted.
  func cancel(_ request: PendingRequest)
}

/// A request whose response is not complete. The thread that receives the response hands it over to the task that reads
/// it.
final class PendingRequest: Sendable {
  /// The number of unread bytes at which the transfer pauses.
  static let bufferLimit = 256 << 10

  let request: HTTPRequest
  let deadline: ContinuousClock.Instant?
  private let driver: any RequestDriver
  private let state = Locked(State())

  private struct State {
    var head: HTTPResponseHead?
    var unread: [UInt8] = []
    var end: Result<Void, any Error>?
    var isPaused = false
    /// Whether the state has changed since the reader last looked at it.
    var hasChanged = false
    var reader: CheckedContinuation<Void, Never>?
  }

  init(_ request: HTTPRequest, _ driver: any RequestDriver) {
    self.request = request
    self.driver = driver
    deadline = request.timeouts.total.map { .now + $0 }
  }

  // MARK: For the driver

  func receive(_ head: HTTPResponseHead) { change { $0.head = head } }

  /// Returns whether the reader keeps up. After false, the reader resumes the driver once it has caught up.
  func hasRoom() -> Bool {
    state.withLock { state in
      state.isPaused = state.unread.count >= Self.bufferLimit && state.end == nil
      return !state.isPaused
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) { change { $0.unread.append(contentsOf: bytes) } }

  /// Ends the response; without an error it is complete. Only the first end counts.
  func finish(_ error: (any Error)? = nil) {
    change { state in state.end = error.map { .failure($0) } ?? .success(()) }
  }

  var unreadCount: Int { state.withLock { $0.unread.count } }

  /// Changes the state, and resumes the reader. Returns false after the end of the response.
  @discardableResult
  private func change(_ body: (inout State) -> Void) -> Bool {
    let (isPending, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard state.end == nil else { return (false, nil) }
      body(&state)
      state.hasChanged = true
      defer { state.reader = nil }
      return (true, state.reader)
    }
    reader?.resume()
    return isPending
  }

  // MARK: For the reader

  func head() async throws -> HTTPResponseHead {
    try await wait { state in
      if let head = state.head { return .success(head) }
      return state.end.map { end in
        end.flatMap { .failure(TransportError.connectionLost("\(request.origin) sent no response.")) }
      }
    }
  }

  /// Returns the unread bytes, at least one, or nil at the end of the response.
  func bytes() async throws -> [UInt8]? {
    var wasPaused = false
    let bytes = try await wait { state -> Result<[UInt8]?, any Error>? in
      guard state.unread.isEmpty else {
        (wasPaused, state.isPaused) = (state.isPaused, false)
        defer { state.unread = [] }
        return .success(state.unread)
      }
      return state.end.map { end in end.map { nil } }
    }
    if wasPaused { driver.resume(self) }
    return bytes
  }

  /// Gives up the response. Has no effect on a complete one.
  func cancel() {
    let wasPending = change { state in
      state.end = .failure(CancellationError())
      state.unread = []
    }
    if wasPending { driver.cancel(self) }
  }

  /// Waits until `find` returns a result.
  private func wait<Success>(_ find: (inout State) -> Result<Success, any Error>?) async throws -> Success {
    try await withTaskCancellationHandler {
      while true {
        let result = state.withLock { state in
          state.hasChanged = false
          return find(&state)
        }
        if let result { return try result.get() }
        await withCheckedContinuation { continuation in
          let hasChanged = state.withLock { state in
            precondition(state.reader == nil, "Only one task at a time may read a response.")
            if !state.hasChanged { state.reader = continuation }
            return state.hasChanged
          }
          if hasChanged { continuation.resume() }
        }
      }
    } onCancel: {
      cancel()
    }
  }
}

/// A value that one thread at a time reads or changes. `Mutex` of Synchronization needs iOS 18.
///
/// Unchecked, because the lock guards every access.
final class Locked<State>: @unchecked Sendable {
  private let lock = NSLock()
  private var state: State

  init(_ state: sending State) { self.state = state }

  func withLock<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&state)
  }
}
