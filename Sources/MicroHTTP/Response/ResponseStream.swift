import CMicroHTTPD
import Glibc
import Synchronization

/// A streamed response body. The server sends its bytes as they are written, until the stream ends. Between writes the
/// stream occupies its connection, but no thread.
///
/// Any thread may write, before and while the server sends. A stream belongs to one response.
public final class ResponseStream: Sendable {
  private struct State {
    var chunks: [[UInt8]] = []
    /// Sent bytes of the first chunk.
    var offset = 0
    /// Unsent bytes.
    var size = 0
    var isEnded = false
    /// Whether the stream discards further bytes, because the client has disconnected or is too far behind.
    var isClosed = false
    var connection: ConnectionHandle?
    var isSuspended = false
    var socket: ConnectionSocket?
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let released: @Sendable () -> Void
  private let sendTimeout = Atomic<Int64>(0)

  /// The default capacity, in bytes.
  public static let standardCapacity = 256 * 1024
  /// Bytes that the system buffers in addition to the capacity, until the client takes them.
  private static let sendBuffer: Int32 = 64 * 1024

  /// - Parameters:
  ///   - capacity: the maximum number of unsent bytes. The server disconnects a client that is further behind. One
  ///     write may exceed the capacity, if no other bytes are unsent.
  ///   - released: called once the stream has left its connection, or will never have one; sometimes twice.
  public init(capacity: Int = standardCapacity, released: @escaping @Sendable () -> Void = {}) {
    self.capacity = capacity
    self.released = released
  }

  /// Appends bytes. Returns false if they cannot reach the client: it has disconnected or is too far behind, or the
  /// stream has ended.
  public func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.isEnded else { return false }
      if bytes.isEmpty { return true }
      guard state.size == 0 || state.size + bytes.count <= capacity else {
        close(&state)
        // The descriptor is still valid, because the library detaches the stream before it closes the socket.
        state.socket?.disconnect()
        return false
      }
      state.chunks.append(bytes)
      state.size += bytes.count
      resume(&state)
      return true
    }
  }

  /// Ends the stream, after the unsent bytes.
  public func end() {
    state.withLock { state in
      state.isEnded = true
      resume(&state)
    }
  }

  /// Discards the unsent bytes, and ends the connection.
  func abandon() {
    let isAttached = state.withLock { state in
      close(&state)
      return state.connection != nil
    }
    if !isAttached { released() }
  }

  private func close(_ state: inout State) {
    state.isClosed = true
    state.chunks = []
    state.size = 0
    resume(&state)
  }

  private func resume(_ state: inout State) {
    guard state.isSuspended, let connection = state.connection else { return }
    state.isSuspended = false
    MHD_resume_connection(connection.pointer)
  }

  // MARK: - The connection's side, on its polling thread

  func attach(to connection: ConnectionHandle, _ socket: ConnectionSocket, sendTimeout: Int64) {
    self.sendTimeout.store(sendTimeout, ordering: .relaxed)
    socket.limitSendBuffer(to: Self.sendBuffer)
    socket.limitUnacknowledgedTime(to: sendTimeout)
    state.withLock { state in
      state.connection = connection
      state.socket = socket
    }
  }

  /// Detaches the stream from its connection, which may be gone after the library has released the response.
  func detach() {
    state.withLock { state in
      state.isClosed = true
      state.chunks = []
      state.connection = nil
      state.socket = nil
    }
    released()
  }

  /// Copies the next bytes for the library. Without unsent bytes it suspends the connection, until a write or the end
  /// resumes it.
  ///
  /// The library calls it only after the client has taken the previous bytes, so each call restarts the send timeout.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      guard !state.isClosed, let connection = state.connection else {
        // libmicrohttpd 0.9.75 leaves a connection whose body fails open until its thread has other work, but closes a
        // connection whose socket fails.
        state.socket?.disconnect()
        return Self.ended
      }
      guard let first = state.chunks.first else {
        if state.isEnded { return Self.ended }
        state.socket?.deadline = .never
        state.isSuspended = true
        MHD_suspend_connection(connection.pointer)
        return 0
      }
      state.socket?.deadline = .now + sendTimeout.load(ordering: .relaxed)
      let count = min(buffer.count, first.count - state.offset)
      first.withUnsafeBytes { buffer.copyMemory(from: .init(rebasing: $0[state.offset..<state.offset + count])) }
      state.offset += count
      state.size -= count
      if state.offset == first.count {
        state.chunks.removeFirst()
        state.offset = 0
      }
      return count
    }
  }

  // Macros of the library that Swift does not import.
  private static let ended = -1
  private static let failed = -2
  private static let unknownSize = UInt64.max
  /// The library's buffer for a client of HTTP/1.0. For other clients it uses the connection's own memory.
  private static let blockSize = 1024

  /// Creates the library's response, which retains the stream until the library destroys the response.
  func makeResponse() -> OpaquePointer? {
    let retained = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      Self.unknownSize, Self.blockSize,
      { context, _, buffer, size in
        guard let context, let buffer else { return ResponseStream.failed }
        let stream = Unmanaged<ResponseStream>.fromOpaque(context)
        return stream._withUnsafeGuaranteedRef {
          $0.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }
      }, retained.toOpaque(),
      { context in
        guard let context else { return }
        let stream = Unmanaged<ResponseStream>.fromOpaque(context).takeRetainedValue()
        stream.detach()
      })
    if response == nil { retained.release() }
    return response
  }
}
