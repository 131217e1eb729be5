internal import Synchronization

/// What listeners of a session hear of. All of them get the same one.
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
  private let encoded = Mutex<[UInt8]?>(nil)

  init(_ kind: Kind) { self.kind = kind }

  /// The event as it is sent, which is made once however many listeners there are.
  public func encoded(_ encode: (Kind) -> [UInt8]) -> [UInt8] {
    encoded.withLock { encoded in
      if let encoded { return encoded }
      let made = encode(kind)
      encoded = made
      return made
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
