internal import Synchronization

/// What listeners of a session hear of. All of them get the same one, and each reads it by its id of the session.
public final class SessionEvent: Sendable {
  public enum Kind: Sendable {
    /// The session at its next revision.
    case view(Snapshot)
    /// The session as it is now, where it cannot be said what lies between.
    case resync(Snapshot)
    /// Nothing more comes.
    case end(End)
  }

  public enum End: String, Sendable { case finished, deleted, expired }

  public let kind: Kind
  private let encoded = Mutex(Encoded())

  private struct Encoded {
    var forReaders: [UInt8]?
    var forWriter: [UInt8]?
  }

  public init(_ kind: Kind) { self.kind = kind }

  /// The event as it is sent to the device of an id, which is made once however many listeners there are: once more where the session
  /// was handed over, because one of them may act then.
  public func encoded(for id: SessionID, _ encode: (Kind) -> [UInt8]) -> [UInt8] {
    let seen = kind.seen(by: id)
    return encoded.withLock { encoded in
      let place = seen.isForWriter ? \Encoded.forWriter : \Encoded.forReaders
      if let made = encoded[keyPath: place] { return made }
      let made = encode(seen)
      encoded[keyPath: place] = made
      return made
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

  /// Whether it is for the one device that a session was handed over to.
  fileprivate var isForWriter: Bool {
    switch self {
    case .view(let snapshot), .resync(let snapshot): snapshot.id.hasSecret
    case .end: false
    }
  }
}

/// Somebody who follows a session. What it is told must not block.
public protocol SessionListener: AnyObject, Sendable {
  /// What it has missed. False where that is more than it can take at once: then it takes nothing.
  func catchUp(_ events: [SessionEvent]) -> Bool

  /// False where it has gone, or cannot keep up: it hears nothing more.
  func hear(_ event: SessionEvent) -> Bool

  /// Nothing has happened for a while. False as above.
  func beat() -> Bool

  /// It has heard the last event.
  func end()
}
