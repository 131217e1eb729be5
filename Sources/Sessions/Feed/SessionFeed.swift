internal import Synchronization

/// The sessions that somebody follows.
final class SessionFeed: Sendable {
  private let channels = Mutex<[SessionKey: SessionChannel]>([:])
  /// How many there are: while it is none, an action pays for nothing.
  private let count = Atomic(0)

  /// The channel of a session; nil where nobody follows it.
  func channel(of key: SessionKey) -> SessionChannel? {
    guard count.load(ordering: .sequentiallyConsistent) > 0 else { return nil }
    return channels.withLock { $0[key] }
  }

  /// The channel of a session, which is opened if it is not there.
  func open(_ key: SessionKey, _ make: () -> SessionChannel) -> SessionChannel {
    channels.withLock { channels in
      if let channel = channels[key] { return channel }
      let channel = make()
      channels[key] = channel
      count.store(channels.count, ordering: .sequentiallyConsistent)
      return channel
    }
  }

  var all: [SessionKey: SessionChannel] { channels.withLock { $0 } }

  /// Tells the listeners of a session that it is over.
  func end(_ key: SessionKey, _ reason: SessionEvent.End) {
    guard let channel = channel(of: key) else { return }
    channel.end(reason)
    forget(channel, key)
  }

  /// One round of the heart.
  func beat(_ now: Timestamp) {
    for (key, channel) in all where !channel.beat(now) { forget(channel, key) }
  }

  /// Takes a channel out.
  ///
  /// - Parameter channel: the one that is closed; another one of the session stays.
  func forget(_ channel: SessionChannel, _ key: SessionKey) {
    channels.withLock { channels in
      if channels[key] === channel { channels[key] = nil }
      count.store(channels.count, ordering: .sequentiallyConsistent)
    }
  }
}
