public import Values

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
/// An effect runs at least once, and again if the process ends before its outcome is stored, so it passes
/// ``EffectContext/idempotencyKey`` on, by which the other side recognizes a repetition. The outcome is applied exactly
/// once.
public protocol Effect: Versioned {
  /// The value that a successful run returns; ``Nothing`` unless declared.
  associatedtype Output: Codable & Sendable = Nothing
  /// The services of the app that `run` uses: the type that the app was given, or a protocol of it. ``NoServices``
  /// unless declared.
  associatedtype Services: Sendable = NoServices
  static var policy: EffectPolicy { get }
  /// The names of the HTTP services that `run` uses; none unless declared. A host starts only if its operator has set
  /// their addresses.
  static var httpServices: [String] { get }
  /// Whether `run` makes addresses with ``EffectContext/resumeAddress(for:repeatable:)``; false unless declared.
  static var givesResumeAddresses: Bool { get }
  /// Does the work. An attempt may wait, and is cancelled after the timeout of the policy.
  ///
  /// - Throws: ``Retry`` if another attempt may succeed. Any other error ends the effect as failed.
  func run(_ context: EffectContext<Self>) async throws -> Output
}

extension Effect {
  public static var policy: EffectPolicy { EffectPolicy() }
  public static var httpServices: [String] { [] }
  public static var givesResumeAddresses: Bool { false }
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
  /// side, for example as the header `Idempotency-Key`.
  public let idempotencyKey: String
  /// The number of this attempt, from 1.
  public let attempt: Int
  /// The locale of the session (BCP 47); nil if it has none.
  public let locale: String?
  /// The services that the app was given.
  public let services: Of.Services
  /// The resources of the host beyond the app, such as its connections to backends.
  package let resources: any Sendable
  /// The trace id and the flags of the request behind the effect (W3C Trace Context), with a hyphen in between, and its
  /// `tracestate` after a space; nil if the request belongs to no trace.
  package let trace: String?
  let callback: @Sendable (String) async throws -> String?
  let resumeAddress: @Sendable (ResumeTerms) async throws -> String

  /// Returns a URL that continues the session on any device, such as in a mail: "save and return". It shows a page with
  /// one button. The device that continues may act, and all others may then only read. Every attempt at the effect
  /// returns the same URL for the same parameters.
  ///
  /// The URL gives access to the session, so send it to the user alone.
  ///
  /// - Parameters:
  ///   - validity: the time for which the URL is valid; nil for as long as the session.
  ///   - repeatable: whether the URL can be used several times, and not only once.
  /// - Throws: ``EffectFailure`` if the effect does not declare ``Effect/givesResumeAddresses``, or the session has ended.
  public func resumeAddress(for validity: Duration? = nil, repeatable: Bool = false) async throws -> String {
    guard Of.givesResumeAddresses else {
      throw EffectFailure(
        .error,
        detail: "The effect \(Of.name) does not declare resume addresses. Set its givesResumeAddresses to true.",
        mayHaveHappened: false)
    }
    return try await resumeAddress(ResumeTerms(validity: validity, isRepeatable: repeatable))
  }

  /// Returns the URL at which the coordinator of this effect receives a signal: send it to the other side, which posts
  /// the signal there. The URL is a secret between the two, so do not show it.
  ///
  /// - Throws: ``EffectFailure`` if the coordinator does not wait for the signal.
  public func callback<S: Signal>(for signal: S.Type) async throws -> String {
    if let url = try await callback(S.name) { return url }
    throw EffectFailure(
      .error,
      detail: "The coordinator of the effect \(Of.name) does not wait for the signal \(S.name). "
        + "Call await(\(S.self).self) in the step that requests the effect. A detached effect has no coordinator.",
      mayHaveHappened: false)
  }
}

/// The terms of use of a resume address.
public struct ResumeTerms: Sendable, Hashable {
  /// The time for which the address is valid; nil for as long as the session.
  public let validity: Duration?
  /// Whether the address can be used several times.
  public let isRepeatable: Bool

  package init(validity: Duration?, isRepeatable: Bool) {
    (self.validity, self.isRepeatable) = (validity, isRepeatable)
  }
}

/// The error of an attempt after which another attempt may succeed.
public struct Retry: Error, Sendable {
  /// The outcome of the effect if no attempt is left.
  public var failure: EffectFailure
  /// The time before the next attempt; nil for that of the policy.
  public var pause: Duration?

  public init(_ failure: EffectFailure, after pause: Duration? = nil) {
    self.failure = failure
    self.pause = pause
  }

  /// - Parameter reason: a sentence for operators.
  public init(_ reason: String, after pause: Duration? = nil, mayHaveHappened: Bool = true) {
    self.init(EffectFailure(.error, detail: reason, mayHaveHappened: mayHaveHappened), after: pause)
  }
}

/// The failed outcome of an effect. An effect that throws one has failed for good, as after any error but ``Retry``.
public struct EffectFailure: Error, Codable, Sendable, Equatable, CustomStringConvertible {
  public enum Reason: String, Codable, Sendable {
    /// The code of the effect threw an error of its own.
    case error
    /// The last attempt exceeded the timeout of the policy.
    case timeout
    /// No response arrived: the other side could not be reached, or the connection was lost.
    case transport
    /// The other side responded with a status that means a failure.
    case status
    /// The response was not of the expected form.
    case decoding
    /// An operator gave the effect up.
    case givenUp
  }
  public let reason: Reason
  /// The description of the last error, for operators. Do not show it to people: it may contain addresses.
  public let detail: String
  /// Whether the work may have been done nevertheless.
  public let mayHaveHappened: Bool
  /// The status of an HTTP response; nil for any other failure.
  public let status: Int?
  /// The JSON body of an HTTP response; nil if there is none of at most 4 KiB.
  public let body: Value?

  public init(
    _ reason: Reason, detail: String = "", mayHaveHappened: Bool = true, status: Int? = nil, body: Value? = nil
  ) {
    self.reason = reason
    self.detail = detail
    self.mayHaveHappened = mayHaveHappened
    self.status = status
    self.body = body
  }

  /// Returns the failure with the statement about all attempts.
  package func with(mayHaveHappened: Bool) -> EffectFailure {
    EffectFailure(reason, detail: detail, mayHaveHappened: mayHaveHappened, status: status, body: body)
  }

  /// The reason and the status, without the detail.
  public var description: String { status.map { "\(reason.rawValue) \($0)" } ?? reason.rawValue }
}
