import Glibc
import Synchronization

/// The sockets of all open connections.
///
/// A socket is shut down under the lock under which its close notification removes it, so a descriptor that the
/// system has given to somebody else is never hit.
final class OpenSockets: Sendable {
  private let sockets = Mutex<[ObjectIdentifier: WatchedSocket]>([:])

  func insert(_ socket: WatchedSocket) {
    sockets.withLock { $0[ObjectIdentifier(socket)] = socket }
  }

  func remove(_ socket: WatchedSocket) {
    sockets.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  /// Shuts down every socket whose deadline has passed. The library then sees the end of the stream and closes.
  func cutOverdue(at now: MonotonicTime) {
    sockets.withLock { sockets in
      for socket in sockets.values where socket.deadline < now {
        Self.cut(socket)
      }
    }
  }

  /// Shuts one socket down, if it is still open.
  func cut(_ socket: WatchedSocket) {
    sockets.withLock { sockets in
      if sockets[ObjectIdentifier(socket)] != nil { Self.cut(socket) }
    }
  }

  private static func cut(_ socket: WatchedSocket) {
    socket.deadline = .never
    shutdown(socket.descriptor, Int32(SHUT_RDWR))
  }
}
