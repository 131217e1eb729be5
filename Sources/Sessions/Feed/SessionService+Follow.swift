extension SessionService {
  /// Tells a listener of every revision of a session, from here on or after one that it knows, until either of them ends.
  ///
  /// - Parameter revision: what the listener knows; nil has it told of the session as it is.
  /// - Returns: false where the session has finished, and the listener knows it: nothing more will come.
  public func follow(
    _ id: SessionID, by owner: SessionOwner? = nil, after revision: UInt64?, _ listener: any SessionListener
  ) async throws(SessionError) -> Bool {
    // What is not there gets no channel.
    _ = try await snapshot(id, by: owner)
    let (id, key) = (id.bare, SessionKey(id))
    try await watch([key])
    while true {
      // Opened before the session is looked at, so that no revision falls between the two.
      let channel = feed.open(key) {
        SessionChannel(id) { [weak self] in self?.snapshots(after: $0, from: $1, to: $2) }
      }
      switch channel.join(listener, after: revision, try await current(id, key)) {
      case .listens: return true
      case .isOver: return false
      case .isClosed: feed.forget(channel, key)
      }
    }
  }

  /// Tells listeners of silence, and ends what is over; to be called every few seconds.
  public func beat() async {
    feed.beat(clock.now())
    try? await watch(Array(feed.all.keys))
  }

  /// Takes over what other processes have changed, as they tell it. Returns when the store is closed.
  public func hear() async {
    for await change in store.changes {
      guard let channel = feed.channel(of: change.key), channel.version != change.version else { continue }
      await catchUp(channel, change.key)
    }
  }

  /// Looks for what other processes have changed and did not tell; to be called now and then.
  public func catchUp() async {
    guard store.isShared else { return }
    await withTaskGroup { group in
      for (key, channel) in feed.all { group.addTask { await self.catchUp(channel, key) } }
    }
  }

  private func catchUp(_ channel: SessionChannel, _ key: SessionKey) async {
    do throws(SessionError) {
      channel.advance(to: try await current(channel.id, key))
    } catch {
      switch error {
      case .expired, .unknownSession: feed.end(key, channel.expiresAt <= clock.now() ? .expired : .deleted)
      default: break  // It is tried again soon.
      }
    }
  }

  /// The session as everybody sees it who has no more than its id.
  private func current(_ id: SessionID, _ key: SessionKey) async throws(SessionError) -> Snapshot {
    try snapshot(id, of: try await load(key, .current))
  }

  private func watch(_ keys: [SessionKey]) async throws(SessionError) {
    guard store.isShared, !keys.isEmpty else { return }
    let until = clock.now() + Self.watchTime
    try await wrappingErrors(of: await store.watch(keys, until: until))
  }

  /// Seconds; several beats of the heart.
  private static let watchTime: Int64 = 90
}
