public import Values

/// Work that a coordinator waits for: an effect, an event that it has scheduled, or signals from outside.
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
    case signal(AwaitedSignal)
  }

  /// The maximum number of pending effects of a session, of scheduled events, and of awaited signals.
  static let limit = 64

  /// The effect; nil for other work.
  public var effect: PendingEffect? { if case .effect(let effect) = content { effect } else { nil } }

  /// The scheduled event; nil for other work.
  public var timer: ScheduledEvent? { if case .timer(let timer) = content { timer } else { nil } }

  /// Returns the time at which a scheduled event is due in a session that expires at a time.
  ///
  /// An event before the end that was requested later than its time is due with the end, and hence never unless the end
  /// moves.
  public func dueAt(expiring expiresAt: Timestamp) -> Timestamp? {
    guard let timer, let lead = timer.lead else { return timer?.dueAt }
    let dueAt = Timestamp(milliseconds: expiresAt.milliseconds - lead)
    return since < dueAt ? dueAt : expiresAt
  }

  /// The signal; nil for other work.
  public var signal: AwaitedSignal? { if case .signal(let signal) = content { signal } else { nil } }

  /// The declaration of the effect, the timed event or the signal.
  var declared: DeclaredName {
    switch content {
    case .effect(let effect): DeclaredName(kind: .effect, index: effect.effect)
    case .timer(let timer): DeclaredName(kind: .timer, index: timer.event)
    case .signal(let signal): DeclaredName(kind: .signal, index: signal.signal)
    }
  }

  /// Nil without a key.
  var key: WorkKey? {
    switch content {
    case .effect(let effect): effect.key
    case .timer(let timer): timer.key.map(WorkKey.given)
    case .signal(let signal): signal.key.map(WorkKey.given)
    }
  }
}

/// The key that distinguishes pending work of one name, and makes the idempotency key of an effect.
///
/// The key of an author never equals a key of a journey, even if both have the same text.
public enum WorkKey: Sendable, Hashable, CustomStringConvertible {
  /// The key that an author gives.
  case given(String)
  /// The key of a request with the answers of a journey: the revision of the step that has changed one of them last; 0
  /// before.
  case answers(UInt64)
  /// The key of a request that verifies answers of a journey: the revision of the step that has made the request.
  case verification(UInt64)

  public var description: String {
    switch self {
    case .given(let key): key
    case .answers(let revision): "journey answers \(revision)"
    case .verification(let revision): "journey verification \(revision)"
    }
  }
}

/// An effect whose outcome is not known yet.
public struct PendingEffect: Sendable, Equatable {
  /// The index in ``AppDefinition/effects``.
  public let effect: Int
  /// The encoded effect.
  public let input: Value
  /// The key for the idempotency key; nil for an idempotency key that is made from the seed.
  public let key: WorkKey?
  /// The seed of the step that requested the effect.
  public let seed: UInt64
  /// The effect that runs instead of an outcome, if the coordinator or the session ends first; nil for none.
  public let compensation: DetachedEffect?
  /// The property that receives the outcome; nil if the coordinator receives it.
  public let property: ScreenProperty?
  /// The form that the outcome may refuse; nil for none.
  public internal(set) var form: EffectForm?
}

/// A property of the screen at an entry.
public struct ScreenProperty: Sendable, Equatable {
  public let entry: EntryID
  /// The name of the property in the data of the screen.
  public let name: String
}

/// A property of a screen that an effect has loaded, or failed to load. The screen holds the data itself.
public struct LoadedProperty: Sendable, Equatable {
  public let property: ScreenProperty
  /// The encoded effect of the latest outcome.
  public internal(set) var input: Value
  /// The time at which the data arrived; nil if the screen has none.
  public let arrivedAt: Timestamp?
  /// Whether the latest attempt to load the data has failed.
  public let hasFailed: Bool
}

/// A scheduled event.
public struct ScheduledEvent: Sendable, Equatable {
  /// The index in ``AppDefinition/timedEvents``.
  public let event: Int
  /// The encoded event.
  public let value: Value
  public let key: String?
  /// The time at which the event is due; of an event before the end of the session, an estimate at its request.
  public let dueAt: Timestamp
  /// The milliseconds before the end of the session at which the event is due; nil for an event at a time of its own.
  public let lead: Int64?

  init(event: Int, value: Value, key: String?, dueAt: Timestamp, lead: Int64? = nil) {
    (self.event, self.value, self.key, self.dueAt, self.lead) = (event, value, key, dueAt, lead)
  }
}

/// A signal that a coordinator waits for. The signal may arrive several times.
public struct AwaitedSignal: Sendable, Equatable {
  /// The index in ``AppDefinition/signals``.
  public let signal: Int
  /// The number of the address, which stays the same when a signal arrives: the id that the work began with.
  public let address: UInt32
  /// The seed of the step that began to wait.
  public let seed: UInt64
  /// The author's key, under which senders reach every session that waits; nil if only the address is known.
  public let key: String?
  /// The deliveries that were applied, the latest last.
  public internal(set) var deliveries: [SignalDelivery]

  /// The sizes in bytes of a key.
  public static let keySizes = 1...255
  /// The number of deliveries that are remembered.
  static let deliveryLimit = 256
}

/// Identifies a delivery of a signal, which its sender may repeat: 64 bits of a digest.
public struct SignalDelivery: Hashable, Sendable {
  public let rawValue: UInt64

  public init(_ rawValue: UInt64) { self.rawValue = rawValue }
}

public typealias WorkID = ID<PendingWork>

extension AppDefinition {
  /// Returns the declared name of an effect, a scheduled event or a signal.
  public func name(of work: PendingWork) -> String { schema(of: work.declared).name }

  /// Returns the declared name of a coordinator.
  package func name(of node: Node) -> String { coordinators[node.coordinator].definition.name }
}

/// An event that does not come from a user: the outcome of an effect, a timer that is due, or a signal.
public enum BackgroundEvent: Sendable, Equatable {
  /// The effect returned this encoded output.
  case done(WorkID, Value)
  case failed(WorkID, EffectFailure)
  case due(WorkID)
  /// A signal arrived with this encoded input, signed by a sender unless nil.
  case signal(WorkID, Value, SignalDelivery, sender: String? = nil)
  /// An operator has given the event up, which reaches no handler. The delivery is that of a signal.
  case dropped(WorkID, SignalDelivery?)

  public var work: WorkID {
    switch self {
    case .done(let id, _), .failed(let id, _), .due(let id), .signal(let id, _, _, _), .dropped(let id, _): id
    }
  }
}

/// The result of applying a background event.
public enum BackgroundResult: Sendable {
  case applied(SessionState)
  /// The session no longer waits for the event.
  case obsolete
  /// The delivery of the signal was applied before. The session waits for further ones.
  case repeated
  /// The session cannot take the event now. The event can be applied once the obstacle is gone.
  case blocked(BackgroundObstacle)
}

/// The reason why a session cannot take a background event now.
public enum BackgroundObstacle: Sendable, CustomStringConvertible {
  /// The event meets a guard.
  case guarded
  /// The event asks a prompt, and ``AskedPrompt/queueLimit`` prompts wait behind the open one.
  case promptQueueFull
  /// The event follows an action or refuses a form, and a prompt is open.
  case promptIsOpen

  /// A sentence for authors and operators.
  public var description: String {
    switch self {
    case .guarded: "A guard of the app stops the event."
    case .promptIsOpen: "The event follows an action or refuses a form, and a prompt is open."
    case .promptQueueFull: "The event asks a prompt, and \(AskedPrompt.queueLimit) prompts wait behind the open one."
    }
  }
}
