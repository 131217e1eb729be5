import Glibc
import Synchronization

/// The sockets of all open connections.
///
/// But for a stream's own, a socket is shut down under the lock under which its close notification removes it, so a descriptor that the
/// system has given to somebody else is never hit.
final class OpenSockets: Sendable {
  private struct State {
    var sockets: [ObjectIdentifier: WatchedSocket] = [:]
    /// Those whose clients had left when they were last looked at.
    var abandoned: Set<ObjectIdentifier> = []
  }

  private let state = Mutex(State())

  func insert(_ socket: WatchedSocket) {
    state.withLock { $0.sockets[ObjectIdentifier(socket)] = socket }
  }

  func remove(_ socket: WatchedSocket) {
    state.withLock { _ = $0.sockets.removeValue(forKey: ObjectIdentifier(socket)) }
  }

  var count: Int { state.withLock { $0.sockets.count } }

  /// The number of sockets that hold bytes of a request which no thread has begun to read.
  var unreadCount: Int {
    state.withLock { state in state.sockets.values.count { $0.isListened && $0.hasUnreadBytes } }
  }

  /// Shuts down every socket whose deadline has passed. The library then sees the end of the stream and closes.
  func cutOverdue(at now: MonotonicTime) {
    state.withLock { state in
      for socket in state.sockets.values where socket.deadline < now { socket.cut() }
    }
  }

  /// Shuts down every socket that waits for the rest of a request which cannot come, because its client has closed its
  /// side. The library notices at its timeout only.
  ///
  /// A client has left when it was found so twice: the last of its bytes may have been read a moment ago, and be a whole
  /// request.
  ///
  /// - Returns: what was still streamed to such a client: the library does not look at a connection that waits for more.
  func cutAbandoned() -> [ResponseStream] {
    state.withLock { state in
      var abandoned: Set<ObjectIdentifier> = []
      var streams: [ResponseStream] = []
      for (id, socket) in state.sockets where socket.isListened && socket.isAtEnd {
        guard state.abandoned.contains(id) else {
          abandoned.insert(id)
          continue
        }
        socket.cut()
        if let stream = socket.stream { streams.append(stream) }
      }
      state.abandoned = abandoned
      return streams
    }
  }

  /// What is being streamed.
  var streams: [ResponseStream] { state.withLock { $0.sockets.values.compactMap(\.stream) } }
}
