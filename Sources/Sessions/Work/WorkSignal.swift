internal import Navigation
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

  func send(_ session: SessionKey, _ work: [PendingWork]) { sessions.withLock { $0 }?.add(session, work) }
}

/// The sessions whose waiting events should be tried, with their pending work. Events of those beyond a limit are tried
/// after their pauses.
final class ChangedSessions: Sendable {
  private static let limit = 1024

  let wakeUps = WakeUps()
  private let sessions = Mutex<[SessionKey: [PendingWork]]>([:])

  func add(_ session: SessionKey, _ work: [PendingWork]) {
    sessions.withLock { if $0.count < Self.limit || $0[session] != nil { $0[session] = work } }
    wakeUps.send()
  }

  func removeFirst() -> (key: SessionKey, value: [PendingWork])? { sessions.withLock { $0.popFirst() } }
}

/// The wake-ups of a loop. Those that come while it is busy are one.
struct WakeUps: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func send() { continuation.yield() }
}
