internal import Navigation
internal import Synchronization

/// The listeners of one session: each hears of every revision once, and in order.
///
/// Whoever commits tells the channel, at any time and from any thread. What lies between the last revision and a later one is what
/// the journal says, so nobody waits for a writer that is late.
final class SessionChannel: Sendable {
  /// Events that a listener which had to connect anew can still get.
  private static let memory = 16
  /// Revisions that are made again from the journal at most; who is further behind takes the session as it is.
  private static let stepLimit = 64

  private struct State {
    var latest: Snapshot?
    /// The last events, each of the revision after the one before, up to the latest.
    var recent: [SessionEvent] = []
    var listeners: [ObjectIdentifier: any SessionListener] = [:]
    /// Why nothing more comes.
    var end: SessionEvent.End?
    /// Whether it is out of the feed, and hears of nothing.
    var isClosed = false
    /// Rounds of the heart in which nobody listened.
    var idleBeats = 0
  }

  /// The session at each revision after one, up to the latest; nil where that is not known.
  typealias Past = @Sendable (_ after: UInt64, _ from: Snapshot?, _ to: Snapshot) -> [Snapshot]?

  /// Without a secret.
  let id: SessionID
  private let state = Mutex(State())
  private let past: Past

  init(_ id: SessionID, past: @escaping Past) {
    self.id = id
    self.past = past
  }

  var expiresAt: Timestamp { state.withLock { $0.latest?.session.expiresAt } ?? Timestamp(milliseconds: .max) }

  /// What was written last, as far as is known here.
  var version: SessionVersion? { state.withLock { $0.latest?.session.version } }

  /// The session has got to this revision. Whoever brought it there, nobody hears of that device's secret.
  func advance(to snapshot: Snapshot) {
    let snapshot = snapshot.withoutSecret
    state.withLock { advance(&$0, to: snapshot) }
  }

  /// What became of somebody who wanted to listen.
  enum Joining {
    case listens
    /// The session has finished, and the listener knows it.
    case isOver
    /// The channel is of no more use; there has to be another one.
    case isClosed
  }

  /// Adds a listener, and tells it what it has missed.
  ///
  /// - Parameters:
  ///   - revision: what it knows; nil for nothing.
  ///   - snapshot: the session as it was after the channel was opened.
  func join(_ listener: any SessionListener, after revision: UInt64?, _ snapshot: Snapshot) -> Joining {
    state.withLock { state in
      if state.isClosed { return .isClosed }
      advance(&state, to: snapshot)
      let latest = state.latest ?? snapshot
      let missed = missed(state, after: revision, latest)
      let end = state.end ?? (latest.isFinished ? .finished : nil)
      if end != nil, missed.isEmpty { return .isOver }
      guard listener.catchUp(missed) || listener.hear(SessionEvent(.resync(latest))) else { return .listens }
      if let end {
        _ = listener.hear(SessionEvent(.end(end)))
        listener.end()
      } else {
        state.listeners[ObjectIdentifier(listener)] = listener
      }
      return .listens
    }
  }

  func end(_ reason: SessionEvent.End) {
    state.withLock { end(&$0, reason) }
  }

  /// One round of the heart. False where the channel is of no more use, and closed.
  func beat(_ now: Timestamp) -> Bool {
    state.withLock { state in
      if let latest = state.latest, latest.session.expiresAt <= now { end(&state, .expired) }
      for (id, listener) in state.listeners where !listener.beat() { state.listeners[id] = nil }
      state.idleBeats = state.listeners.isEmpty ? state.idleBeats + 1 : 0
      if state.idleBeats >= 4 { state.isClosed = true }
      return !state.isClosed
    }
  }

  private func advance(_ state: inout State, to snapshot: Snapshot) {
    guard let latest = state.latest else { return state.latest = snapshot }
    guard snapshot.session.revision > latest.session.revision, !state.isClosed else { return }
    state.latest = snapshot
    let distance = snapshot.session.revision - latest.session.revision
    if let steps = distance == 1
      ? [snapshot] : distance <= Self.stepLimit ? past(latest.session.revision, latest, snapshot) : nil
    {
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
    guard count <= Self.stepLimit, let steps = past(revision, nil, latest) else {
      return [SessionEvent(.resync(latest))]
    }
    return steps.map { SessionEvent(.view($0)) }
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
    guard state.end == nil else { return }
    tell(&state, .end(reason))
    for listener in state.listeners.values { listener.end() }
    state.listeners = [:]
    state.end = reason
    state.isClosed = true
  }
}
