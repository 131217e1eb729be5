public import Navigation

/// The failure of a request about a session. The session is unchanged.
public enum SessionError: Error, Sendable {
  /// No hosted app has the requested name.
  case unknownApp(hosted: [String])
  /// No hosted app has the requested name yet. Since its start the service has not loaded all folders of flows.
  case stillLoading
  /// The session does not exist, or its tombstone has been removed.
  case unknownSession
  /// The session has expired or was ended. The session itself is nil once only its tombstone exists.
  case expired(StoredSession?)
  /// The time to live is outside this range of seconds.
  case invalidTimeToLive(ClosedRange<Int64>)
  /// The machine of the service has no time zone of the requested name.
  case unknownTimeZone
  /// The navigation rejected the intent. The snapshot is the session's current one, if the session exists.
  case rejected(Rejection, Snapshot?)
  /// The session has advanced beyond the revision that the client has seen.
  case stale(Snapshot)
  /// The session belongs to an app that is no longer hosted, or to a version of its app from which it cannot be
  /// migrated. Its stored content is kept.
  case outdated(StoredSession, OutdatedReason)
  /// The definition of a detached effect cannot be used.
  case unusableDefinition(OutdatedReason)
  /// The state would exceed this many bytes (`--max-session-bytes`).
  case tooLarge(limit: Int)
  /// The session was handed over, and this device may only read it.
  case readOnly(Snapshot)
  /// The offer under the hand-over code was used, has expired or never existed.
  case unknownOffer
  /// No session waits for a signal at the address, or none does any more.
  case unknownSignal
  /// The app has no signal of the name.
  case undeclaredSignal
  /// More sessions wait for a signal under one key than ``KeyedSignal/receiverLimit``.
  case tooManyReceivers
  /// The signal lacks a valid signature of its sender, or the signature is older than five minutes.
  case forgedSignal
  /// As many earlier signals as the session or the store keeps still wait to be applied.
  case signalWaits
  /// The owner has reached this number of sessions (`--max-sessions-per-principal`).
  case tooManySessions(limit: Int)
  /// The idempotency key was used for a different request.
  case idempotencyConflict
  /// The input of a signal contains its own address, which no client may learn.
  case exposedAddress
  /// The store failed.
  case store(StoreError)
}

/// The reason why the hosted apps cannot read a session.
public enum OutdatedReason: Sendable, CustomStringConvertible {
  /// No hosted app has the name of the session's app.
  case appNotHosted(String)
  /// The migration from the session's version of the app fails.
  case notMigratable(PackingError)
  /// The session belongs to a flow, and the service hosts none.
  case flowsNotHosted(String)
  /// The store does not have the definition of the app that the session began with.
  case unknownDefinition(String, DefinitionDigest)
  /// The definition of the app that the session began with cannot be compiled here. The text has the faults.
  case faultyDefinition(String, DefinitionDigest, String)
  /// In another definition of the app, the pending work of the session would differ.
  case otherWork(String)

  /// The reason as a sentence.
  public var description: String {
    switch self {
    case .flowsNotHosted(let app): "The app \(app) is a flow, and no flows are hosted here."
    case .unknownDefinition(let app, let digest): "The definition \(digest) of the app \(app) is not stored any more."
    case .faultyDefinition(let app, let digest, _): "The definition \(digest) of the app \(app) cannot be read here."
    case .otherWork(let app): "The pending work of the session differs in this definition of the app \(app)."
    case .appNotHosted(let app): "The app \(app) is not hosted here."
    case .notMigratable(let error): error.description
    }
  }

  /// The reason with the faults of the files, for operators.
  var operatorDescription: String {
    if case .faultyDefinition(_, _, let faults) = self { "\(self) \(faults)" } else { description }
  }
}

extension SessionError {
  /// The failure as a sentence for an operator, who may see paths, host names and the app's own error texts.
  ///
  /// Clients read the sentences of the module `Messages` instead.
  package var operatorDescription: String {
    switch self {
    case .outdated(_, let reason), .unusableDefinition(let reason): reason.operatorDescription
    case .rejected(.unreadable(let error), _): "\(error)"
    case .rejected(.fault(let fault), _): "\(fault)"
    case .store(let error): error.sentence
    case .expired: "expired"
    default: "\(self)"
    }
  }
}
