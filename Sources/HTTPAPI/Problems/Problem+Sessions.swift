internal import Languages
internal import Messages
internal import Navigation
internal import Sessions
internal import Values

// Converts errors of the session service to problems. ErrorSentences.swift has the sentences.
extension SessionError {
  fileprivate var message: ServiceMessage { ServiceMessage { self.sentence(in: $0) } }
}

extension Rejection {
  fileprivate var message: ServiceMessage { ServiceMessage { self.sentence(in: $0) } }
}

extension Problem {
  init(_ error: SessionError, isPrecondition: Bool = false) {
    switch error {
    case .unknownApp(let hosted):
      self = Problem(.unknownApp, error.message).adding("apps", .array(hosted.map { Value($0) }))
    case .stillLoading:
      self = .stillLoading
    case .unknownSession:
      self = .unknownSession
    case .expired:
      self = Problem(.sessionExpired, error.message)
    case .invalidTimeToLive:
      self = .invalidRequest(error.message)
    case .stale(let snapshot):
      self = Problem(.staleRevision, error.message)
      if isPrecondition { status = 412 }
      self = adding("revision", Value(Int64(clamping: snapshot.session.revision))).adding(view: snapshot)
      shown = snapshot
    case .outdated(let session, _):
      self = Problem(.sessionOutdated, error.message).adding("reason", .message(error.message))
        .adding("session", session.outdatedSummary)
    case .unusableDefinition:
      self = Problem(.sessionOutdated, error.message)
    case .tooLarge, .tooManySessions, .tooManyReceivers:
      self = Problem(.limitReached, error.message)
    case .readOnly(let snapshot):
      self = Problem(.readOnly, error.message).adding(view: snapshot)
      shown = snapshot
    case .unknownSignal, .undeclaredSignal:
      self = Problem(.unknownSignal, error.message)
    case .exposedAddress:
      self = Problem(.invalidInput, error.message)
    case .forgedSignal:
      // RFC 9110, section 15.5.2 requires a challenge. The scheme has no registered name.
      self = Problem(.unauthorized, error.message).adding(header: "WWW-Authenticate", "StandardWebhooks")
    case .signalWaits:
      self = Problem(.overloaded, error.message).adding(header: "Retry-After", "1")
    case .unknownOffer:
      self = .unknownOffer
    case .idempotencyConflict:
      self = Problem(.idempotencyConflict, error.message)
    case .store(.full):
      self = Problem(.limitReached, error.message).adding(header: "Retry-After", "15")
    case .store(.displaced(let reason)), .store(.unavailable(let reason)):
      self = Problem(.overloaded, error.message).adding(header: "Retry-After", "5")
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
      self = Problem(.unknownAction, rejection.message)
    case .unknownTab:
      self = Problem(.notFound, rejection.message)
    case .unavailable(let reason):
      let message = ServiceMessage { reason.sentence(in: $0) }
      self = Problem(.actionUnavailable, message).adding("reason", .message(message))
        .adding(view: snapshot)
    case .invalidInput(let input):
      self = .invalidInput(input.failures)
    case .refused(let reasons) where reasons.contains { !$0.pointer.isEmpty }:
      self = .invalidInput(reasons)
    case .refused(let reasons):
      self = Problem(.actionUnavailable, rejection.message).adding("reason", .message(rejection.message))
        .adding("errors", .failures(reasons)).adding(view: snapshot)
      failures = reasons
    case .invalidLink(let step, let fault):
      self = Problem(.invalidLink, ServiceMessage { fault.sentence(in: $0) })
        .adding("step", step.map { Value($0) } ?? .null)
    case .finished:
      self = Problem(.sessionFinished, rejection.message)
    case .tooDeep, .tooMuchWork:
      self = Problem(.limitReached, rejection.message)
    case .unreadable, .fault:
      self = .internalError(rejection.sentence)
    }
  }
}

extension Problem {
  fileprivate static func invalidInput(_ failures: [InvalidInput.Failure]) -> Problem {
    var problem = Problem(.invalidInput, ServiceMessage { failures.sentences(in: $0) })
      .adding("errors", .failures(failures))
    problem.failures = failures
    return problem
  }
}

extension StoreError {
  /// The public reason why a store is not ready; nil if the reason in the log might name hosts, users or files.
  var publicReason: String? { if case .displaced = self { sentenceForClients(in: .english) } else { nil } }
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
  func value(in language: ServiceLanguage) -> Value {
    let detail = sentence(in: language)
    return .object([("pointer", Value(pointer)), ("keyword", Value(fault.keyword)), ("detail", Value(detail))])
  }
}
