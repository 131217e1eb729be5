internal import Navigation
internal import Synchronization

/// The listeners of one session: each hears of every revision once, and in order.
///
/// Whoever commits tells the channel, at any time and from any thread. What lies between the last revision and a later one is what
/// the journal says, so nobody waits for a writer that is late.
final class SessionChannel: Sendable {
  /// Events that a listener which had to connect anew can still get.
  private static let memory = 16

  private struct State {
    var latest: Snapshot?
    /// The last events, each of the revision after the one before, up to the latest.
    var recent: [SessionEvent] = []
    var listeners: [ObjectIdentifier: any SessionListener] = [:]
    var isOver = false
    /// Rounds of the heart in which nobody listened.
    var idleBeats = 0
  }

  let id: SessionID
  private let state = Mutex(State())
  private let past: @Sendable (Snapshot?, Snapshot) -> [Snapshot]?

  /// - Parameter past: the session at each revision after the first of the two, up to the second; nil where that is not known.
  init(_ id: SessionID, past: @escaping @Sendable (_ after: Snapshot?, _ to: Snapshot) -> [Snapshot]?) {
    self.id = id
    self.past = past
  }

  var expiresAt: Timestamp { state.withLock { $0.latest?.session.expiresAt } ?? Timestamp(milliseconds: .max) }

  /// What was written last, as far as is known here.
  var version: SessionVersion? { state.withLock { $0.latest?.session.version } }

  /// The session has got to this revision.
  func advance(to snapshot: Snapshot) {
    state.withLock { advance(&$0, to: snapshot) }
  }

  /// Adds a listener, and tells it what it has missed.
  ///
  /// - Parameters:
  ///   - revision: what it knows; nil for nothing.
  ///   - snapshot: the session as it was after the channel was opened.
  /// - Returns: false where there is nothing to be told, now or ever.
  func join(_ listener: any SessionListener, after revision: UInt64?, _ snapshot: Snapshot) -> Bool {
    state.withLock { state in
      advance(&state, to: snapshot)
      let latest = state.latest ?? snapshot
      let missed = missed(state, after: revision, latest)
      if latest.isFinished, missed.isEmpty { return false }
      guard missed.allSatisfy({ listener.hear($0) }) else { return true }
      if state.isOver || latest.isFinished {
        _ = listener.hear(SessionEvent(.end(.finished)))
        listener.end()
      } else {
        state.listeners[ObjectIdentifier(listener)] = listener
      }
      return true
    }
  }

  func end(_ reason: SessionEvent.End) {
    state.withLock { end(&$0, reason) }
  }

  /// One round of the heart. False where the channel is of no more use.
  func beat(_ now: Timestamp) -> Bool {
    state.withLock { state in
      if let latest = state.latest, latest.session.expiresAt <= now { end(&state, .expired) }
      for (id, listener) in state.listeners where !listener.beat() { state.listeners[id] = nil }
      state.idleBeats = state.listeners.isEmpty ? state.idleBeats + 1 : 0
      return !state.isOver && state.idleBeats < 4
    }
  }

  private func advance(_ state: inout State, to snapshot: Snapshot) {
    guard let latest = state.latest else { return state.latest = snapshot }
    guard snapshot.session.revision > latest.session.revision, !state.isOver else { return }
    state.latest = snapshot
    let isNext = snapshot.session.revision == latest.session.revision + 1
    if let steps = isNext ? [snapshot] : past(latest, snapshot) {
      for step in steps { tell(&state, .view(step)) }
    } else {
      tell(&state, .resync(snapshot))
    }
    if snapshot.isFinished { end(&state, .finished) }
  }

  private func missed(_ state: State, after revision: UInt64?, _ latest: Snapshot) -> [SessionEvent] {
    let current = latest.session.revision
    guard let revision else { return [SessionEvent(.view(latest))] }
    guard revision <= current else { return [SessionEvent(.resync(latest))] }
    let count = Int(clamping: current - revision)
    if count <= state.recent.count { return Array(state.recent.suffix(count)) }
    guard let steps = past(nil, latest), steps.count >= count else { return [SessionEvent(.resync(latest))] }
    return steps.suffix(count).map { SessionEvent(.view($0)) }
  }

  private func tell(_ state: inout State, _ kind: SessionEvent.Kind) {
    let event = SessionEvent(kind)
    if case .view = kind {
      if state.recent.count == Self.memory { state.recent.removeFirst() }
      state.recent.append(event)
    } else {
      state.recent = []
    }
    for (id, listener) in state.listeners where !listener.hear(event) { state.listeners[id] = nil }
  }

  private func end(_ state: inout State, _ reason: SessionEvent.End) {
    guard !state.isOver else { return }
    tell(&state, .end(reason))
    for listener in state.listeners.values { listener.end() }
    state.listeners = [:]
    state.isOver = true
  }
}

extension Snapshot {
  var isFinished: Bool { navigation.state.result != nil }
}
