internal import Synchronization

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
  }

  /// The reason for the end of a stream.
  public enum End: String, Sendable { case finished, deleted, expired }

  public let kind: Kind
  private let encoded = Mutex(Encoded())

  private struct Encoded {
    var forReaders: [UInt8]?
    var forWriter: [UInt8]?
  }

  public init(_ kind: Kind) { self.kind = kind }

  /// Returns the event's representation for the device of an ID.
  ///
  /// The event caches one representation for all readers and, after a hand-over, a second one for the device that may
  /// act.
  public func encoded(for id: SessionID, _ encode: (Kind) -> [UInt8]) -> [UInt8] {
    let seen = kind.seen(by: id)
    return encoded.withLock { encoded in
      let representation = seen.isForWriter ? \Encoded.forWriter : \Encoded.forReaders
      if let cached = encoded[keyPath: representation] { return cached }
      let bytes = encode(seen)
      encoded[keyPath: representation] = bytes
      return bytes
    }
  }
}

extension SessionEvent.Kind {
  fileprivate func seen(by id: SessionID) -> SessionEvent.Kind {
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

/// A subscriber to the events of one session.
///
/// A channel calls these methods while it holds its lock, so they must not block. A subscriber that returns false has
/// disconnected or cannot keep up, and receives nothing more.
public protocol EventSubscriber: AnyObject, Sendable {
  /// Receives the events since the revision at which the subscription resumes.
  ///
  /// - Returns: false if the events exceed the subscriber's capacity. It must not have accepted any of them: the
  ///   channel sends a `resync` event in their place.
  func receive(backlog events: [SessionEvent]) -> Bool

  /// Receives the next event.
  func receive(_ event: SessionEvent) -> Bool

  /// Receives a sign of life, after a time without events.
  func receiveKeepAlive() -> Bool

  /// Closes the stream after its last event.
  func finish()
}
