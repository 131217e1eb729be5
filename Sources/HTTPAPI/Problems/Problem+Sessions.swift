internal import Messages
internal import Navigation
internal import Sessions
internal import Values

// Converts errors of the session service to problems. ErrorSentences.swift has the sentences.
extension Problem {
  init(_ error: SessionError, isPrecondition: Bool = false) {
    switch error {
    case .unknownApp(let hosted):
      self = Problem(.unknownApp, error.sentence).adding("apps", .array(hosted.map { Value($0) }))
    case .unknownSession:
      self = .unknownSession
    case .expired:
      self = Problem(.sessionExpired, error.sentence)
    case .invalidTimeToLive:
      self = .invalidRequest(error.sentence)
    case .stale(let snapshot):
      self = Problem(.staleRevision, error.sentence)
      if isPrecondition { status = 412 }
      self = adding("revision", Value(Int64(clamping: snapshot.session.revision))).adding(view: snapshot)
      shown = snapshot
    case .outdated(let session, _):
      self = Problem(.sessionOutdated, error.sentence).adding("reason", Value(error.sentence))
        .adding("session", session.outdatedSummary)
    case .unusableDefinition:
      self = Problem(.sessionOutdated, error.sentence)
    case .tooLarge, .tooManySessions, .tooManyReceivers:
      self = Problem(.limitReached, error.sentence)
    case .readOnly(let snapshot):
      self = Problem(.readOnly, error.sentence).adding(view: snapshot)
      shown = snapshot
    case .unknownSignal, .undeclaredSignal:
      self = Problem(.unknownSignal, error.sentence)
    case .exposedAddress:
      self = Problem(.invalidInput, error.sentence)
    case .forgedSignal:
      // RFC 9110, section 15.5.2 requires a challenge. The scheme has no registered name.
      self = Problem(.unauthorized, error.sentence).adding(header: "WWW-Authenticate", "StandardWebhooks")
    case .signalWaits:
      self = Problem(.overloaded, error.sentence).adding(header: "Retry-After", "1")
    case .unknownOffer:
      self = .unknownOffer
    case .idempotencyConflict:
      self = Problem(.idempotencyConflict, error.sentence)
    case .store(.full):
      self = Problem(.limitReached, error.sentence).adding(header: "Retry-After", "15")
    case .store(.displaced(let reason)), .store(.unavailable(let reason)):
      self = Problem(.overloaded, error.sentence).adding(header: "Retry-After", "5")
      cause = reason
    case .store(.unreadable(let reason)):
      self = .internalError(reason)
    case .rejected(let rejection, let snapshot):
      self.init(rejection, snapshot)
      shown = snapshot
    }
  }

  private init(_ rejection: Rejection, _ snapshot: Snapshot?) {
    switch rejection {
    case .unknownAction:
      self = Problem(.unknownAction, rejection.sentence)
    case .unknownTab:
      self = Problem(.notFound, rejection.sentence)
    case .unavailable(let reason):
      self = Problem(.actionUnavailable, reason.sentence).adding("reason", Value(reason.sentence))
        .adding(view: snapshot)
    case .invalidInput(let input):
      self = .invalidInput(input.failures)
    case .refused(let reasons) where reasons.contains { !$0.pointer.isEmpty }:
      self = .invalidInput(reasons)
    case .refused(let reasons):
      let reason = rejection.sentence
      self = Problem(.actionUnavailable, reason).adding("reason", Value(reason))
        .adding("errors", .array(reasons.map(\.value))).adding(view: snapshot)
      failures = reasons
    case .invalidLink(let step, let fault):
      self = Problem(.invalidLink, fault.sentence).adding("step", step.map { Value($0) } ?? .null)
    case .finished:
      self = Problem(.sessionFinished, rejection.sentence)
    case .tooDeep, .tooMuchWork:
      self = Problem(.limitReached, rejection.sentence)
    case .unreadable, .fault:
      self = .internalError(rejection.sentence)
    }
  }
}

extension Problem {
  fileprivate static func invalidInput(_ failures: [InvalidInput.Failure]) -> Problem {
    var problem = Problem(.invalidInput, failures.sentences)
      .adding("errors", .array(failures.map(\.value)))
    problem.failures = failures
    return problem
  }
}

extension StoreError {
  /// The public reason why a store is not ready; nil if the reason in the log might name hosts, users or files.
  var publicReason: String? { if case .displaced = self { sentenceForClients } else { nil } }
}

extension StoredSession {
  fileprivate var outdatedSummary: Value {
    .object([
      ("app", Value(app)), ("revision", Value(Int64(clamping: revision))), ("status", "outdated"),
      ("createdAt", Value(createdAt.text)), ("expiresAt", Value(expiresAt.text)),
    ])
  }
}

extension InvalidInput.Failure {
  fileprivate var value: Value {
    .object([("pointer", Value(pointer)), ("keyword", Value(fault.keyword)), ("detail", Value(sentence))])
  }
}
