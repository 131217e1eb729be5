import CMicroHTTPD
import Glibc
import Synchronization

/// A connection's socket, and the deadline after which the watchdog disconnects it.
final class ConnectionSocket: Sendable {
  let descriptor: Int32
  private let deadlineNanoseconds = Atomic(MonotonicTime.never.nanoseconds)
  private let isRequestExpected = Atomic(true)
  private let streamed = Mutex<ResponseStream?>(nil)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// The polling thread writes the deadline on every step of a request, and the watchdog reads it.
  var deadline: MonotonicTime {
    get { MonotonicTime(nanoseconds: deadlineNanoseconds.load(ordering: .relaxed)) }
    set { deadlineNanoseconds.store(newValue.nanoseconds, ordering: .relaxed) }
  }

  /// Whether a request, or the rest of one, is still to come, so that a client that closes its side has disconnected.
  var expectsRequest: Bool {
    get { isRequestExpected.load(ordering: .relaxed) }
    set { isRequestExpected.store(newValue, ordering: .relaxed) }
  }

  /// The current streamed response, which ends when its client disconnects.
  var stream: ResponseStream? {
    get { streamed.withLock { $0 } }
    set { streamed.withLock { $0 = newValue } }
  }

  /// Whether the sending side is open. An empty message sends nothing, and fails once the side is shut down.
  var canSend: Bool { send(descriptor, nil, 0, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) == 0 }

  /// Sends as many bytes as the system takes without blocking, and closes the sending side.
  func sendFinal(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Whether the client has closed its side, or has disconnected, and no received byte is unread.
  var isAtEnd: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }

  var hasUnreadBytes: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Bounds the system's buffer of bytes that the client has not taken.
  ///
  /// The default is up to 4 MiB a connection (tcp(7), `tcp_wmem`). The system counts its own overhead, too, and doubles
  /// the number for that.
  func limitSendBuffer(to bytes: Int32) {
    setSocketOption(SO_SNDBUF, SOL_SOCKET, to: bytes, on: descriptor)
  }

  /// Bounds the time for which the system waits until the client acknowledges bytes, or takes more (tcp(7),
  /// `TCP_USER_TIMEOUT`).
  ///
  /// By default the system retransmits for a quarter of an hour to a client that has vanished.
  func limitUnacknowledgedTime(to nanoseconds: Int64) {
    let milliseconds = UInt32(clamping: nanoseconds / 1_000_000)
    setSocketOption(TCP_USER_TIMEOUT, Int32(IPPROTO_TCP), to: milliseconds, on: descriptor)
  }

  /// Makes the library read the end that the client has sent. The library still answers a complete request from before
  /// the end.
  func wakeReader() { shutdown(descriptor, Int32(SHUT_RD)) }

  /// Shuts the socket down, and clears its deadline.
  func disconnect() {
    deadline = .never
    discardUnsentBytes()
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Makes the close reset the connection if the client has not taken all bytes. Otherwise the system would keep those
  /// bytes for as long as the client is connected, whether it reads or not.
  func discardUnsentBytes() {
    var unacknowledged: Int32 = 0
    guard ioctl(descriptor, UInt(TIOCOUTQ), &unacknowledged) == 0, unacknowledged > 0 else { return }
    setSocketOption(SO_LINGER, SOL_SOCKET, to: linger(l_onoff: 1, l_linger: 0), on: descriptor)
  }
}

/// The sockets of all open connections.
///
/// A socket is shut down under the same lock that its close notification takes to remove it. The shutdown can therefore
/// not hit another socket to which the system has given the same descriptor. Only a stream shuts down its socket
/// without this lock.
final class OpenSockets: Sendable {
  private let sockets = Mutex<[ObjectIdentifier: ConnectionSocket]>([:])

  func insert(_ socket: ConnectionSocket) {
    sockets.withLock { $0[ObjectIdentifier(socket)] = socket }
  }

  func remove(_ socket: ConnectionSocket) {
    sockets.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  var count: Int { sockets.withLock(\.count) }

  /// The number of sockets with bytes of a request that no thread has begun to read.
  var unreadCount: Int {
    sockets.withLock { $0.values.count { $0.expectsRequest && $0.hasUnreadBytes } }
  }

  /// The current streamed responses.
  var streams: [ResponseStream] { sockets.withLock { $0.values.compactMap(\.stream) } }

  /// Disconnects every socket whose deadline has passed. The library then reads the end of the connection and closes
  /// it.
  func disconnectOverdue(at now: MonotonicTime) {
    sockets.withLock { sockets in
      for socket in sockets.values where socket.deadline < now { socket.disconnect() }
    }
  }

  /// Handles the clients that have closed their side: disconnects streamed responses, and wakes the library for a
  /// connection with an incomplete request, because the library does not notice an end that arrives together with other
  /// bytes.
  ///
  /// - Returns: the streams of the disconnected clients. The library ignores the sockets of connections that wait for
  ///   more of a stream.
  func handleHalfClosedSockets() -> [ResponseStream] {
    sockets.withLock { sockets in
      var streams: [ResponseStream] = []
      for socket in sockets.values where socket.expectsRequest && socket.isAtEnd {
        if let stream = socket.stream {
          socket.disconnect()
          streams.append(stream)
        } else {
          socket.wakeReader()
        }
      }
      return streams
    }
  }
}
