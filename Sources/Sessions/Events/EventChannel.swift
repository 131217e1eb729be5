internal import Navigation
internal import Synchronization
internal import Values

/// The event stream of one session, in which each subscriber receives every revision once and in order.
///
/// Any thread that has committed a revision reports it. The channel reconstructs skipped revisions from the session's
/// journal, so it never waits for a writer that reports late.
final class EventChannel: Sendable {
  /// The number of past events that a reconnecting subscriber receives from memory.
  private static let retainedEvents = 16
  /// The maximum number of revisions to reconstruct. A subscriber that is further behind receives a `resync` event.
  private static let reconstructionLimit = 64
  /// The number of keep-alive rounds without a subscriber after which the channel closes.
  private static let idleRoundLimit = 4

  private struct State {
    var latest: Snapshot?
    /// The last events, of consecutive revisions up to the latest.
    var recent: [SessionEvent] = []
    var subscribers: [ObjectIdentifier: any EventSubscriber] = [:]
    /// The reason for the end of the stream, after it has ended.
    var end: SessionEvent.End?
    /// Whether the channel is closed. A closed channel receives no reports.
    var isClosed = false
    /// Consecutive keep-alive rounds without a subscriber.
    var idleRounds = 0
  }

  /// Reconstructs the session at each revision after `after`, up to `to`. Returns nil if that is impossible.
  typealias Reconstruction = @Sendable (_ after: UInt64, _ from: Snapshot?, _ to: Snapshot) -> [Snapshot]?

  /// The session's ID without a secret.
  let id: SessionID
  private let state = Mutex(State())
  private let reconstruct: Reconstruction

  init(_ id: SessionID, reconstruct: @escaping Reconstruction) {
    self.id = id
    self.reconstruct = reconstruct
  }

  var expiresAt: Timestamp { state.withLock { $0.latest?.session.expiresAt } ?? Timestamp(milliseconds: .max) }

  /// The version of the latest write that this process knows of.
  var version: SessionVersion? { state.withLock { $0.latest?.session.version } }

  /// Reports a committed revision. The snapshot may come from any device, whose secret subscribers never see.
  func advance(to snapshot: Snapshot) {
    let snapshot = snapshot.withoutSecret
    state.withLock { advance(&$0, to: snapshot) }
  }

  /// The result of a subscription.
  enum Subscription {
    case active
    /// The session has finished, and the subscriber knows its last revision.
    case alreadyFinished
    /// The channel is closed. Subscribe to a new one.
    case channelClosed
  }

  /// Adds a subscriber, and sends it the events that it has missed.
  ///
  /// - Parameters:
  ///   - revision: the last revision that the subscriber knows; nil for none.
  ///   - snapshot: the session, loaded after the channel was opened.
  func add(
    _ subscriber: any EventSubscriber, after revision: UInt64?, _ snapshot: Snapshot
  ) -> Subscription {
    state.withLock { state in
      if state.isClosed { return .channelClosed }
      advance(&state, to: snapshot)
      let latest = state.latest ?? snapshot
      let backlog = backlog(state, after: revision, latest)
      let end = state.end ?? (latest.isFinished ? .finished : nil)
      if end != nil, backlog.isEmpty { return .alreadyFinished }
      guard subscriber.receive(backlog: backlog) || subscriber.receive(SessionEvent(.resync(latest))) else {
        return .active
      }
      if let end {
        _ = subscriber.receive(SessionEvent(.end(end)))
        subscriber.finish()
      } else {
        state.subscribers[ObjectIdentifier(subscriber)] = subscriber
      }
      return .active
    }
  }

  func end(_ reason: SessionEvent.End) {
    state.withLock { end(&$0, reason) }
  }

  /// Ends the stream of an expired session, and sends a keep-alive to each subscriber.
  ///
  /// - Returns: false if the channel is closed.
  func sendKeepAlive(at now: Timestamp) -> Bool {
    state.withLock { state in
      if let latest = state.latest, latest.session.expiresAt <= now { end(&state, .expired) }
      for (id, subscriber) in state.subscribers where !subscriber.receiveKeepAlive() { state.subscribers[id] = nil }
      state.idleRounds = state.subscribers.isEmpty ? state.idleRounds + 1 : 0
      if state.idleRounds >= Self.idleRoundLimit { state.isClosed = true }
      return !state.isClosed
    }
  }

