internal import Synchronization

/// Wakes the runner of a process when a step has requested work.
final class WorkSignal: Sendable {
  private let loops = Mutex<[WakeUps]>([])

  func set(_ loops: [WakeUps]) { self.loops.withLock { $0 = loops } }

  func send() { for loop in loops.withLock({ $0 }) { loop.send() } }
}

/// Tells the runner of a process that a session has changed for which its events may have waited.
final class ChangeSignal: Sendable {
  private let sessions = Mutex<ChangedSessions?>(nil)

  func set(_ sessions: ChangedSessions) { self.sessions.withLock { $0 = sessions } }

  func send(_ session: SessionKey) { sessions.withLock { $0 }?.send(session) }
}

/// The sessions whose waiting events should be tried. Those beyond a limit are tried after their pauses.
struct ChangedSessions: Sendable {
  let stream: AsyncStream<SessionKey>
  private let continuation: AsyncStream<SessionKey>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(1024)) }

  func send(_ session: SessionKey) { continuation.yield(session) }
}

/// The wake-ups of a loop. Those that come while it is busy are one.
struct WakeUps: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func send() { continuation.yield() }
}
