import CMicroHTTPD
import Glibc
import Synchronization

/// A body that goes on: its bytes are sent as they are written, until it ends. Meanwhile it costs its connection, and no thread.
///
/// It may be written to from any thread, before and while it is sent. A response takes it once.
public final class ResponseStream: Sendable {
  private struct State {
    var chunks: [[UInt8]] = []
    /// Bytes of the first chunk that are sent.
    var offset = 0
    /// Bytes that are not.
    var size = 0
    var isEnded = false
    /// Nobody takes what is written any more.
    var isClosed = false
    var connection: ConnectionHandle?
    var isSuspended = false
    var socket: WatchedSocket?
  }

  private let state = Mutex(State())
  private let capacity: Int
  private let released: @Sendable () -> Void
  private let sendTime = Atomic<Int64>(0)

  public static let standardCapacity = 256 * 1024
  /// Bytes that the system takes beside those, and that stay in its memory until the client takes them.
  private static let sendBuffer: Int32 = 64 * 1024

  /// - Parameters:
  ///   - capacity: bytes that may wait for a client that does not take them; who is further behind is cut off. What is
  ///     written at once may be more, if nothing else waits.
  ///   - released: called once the stream has left its connection, or will never have one. It may be called twice.
  public init(capacity: Int = standardCapacity, released: @escaping @Sendable () -> Void = {}) {
    self.capacity = capacity
    self.released = released
  }

  /// Appends bytes. False where nobody will get them: the client has gone, is too far behind, or the stream has ended.
  public func write(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      guard !state.isClosed, !state.isEnded else { return false }
      if bytes.isEmpty { return true }
      guard state.size == 0 || state.size + bytes.count <= capacity else {
        close(&state)
        // It is the connection's still: the library lets go of the stream before it closes the socket.
        state.socket?.cut()
        return false
      }
      state.chunks.append(bytes)
      state.size += bytes.count
      resume(&state)
      return true
    }
  }

  /// Nothing more comes; what was written is sent first.
  public func end() {
    state.withLock { state in
      state.isEnded = true
      resume(&state)
    }
  }

  /// Nobody takes it any more; the connection ends.
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
}

// MARK: - The connection's side, on its polling thread

extension ResponseStream {
  func attach(to connection: ConnectionHandle, _ socket: WatchedSocket, sendTime: Int64) {
    self.sendTime.store(sendTime, ordering: .relaxed)
    socket.limitSendBuffer(to: Self.sendBuffer)
    socket.limitUnacknowledgedTime(to: sendTime)
    state.withLock { state in
      state.connection = connection
      state.socket = socket
    }
  }

  /// The library is done with it, and the connection may be gone.
  func detach() {
    state.withLock { state in
      state.isClosed = true
      state.chunks = []
      state.connection = nil
      state.socket = nil
    }
    released()
  }

  /// What the library sends next. Where there is nothing yet, the connection is suspended: only a write or an end resumes it.
  ///
  /// It is asked again only when the client has taken what it got before, so that is when the time for taking more begins.
  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      guard !state.isClosed, let connection = state.connection else {
        // Release 0.9.75 leaves a connection whose body fails open until its thread has other work. It closes one whose socket does.
        state.socket?.cut()
        return Self.ended
      }
      guard let first = state.chunks.first else {
        if state.isEnded { return Self.ended }
        state.socket?.deadline = .never
        state.isSuspended = true
        MHD_suspend_connection(connection.pointer)
        return 0
      }
      state.socket?.deadline = .now + sendTime.load(ordering: .relaxed)
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

  // What Swift does not see of the library's macros.
  private static let ended = -1
  private static let failed = -2
  private static let unknownSize = UInt64.max
  /// Bytes that the library has ready for a client of HTTP/1.0; others are sent from the connection's own memory.
  private static let blockSize = 1024

  /// The library's end of it. The response that this returns has a reference to the stream, until it is destroyed.
  func makeResponse() -> OpaquePointer? {
    let kept = Unmanaged.passRetained(self)
    let response = MHD_create_response_from_callback(
      Self.unknownSize, Self.blockSize,
      { context, _, buffer, size in
        guard let context, let buffer else { return ResponseStream.failed }
        let stream = Unmanaged<ResponseStream>.fromOpaque(context)
        return stream._withUnsafeGuaranteedRef {
          $0.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
        }
      }, kept.toOpaque(),
      { context in
        guard let context else { return }
        let stream = Unmanaged<ResponseStream>.fromOpaque(context).takeRetainedValue()
        stream.detach()
      })
    if response == nil { kept.release() }
    return response
  }
}