  private func advance(_ state: inout State, to snapshot: Snapshot) {
    guard let latest = state.latest else { return state.latest = snapshot }
    guard snapshot.session.revision > latest.session.revision, !state.isClosed else { return }
    state.latest = snapshot
    let distance = snapshot.session.revision - latest.session.revision
    let steps =
      distance == 1
      ? [snapshot]
      : distance <= Self.reconstructionLimit ? reconstruct(latest.session.revision, latest, snapshot) : nil
    if let steps {
      for step in steps { send(&state, .view(step)) }
    } else {
      send(&state, .resync(snapshot))
    }
    if snapshot.isFinished { end(&state, .finished) }
  }

  private func backlog(_ state: State, after revision: UInt64?, _ latest: Snapshot) -> [SessionEvent] {
    let current = latest.session.revision
    guard let revision else { return [SessionEvent(.view(latest))] }
    guard revision <= current else { return [SessionEvent(.resync(latest))] }
    let count = Int(clamping: current - revision)
    if count <= state.recent.count { return Array(state.recent.suffix(count)) }
    guard count <= Self.reconstructionLimit, let steps = reconstruct(revision, nil, latest) else {
      return [SessionEvent(.resync(latest))]
    }
    return steps.map { SessionEvent(.view($0)) }
  }

  private func send(_ state: inout State, _ kind: SessionEvent.Kind) {
    let event = SessionEvent(kind)
    if case .view = kind {
      if state.recent.count == Self.retainedEvents { state.recent.removeFirst() }
      state.recent.append(event)
    } else {
      state.recent = []
    }
    for (id, subscriber) in state.subscribers where !subscriber.receive(event) { state.subscribers[id] = nil }
  }

  private func end(_ state: inout State, _ reason: SessionEvent.End) {
    guard state.end == nil else { return }
    send(&state, .end(reason))
    for subscriber in state.subscribers.values { subscriber.finish() }
    state.subscribers = [:]
    state.end = reason
    state.isClosed = true
  }
}

/// The open channels of a service, by session.
final class EventChannels: Sendable {
  private let channels = Mutex<[SessionKey: EventChannel]>([:])
  /// The number of channels. An action reads it before it takes the lock, so that sessions without subscribers cost
  /// nothing.
  private let count = Atomic(0)

  /// Returns a session's channel, or nil if the session has none.
  func channel(of key: SessionKey) -> EventChannel? {
    guard count.load(ordering: .sequentiallyConsistent) > 0 else { return nil }
    return channels.withLock { $0[key] }
  }

  /// Returns a session's channel, and opens one if the session has none.
  func open(_ key: SessionKey, _ make: () -> EventChannel) -> EventChannel {
    channels.withLock { channels in
      if let channel = channels[key] { return channel }
      let channel = make()
      channels[key] = channel
      count.store(channels.count, ordering: .sequentiallyConsistent)
      return channel
    }
  }

  var all: [SessionKey: EventChannel] { channels.withLock { $0 } }

  /// Ends a session's stream.
  func end(_ key: SessionKey, _ reason: SessionEvent.End) {
    guard let channel = channel(of: key) else { return }
    channel.end(reason)
    remove(channel, key)
  }

  /// Sends a keep-alive to all subscribers, and removes channels that are closed.
  func sendKeepAlives(at now: Timestamp) {
    for (key, channel) in all where !channel.sendKeepAlive(at: now) { remove(channel, key) }
  }

  /// Removes a closed channel, unless the session has a new one.
  func remove(_ channel: EventChannel, _ key: SessionKey) {
    channels.withLock { channels in
      if channels[key] === channel { channels[key] = nil }
      count.store(channels.count, ordering: .sequentiallyConsistent)
    }
  }
}
