internal import Navigation
internal import Synchronization

/// Tells the runner of a process what concerns it; nothing as long as the service has no runner.
final class RunnerSignal: Sendable {
  private let runner = Mutex<(loops: [WakeUps], changes: ChangedSessions)?>(nil)

  func set(_ loops: [WakeUps], _ changes: ChangedSessions) { runner.withLock { $0 = (loops, changes) } }

  /// A step has requested work.
  func workRequested() { for loop in runner.withLock({ $0?.loops ?? [] }) { loop.send() } }

  /// A session has changed for which its events may have waited.
  func changed(_ session: SessionKey, _ work: [PendingWork]) { runner.withLock { $0?.changes }?.add(session, work) }
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

/// The wake-ups of a loop. Wake-ups during its work count as one.
struct WakeUps: Sendable {
  let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  func send() { continuation.yield() }
}
