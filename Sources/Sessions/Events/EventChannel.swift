internal import Navigation
internal import Synchronization
internal import Values

/// The event stream of one session, in which each subscriber receives every revision once and in order.
///
/// Any thread that has committed a revision reports it. The channel reconstructs skipped revisions from the session's
/// journal, so it never waits for a writer that reports late. The channel keeps no session: the journal has all that it
/// needs.
final class EventChannel: Sendable {
  /// The maximum number of revisions to reconstruct. A subscriber that is further behind receives a `resync` event.
  private static let reconstructionLimit = 64

  private struct State {
    var latest: Position?
    var subscribers: [ObjectIdentifier: any EventSubscriber] = [:]
    /// The reason for the end of the stream, after it has ended.
    var end: SessionEvent.End?
    /// Whether the channel is closed. A closed channel receives no reports.
    var isClosed = false
  }

  /// The last revision that the subscribers have received.
  private struct Position {
    let revision: UInt64
    let version: SessionVersion
    let expiresAt: Timestamp

    init(_ snapshot: Snapshot) {
      (revision, version) = (snapshot.session.revision, snapshot.session.version)
      expiresAt = snapshot.session.expiresAt
    }

    /// Whether it is at a later revision, or at the same one with a later end.
    func isLater(than other: Position) -> Bool {
      revision > other.revision || revision == other.revision && expiresAt > other.expiresAt
    }
  }

  /// Reconstructs the session at each revision after `after`, up to `to`. Returns nil if that is impossible.
  typealias Reconstruction = @Sendable (_ after: UInt64, _ to: Snapshot) -> [Snapshot]?

  /// The session's ID without a secret.
  let id: SessionID
  private let state = Mutex(State())
  private let reconstruct: Reconstruction

  init(_ id: SessionID, reconstruct: @escaping Reconstruction) {
    self.id = id
    self.reconstruct = reconstruct
  }

  var expiresAt: Timestamp { state.withLock { $0.latest?.expiresAt } ?? Timestamp(milliseconds: .max) }

  /// The version of the latest write that this process knows of.
  var version: SessionVersion? { state.withLock { $0.latest?.version } }

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
    /// The channel has sent a later revision than the one of the caller.
    case outdated
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
      if let latest = state.latest, latest.revision > snapshot.session.revision { return .outdated }
      let backlog = revision.map { events(after: $0, to: snapshot) } ?? [SessionEvent(.view(snapshot))]
      let end = state.end ?? (snapshot.isFinished ? .finished : nil)
      if end != nil, backlog.isEmpty { return .alreadyFinished }
      guard subscriber.receive(backlog: backlog) || subscriber.receive(SessionEvent(.resync(snapshot))) else {
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

  /// Removes a subscriber.
  ///
  /// - Returns: false if the channel is closed, because it was the last one.
  func remove(_ subscriber: any EventSubscriber) -> Bool {
    state.withLock { state in
      state.subscribers[ObjectIdentifier(subscriber)] = nil
      closeIfUnused(&state)
      return !state.isClosed
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
      if let latest = state.latest, latest.expiresAt <= now { end(&state, .expired) }
      for (id, subscriber) in state.subscribers where !subscriber.receiveKeepAlive() { state.subscribers[id] = nil }
      closeIfUnused(&state)
      return !state.isClosed
    }
  }

  private func closeIfUnused(_ state: inout State) { if state.subscribers.isEmpty { state.isClosed = true } }

  private func advance(_ state: inout State, to snapshot: Snapshot) {
    guard let latest = state.latest else { return state.latest = Position(snapshot) }
    let position = Position(snapshot)
    guard position.isLater(than: latest), !state.isClosed else { return }
    state.latest = position
    // An extension has no revision. Clients learn the new time of expiry from another view of the same one.
    if position.revision == latest.revision { return send(&state, SessionEvent(.view(snapshot))) }
    if !state.subscribers.isEmpty {
      for event in events(after: latest.revision, to: snapshot) { send(&state, event) }
    }
    if snapshot.isFinished { end(&state, .finished) }
  }

  /// Returns an event for each revision after one, or a `resync` event if they cannot be reconstructed.
  private func events(after revision: UInt64, to latest: Snapshot) -> [SessionEvent] {
    guard revision < latest.session.revision else {
      return revision == latest.session.revision ? [] : [SessionEvent(.resync(latest))]
    }
    let distance = latest.session.revision - revision
    if distance == 1 { return [SessionEvent(.view(latest))] }
    let steps = distance <= Self.reconstructionLimit ? reconstruct(revision, latest) : nil
    return steps?.map { SessionEvent(.view($0)) } ?? [SessionEvent(.resync(latest))]
  }

  private func send(_ state: inout State, _ event: SessionEvent) {
    for (id, subscriber) in state.subscribers where !subscriber.receive(event) { state.subscribers[id] = nil }
  }

  private func end(_ state: inout State, _ reason: SessionEvent.End) {
    guard state.end == nil else { return }
    send(&state, SessionEvent(.end(reason)))
    for subscriber in state.subscribers.values { subscriber.finish() }
    state.subscribers = [:]
    state.end = reason
    state.isClosed = true
  }
}

/// The open channels of a service, by session.
final class EventChannels: Sendable {
  private let channels = Mutex<[SessionKey: EventChannel]>([:])
  /// An action reads it before it takes the lock, so that sessions without subscribers cost nothing.
  private let storedCount = Atomic(0)

  var count: Int { storedCount.load(ordering: .sequentiallyConsistent) }

  /// Returns a session's channel, or nil if the session has none.
  func channel(of key: SessionKey) -> EventChannel? {
    guard count > 0 else { return nil }
    return channels.withLock { $0[key] }
  }

  /// Returns a session's channel, and opens one if the session has none.
  func open(_ key: SessionKey, _ make: () -> EventChannel) -> EventChannel {
    channels.withLock { channels in
      if let channel = channels[key] { return channel }
      let channel = make()
      channels[key] = channel
      storedCount.store(channels.count, ordering: .sequentiallyConsistent)
      return channel
    }
  }

  var all: [SessionKey: EventChannel] { channels.withLock { $0 } }

  /// Removes a subscriber from a session's channel, and the channel with its last subscriber.
  func remove(_ subscriber: any EventSubscriber, from key: SessionKey) {
    if let channel = channel(of: key), !channel.remove(subscriber) { remove(channel, key) }
  }

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
      storedCount.store(channels.count, ordering: .sequentiallyConsistent)
    }
  }
}
