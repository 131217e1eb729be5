extension SessionService {
  /// Sends every revision of a session to a subscriber, until the session ends or the subscriber disconnects.
  ///
  /// - Parameter revision: the last revision that the subscriber knows. With nil, the first event is the session as it
  ///   is.
  /// - Returns: false if the session has finished and the subscriber knows its last revision. There will be no events.
  public func subscribe(
    _ subscriber: any EventSubscriber, to id: SessionID, by owner: SessionOwner? = nil, after revision: UInt64?
  ) async throws(SessionError) -> Bool {
    // Throws before it opens a channel for a session that does not exist.
    _ = try await snapshot(id, by: owner)
    let (id, key) = (id.bare, SessionKey(id))
    try await watch([key])
    while true {
      // The channel opens before the session is loaded, so that it misses no revision in between.
      let channel = channels.open(key) {
        EventChannel(id) { [weak self] in self?.snapshots(after: $0, from: $1, to: $2) }
      }
      switch channel.add(subscriber, after: revision, try await current(id, key)) {
      case .active: return true
      case .alreadyFinished: return false
      case .channelClosed: channels.remove(channel, key)
      }
    }
  }

  /// Sends a keep-alive to all subscribers, ends the streams of expired sessions, and renews the watch on the store.
  ///
  /// Call it every few seconds.
  public func sendKeepAlives() async {
    channels.sendKeepAlives(at: clock.now())
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
  /// Call it every few seconds. It does nothing if the store is not shared.
  public func pollSharedStore() async {
    guard store.isShared else { return }
    await withTaskGroup { group in
      for (key, channel) in channels.all { group.addTask { await self.refresh(channel, key) } }
    }
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

  /// The session as seen with an ID without a secret.
  private func current(_ id: SessionID, _ key: SessionKey) async throws(SessionError) -> Snapshot {
    try snapshot(id, of: try await load(key, .current))
  }

  private func watch(_ keys: [SessionKey]) async throws(SessionError) {
    guard store.isShared, !keys.isEmpty else { return }
    try await wrappingErrors(of: await store.watch(keys, until: clock.now() + Self.watchTime))
  }

  /// Seconds that the store watches a session: several keep-alive intervals.
  private static let watchTime: Int64 = 90
}
