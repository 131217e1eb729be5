import Sessions
import Synchronization

/// A subscriber that records the events of a session.
final class EventRecorder: EventSubscriber {
  private let recorded = Mutex<[String]>([])
  private let receivedIDs = Mutex<Set<SessionID>>([])

  /// The ids in the events, before they are encoded for a client.
  var ids: Set<SessionID> { receivedIDs.withLock { $0 } }

  func receive(backlog events: [SessionEvent]) -> Bool { events.allSatisfy { receive($0) } }

  func receive(_ event: SessionEvent) -> Bool {
    let text =
      switch event.kind {
      case .view(let snapshot): "view \(snapshot.session.revision)"
      case .resync(let snapshot): "resync \(snapshot.session.revision)"
      case .end(let reason): "end \(reason)"
      }
    switch event.kind {
    case .view(let snapshot), .resync(let snapshot): _ = receivedIDs.withLock { $0.insert(snapshot.id) }
    case .end: break
    }
    recorded.withLock { $0.append(text) }
    return true
  }

  func receiveKeepAlive() -> Bool { true }

  func finish() {}

  /// Waits up to five seconds for exactly these events.
  func receives(_ expected: [String]) async -> Bool {
    for _ in 0..<500 {
      if recorded.withLock({ $0 == expected }) { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}
