public import Navigation

/// Why a request about a session came to nothing. The session is as it was.
public enum SessionError: Error, Sendable {
  /// The app is not hosted; these are.
  case unknownApp(hosted: [String])
  /// The session never existed, or is forgotten.
  case unknownSession
  /// The session has expired or was ended, and that is still remembered.
  case expired
  /// The time to live is not within these seconds.
  case invalidTimeToLive(ClosedRange<Int64>)
  /// The navigation rejected the intent; the snapshot shows where the session is, where there is one.
  case rejected(Rejection, Snapshot?)
  /// The session has moved on from the revision that the client had seen.
  case stale(Snapshot)
  /// The session belongs to an app that is no longer hosted, or to a version of its app from which it cannot be migrated. Its stored
  /// content is kept.
  case outdated(StoredSession, OutdatedReason)
  /// The session would have more bytes than this.
  case tooLarge(limit: Int)
  /// The session was handed over to another device, which alone acts in it; this one can read it.
  case readOnly(Snapshot)
  /// Nothing is offered under this code: it was used, has expired or never was.
  case unknownOffer
  /// Whom the session would belong to has as many as this already.
  case tooManySessions(limit: Int)
  /// The idempotency key was used before, with another request.
  case idempotencyConflict
  /// The store failed.
  case store(StoreError)
}

/// The reason why the hosted apps cannot read a session.
public enum OutdatedReason: Sendable, CustomStringConvertible {
  /// No hosted app has this name.
  case appNotHosted(String)
  /// The migration from the session's version of the app fails.
  case notMigratable(PackingError)

  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .appNotHosted(let app): "The app \(app) is not hosted here."
    case .notMigratable(let error): error.description
    }
  }
}
