internal import Synchronization
internal import Values

/// A change of a session, as its event stream reports it.
///
/// All subscribers of a session share one event. Each of them encodes it for its own ID of the session.
public final class SessionEvent: Sendable {
  public enum Kind: Sendable {
    /// The session at its next revision.
    case view(Snapshot)
    /// The session as it is now. The revisions since the previous event are unknown.
    case resync(Snapshot)
    /// The last event of the stream.
    case end(End)

    fileprivate func seen(by id: SessionID) -> Kind {
      switch self {
      case .view(let snapshot): .view(snapshot.seen(by: id))
      case .resync(let snapshot): .resync(snapshot.seen(by: id))
      case .end: self
      }
    }

    /// Whether the event is for the device that took the session over.
    fileprivate var isForWriter: Bool {
      switch self {
      case .view(let snapshot), .resync(let snapshot): snapshot.id.hasSecret
      case .end: false
      }
    }
  }

  /// The reason for the end of a stream.
  public enum End: String, Sendable { case finished, deleted, expired }

  public let kind: Kind
  /// The representations by whether they are for the device that may act after a hand-over.
  private let encoded = Mutex<[Bool: [UInt8]]>([:])

  public init(_ kind: Kind) { self.kind = kind }

  /// Returns the event's representation for the device of an ID.
  ///
  /// The event caches one representation for all readers and, after a hand-over, a second one for the device that may
  /// act.
  public func encoded(for id: SessionID, _ encode: (Kind) -> [UInt8]) -> [UInt8] {
    let seen = kind.seen(by: id)
    return encoded.withLock { encoded in
      if let cached = encoded[seen.isForWriter] { return cached }
      let bytes = encode(seen)
      encoded[seen.isForWriter] = bytes
      return bytes
    }
  }
}

/// A subscriber to the events of one session.
///
/// A channel calls these methods while it holds its lock, so they must not block. A subscriber that returns false has
/// disconnected or cannot keep up, and receives nothing more.
public protocol EventSubscriber: AnyObject, Sendable {
  /// Receives the events since the revision at which the subscription resumes.
  ///
  /// - Returns: false if the events exceed the subscriber's capacity. The subscriber must not have accepted any of
  ///   them: the channel sends a `resync` event instead.
  func receive(backlog events: [SessionEvent]) -> Bool

  /// Receives the next event.
  func receive(_ event: SessionEvent) -> Bool

  /// Receives a keep-alive, which shows proxies and the client that the connection is open.
  func receiveKeepAlive() -> Bool

  /// Closes the stream after its last event.
  func finish()
}

// MARK: - Subscriptions

extension SessionService {
  /// Sends every revision of a session to a subscriber, until the session ends or the subscriber disconnects.
  ///
  /// - Parameter revision: the last revision that the subscriber knows. With nil, the first event is the session as it
  ///   is.
  /// - Returns: false if the session has finished and the subscriber knows its last revision, so that no event follows.
  public func subscribe(
    _ subscriber: any EventSubscriber, to id: SessionID, by owner: SessionOwner? = nil, after revision: UInt64?
  ) async throws(SessionError) -> Bool {
    // Loads the session first, so that no channel opens for a session that does not exist.
    _ = try await snapshot(id, by: owner)
    let (id, key) = (id.bare, SessionKey(id))
    try await watch([key])
    while true {
      // The channel opens before the session is loaded, so that it misses no revision in between.
      let channel = channels.open(key) {
        EventChannel(id) { [weak self] in self?.snapshots(after: $0, to: $1) }
      }
      switch channel.add(subscriber, after: revision, try await current(id, key)) {
      case .active: return true
      case .alreadyFinished: return false
      case .outdated: continue
      case .channelClosed: channels.remove(channel, key)
      }
    }
  }

  /// The number of sessions with subscribers. A stream that has ended without its client's goodbye counts until the next
  /// event or keep-alive.
  public var eventChannelCount: Int { channels.count }

  /// Ends a subscription before its stream does.
  func unsubscribe(_ subscriber: any EventSubscriber, from id: SessionID) {
    channels.remove(subscriber, from: SessionKey(id))
  }

  /// Sends a keep-alive to all subscribers, ends the streams of expired sessions, and renews the watch on the store.
  ///
  /// Call it every few seconds.
  public func sendKeepAlives() async {
    let now = clock.now()
    // An offer to hand a session over, or another process, may have extended it without a report.
    for (key, channel) in channels.all where channel.expiresAt <= now { await refresh(channel, key) }
    channels.sendKeepAlives(at: now)
    try? await watch(Array(channels.all.keys))
  }

  /// Sends the changes that other processes announce to the subscribers. Returns when the store closes.
  public func relayStoreChanges() async {
    for await change in store.changes {
      guard let channel = channels.channel(of: change.key), channel.version != change.version else { continue }
      await refresh(channel, change.key)
    }
  }

  /// Loads all sessions that have subscribers, and sends them changes that no process announced.
  ///
  /// Call it every few seconds. The poll does nothing if the store is not shared.
  public func pollSharedStore() async {
    guard store.isShared else { return }
    await withTaskGroup { group in
      for (key, channel) in channels.all { group.addTask { await self.refresh(channel, key) } }
    }
  }

  /// Sends the current revision of a session to its subscribers, also if another process has made it.
  func refresh(_ key: SessionKey) async {
    if let channel = channels.channel(of: key) { await refresh(channel, key) }
  }

  private func refresh(_ channel: EventChannel, _ key: SessionKey) async {
    do throws(SessionError) {
      channel.advance(to: try await current(channel.id, key))
    } catch {
      switch error {
      case .expired, .unknownSession: channels.end(key, channel.expiresAt <= clock.now() ? .expired : .deleted)
      default: break  // The next poll tries again.
      }
    }
  }

  /// Returns the session as a device sees it whose ID has no secret.
  private func current(_ id: SessionID, _ key: SessionKey) async throws(SessionError) -> Snapshot {
    try snapshot(id, of: try await load(key))
  }

  private func watch(_ keys: [SessionKey]) async throws(SessionError) {
    guard store.isShared, !keys.isEmpty else { return }
    try await wrappingErrors(of: await store.watch(keys, until: clock.now() + Self.watchTime))
  }

  /// Seconds that the store watches a session: several keep-alive intervals.
  private static let watchTime: Int64 = 90
}
