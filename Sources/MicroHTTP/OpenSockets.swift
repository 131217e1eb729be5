import Glibc
import Synchronization

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
