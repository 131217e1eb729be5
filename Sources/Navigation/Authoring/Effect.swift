/// Work outside the session that a handler requests: a call to a backend, a query of a database, a message to send.
///
/// The commit of the handler records the request, and the work begins after it: there is never an action without its
/// effect, nor an effect without its action. The outcome is an event of the coordinator that requested it.
///
///     struct FetchQuote: Effect {
///       static let name = "fetch-quote"
///       static let policy = EffectPolicy(timeout: .seconds(3), attempts: 5)
///       var product: String
///
///       func run(_ context: EffectContext<Self>) async throws -> Quote {
///         try await context.services.quotes.price(of: product, idempotencyKey: context.idempotencyKey)
///       }
///     }
///
/// An effect runs at least once. It runs again if the process ends before its outcome is stored, so it passes
/// ``EffectContext/idempotencyKey`` on, by which the other side recognizes a repetition. The outcome is applied exactly
/// once.
public protocol Effect: Versioned {
  /// The value that a successful run returns; ``Nothing`` unless declared.
  associatedtype Output: Codable & Sendable = Nothing
  /// The services of the app that `run` uses: the type that the app was given, or a protocol of it. ``NoServices``
  /// unless declared.
  associatedtype Services: Sendable = NoServices
  /// The name on the wire and in stored sessions: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
  static var policy: EffectPolicy { get }
  /// Does the work. It may wait, and is cancelled after the timeout of the policy.
  ///
  /// - Throws: ``Retry`` if another attempt may succeed. Any other error ends the effect as failed.
  func run(_ context: EffectContext<Self>) async throws -> Output
}

extension Effect {
  public static var policy: EffectPolicy { EffectPolicy() }
}

/// The attempts at an effect, and the time between them.
public struct EffectPolicy: Sendable, Equatable {
  /// The time limit of one attempt, 1 millisecond to 1 hour.
  public var timeout: Duration
  /// The maximum number of attempts, at least 1.
  public var attempts: Int
  /// The pause before the second attempt. Each later pause is twice as long, up to `maximumPause`.
  public var pause: Duration
  public var maximumPause: Duration

  public init(
    timeout: Duration = .seconds(10), attempts: Int = 5, pause: Duration = .milliseconds(200),
    maximumPause: Duration = .seconds(30)
  ) {
    self.timeout = timeout
    self.attempts = attempts
    self.pause = pause
    self.maximumPause = maximumPause
  }

  /// Returns the pause after so many attempts.
  public func pause(after attempts: Int) -> Duration { min(pause * (1 << min(max(attempts, 1) - 1, 20)), maximumPause) }
}

/// The surroundings of one attempt at an effect.
public struct EffectContext<Of: Effect>: Sendable {
  /// Identifies the effect over all attempts, restarts and replicas: 43 characters of base64url. Send it to the other
  /// side, as the header `Idempotency-Key` say.
  public let idempotencyKey: String
  /// The number of this attempt, from 1.
  public let attempt: Int
  /// The locale that the session was created with (BCP 47); nil if it has none.
  public let locale: String?
  /// The services that the app was given.
  public let services: Of.Services
}

/// The error of an attempt after which another attempt may succeed.
public struct Retry: Error, Sendable {
  /// The reason, for operators.
  public var reason: String
  /// The time before the next attempt; nil for that of the policy.
  public var pause: Duration?
  /// Whether the attempt may have had its effect on the other side.
  public var mayHaveHappened: Bool

  public init(_ reason: String, after pause: Duration? = nil, mayHaveHappened: Bool = true) {
    self.reason = reason
    self.pause = pause
    self.mayHaveHappened = mayHaveHappened
  }
}

/// The failed outcome of an effect.
public struct EffectFailure: Error, Codable, Sendable, Equatable {
  public enum Reason: String, Codable, Sendable {
    /// The code of the effect threw an error that another attempt would not change.
    case error
    /// The last attempt exceeded the timeout of the policy.
    case timeout
    /// All attempts of the policy failed.
    case attemptsExhausted
    /// An operator gave the effect up.
    case givenUp
  }
  public let reason: Reason
  /// The description of the last error, for operators. Do not show it to people: it may contain addresses.
  public let detail: String
  /// Whether the work may have been done nevertheless.
  public let mayHaveHappened: Bool

  public init(_ reason: Reason, detail: String, mayHaveHappened: Bool) {
    self.reason = reason
    self.detail = detail
    self.mayHaveHappened = mayHaveHappened
  }
}
