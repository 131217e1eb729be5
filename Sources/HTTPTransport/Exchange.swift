internal import Synchronization

/// The part of a transport that transfers an exchange.
protocol ExchangeDriver: AnyObject, Sendable {
  /// Called once there is room again, after ``Exchange/hasRoom()`` was false.
  func resume(_ exchange: Exchange)
  /// Called once, if the response is no longer wanted.
  func cancel(_ exchange: Exchange)
}

/// A request and its response: where the thread that transfers meets the task that waits.
final class Exchange: Sendable {
  /// Bytes that may wait for the reader before the transfer pauses.
  static let bufferLimit = 256 << 10

  let request: HTTPRequest
  let deadline: ContinuousClock.Instant?
  private let driver: any ExchangeDriver
  private let state = Mutex(State())

  private struct State {
    var head: HTTPResponseHead?
    var unread: [UInt8] = []
    var end: Result<Void, any Error>?
    var isPaused = false
    var hasNews = false
    var reader: CheckedContinuation<Void, Never>?

    /// Returns the reader to resume.
    mutating func announce() -> CheckedContinuation<Void, Never>? {
      hasNews = true
      defer { reader = nil }
      return reader
    }
  }

  init(_ request: HTTPRequest, _ driver: any ExchangeDriver) {
    self.request = request
    self.driver = driver
    deadline = request.timeouts.total.map { .now + $0 }
  }

  // MARK: The transferring side

  func receive(_ head: HTTPResponseHead) { change { $0.head = head } }

  /// Whether the reader keeps up. After false the driver is told once it has caught up.
  func hasRoom() -> Bool {
    state.withLock { state in
      state.isPaused = state.unread.count >= Self.bufferLimit && state.end == nil
      return !state.isPaused
    }
  }

  func receive(_ bytes: UnsafeRawBufferPointer) { change { $0.unread.append(contentsOf: bytes) } }

  /// Ends the response, completely if without an error; only the first end counts.
  func finish(_ error: (any Error)? = nil) {
    change { state in state.end = error.map { .failure($0) } ?? .success(()) }
  }

  var unreadCount: Int { state.withLock { $0.unread.count } }

  private func change(_ body: (inout State) -> Void) {
    let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.end == nil else { return nil }
      body(&state)
      return state.announce()
    }
    reader?.resume()
  }

  // MARK: The reading side

  func head() async throws -> HTTPResponseHead {
    try await value { state in
      if let head = state.head { return .success(head) }
      return state.end.map { end in end.flatMap { .failure(TransportError.connectionLost("There was no response.")) } }
    }
  }

  /// The bytes that wait; nil at the end.
  func bytes() async throws -> [UInt8]? {
    var wasPaused = false
    let bytes = try await value { state -> Result<[UInt8]?, any Error>? in
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

  /// Gives up the response; without effect once it is complete.
  func cancel() {
    let (wasOpen, reader) = state.withLock { state -> (Bool, CheckedContinuation<Void, Never>?) in
      guard state.end == nil else { return (false, nil) }
      state.end = .failure(CancellationError())
      state.unread = []
      return (true, state.announce())
    }
    guard wasOpen else { return }
    reader?.resume()
    driver.cancel(self)
  }

  /// Waits until there is a value.
  private func value<Value>(_ find: (inout State) -> Result<Value, any Error>?) async throws -> Value {
    try await withTaskCancellationHandler {
      while true {
        let found = state.withLock { state in
          state.hasNews = false
          return find(&state)
        }
        if let found { return try found.get() }
        await withCheckedContinuation { continuation in
          let isReady = state.withLock { state in
            precondition(state.reader == nil, "A response is read by one task at a time.")
            if !state.hasNews { state.reader = continuation }
            return state.hasNews
          }
          if isReady { continuation.resume() }
        }
      }
    } onCancel: {
      cancel()
    }
  }
}
