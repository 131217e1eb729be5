public import Values

/// Work that a coordinator waits for: an effect, or an event that it has scheduled.
public struct PendingWork: Sendable, Equatable {
  public let id: WorkID
  /// The coordinator that receives the outcome. The work ends with it.
  public let owner: NodeID
  /// The time of the request.
  public let since: Timestamp
  public let content: Content

  public enum Content: Sendable, Equatable {
    case effect(PendingEffect)
    case timer(ScheduledEvent)
  }

  /// The maximum number of pending effects of a session, and of scheduled events.
  static let limit = 64
}

/// An effect whose outcome is not known yet.
public struct PendingEffect: Sendable, Equatable {
  /// The index in ``AppDefinition/effects``.
  public let effect: Int
  /// The encoded effect.
  public let input: Value
  /// The author's key for the idempotency key; nil for a key that is made from the seed.
  public let key: String?
  /// The seed of the step that requested the effect.
  public let seed: UInt64
}

/// A scheduled event.
public struct ScheduledEvent: Sendable, Equatable {
  /// The index in ``AppDefinition/timedEvents``.
  public let event: Int
  /// The encoded event.
  public let value: Value
  public let key: String?
  public let dueAt: Timestamp
}

public typealias WorkID = ID<PendingWork>

extension PendingWork {
  /// The effect; nil for a scheduled event.
  public var effect: PendingEffect? { if case .effect(let effect) = content { effect } else { nil } }

  var timer: ScheduledEvent? { if case .timer(let timer) = content { timer } else { nil } }
}

/// An event that does not come from a user: the outcome of an effect, or a timer that is due.
public enum BackgroundEvent: Sendable, Equatable {
  /// The effect returned this encoded output.
  case done(WorkID, Value)
  case failed(WorkID, EffectFailure)
  case due(WorkID)

  public var work: WorkID {
    switch self {
    case .done(let id, _), .failed(let id, _), .due(let id): id
    }
  }
}

/// The result of applying a background event.
public enum BackgroundResult: Sendable {
  case applied(SessionState)
  /// Nothing in the session waits for the event any more.
  case obsolete
  /// The event meets a guard. It can be applied once the guard passes.
  case blocked
}
