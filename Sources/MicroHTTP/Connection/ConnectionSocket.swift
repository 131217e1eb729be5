import CMicroHTTPD
import Glibc
import Synchronization

/// A connection's socket, with the moment at which the watchdog shuts it down.
final class WatchedSocket: Sendable {
  let descriptor: Int32
  private let deadlineNanoseconds = Atomic(MonotonicTime.never.nanoseconds)
  private let listened = Atomic(true)
  private let streamed = Mutex<ResponseStream?>(nil)

  init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Written by the connection's polling thread on every step of a request, read by the watchdog. Whoever cuts the socket ends it.
  var deadline: MonotonicTime {
    get { MonotonicTime(nanoseconds: deadlineNanoseconds.load(ordering: .relaxed)) }
    set { deadlineNanoseconds.store(newValue.nanoseconds, ordering: .relaxed) }
  }

  /// Whether the rest of a request is to come: then a client that sends no more has left.
  var isListened: Bool {
    get { listened.load(ordering: .relaxed) }
    set { listened.store(newValue, ordering: .relaxed) }
  }

  /// The answer that goes on, while there is one: it ends with its client.
  var stream: ResponseStream? {
    get { streamed.withLock { $0 } }
    set { streamed.withLock { $0 = newValue } }
  }

  /// Sends what the system takes at once, and ends the stream to the client.
  func sendLast(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) }
    shutdown(descriptor, Int32(SHUT_WR))
  }

  /// Whether the client has closed its side, or is gone, and all that it sent has been read.
  var isAtEnd: Bool {
    var byte: UInt8 = 0
    let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
    return count == 0 || count < 0 && errno != EAGAIN && errno != EINTR
  }

  var hasUnreadBytes: Bool {
    var count: Int32 = 0
    return ioctl(descriptor, UInt(FIONREAD), &count) == 0 && count > 0
  }

  /// Bounds the bytes that the system takes before the client does.
  ///
  /// Unless told, the system takes up to 4 MiB for a connection (tcp(7), `tcp_wmem`). It counts what it needs to keep them, too, and
  /// doubles the number for that.
  func limitSendBuffer(to bytes: Int32) {
    var bytes = bytes
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Bounds the time for which the system waits for the client to acknowledge what was sent, or to take more (tcp(7),
  /// `TCP_USER_TIMEOUT`). Unless told, it sends again for a quarter of an hour to a client that is gone without a word.
  func limitUnacknowledgedTime(to nanoseconds: Int64) {
    var milliseconds = UInt32(clamping: nanoseconds / 1_000_000)
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<UInt32>.size))
  }

  /// Has the library read the end that the client has sent. A whole request that it has read before is answered all the same.
  func wakeReader() { shutdown(descriptor, Int32(SHUT_RD)) }

  /// Shuts the socket down, once.
  func cut() {
    deadline = .never
    discardUnsent()
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Has the connection reset when the library closes the socket, where the client has not taken all that was sent. Otherwise the
  /// system would keep those bytes for as long as the client is there, whether it reads or not.
  func discardUnsent() {
    var unacknowledged: Int32 = 0
    guard ioctl(descriptor, UInt(TIOCOUTQ), &unacknowledged) == 0, unacknowledged > 0 else { return }
    var reset = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, socklen_t(MemoryLayout<linger>.size))
  }
}

/// The sockets of all open connections.
///
/// But for a stream's own, a socket is shut down under the lock under which its close notification removes it, so a descriptor that the
/// system has given to somebody else is never hit.
final class OpenSockets: Sendable {
  private let sockets = Mutex<[ObjectIdentifier: WatchedSocket]>([:])

  func insert(_ socket: WatchedSocket) {
    sockets.withLock { $0[ObjectIdentifier(socket)] = socket }
  }

  func remove(_ socket: WatchedSocket) {
    sockets.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  var count: Int { sockets.withLock(\.count) }

  /// The number of sockets that hold bytes of a request which no thread has begun to read.
  var unreadCount: Int {
    sockets.withLock { $0.values.count { $0.isListened && $0.hasUnreadBytes } }
  }

  /// Shuts down every socket whose deadline has passed. The library then sees the end of the stream and closes.
  func cutOverdue(at now: MonotonicTime) {
    sockets.withLock { sockets in
      for socket in sockets.values where socket.deadline < now { socket.cut() }
    }
  }

  /// Lets go the clients that have closed their side: the library is woken for those that owe the rest of a request, because it
  /// does not notice an end that comes together with other bytes; streams are cut.
  ///
  /// - Returns: what was still streamed to such a client: the library does not look at a connection that waits for more.
  func endAbandoned() -> [ResponseStream] {
    sockets.withLock { sockets in
      var streams: [ResponseStream] = []
      for socket in sockets.values where socket.isListened && socket.isAtEnd {
        if let stream = socket.stream {
          socket.cut()
          streams.append(stream)
        } else {
          socket.wakeReader()
        }
      }
      return streams
    }
  }

  /// What is being streamed.
  var streams: [ResponseStream] { sockets.withLock { $0.values.compactMap(\.stream) } }
}
