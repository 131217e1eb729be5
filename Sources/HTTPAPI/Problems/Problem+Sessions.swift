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
    self =
      switch error {
      case .unknownApp(let hosted): Problem(.unknownApp, error.message).adding("apps", .array(hosted.map { Value($0) }))
      case .stillLoading: .stillLoading
      case .unknownSession: .unknownSession
      case .expired(let session?):
        Problem(.sessionExpired, error.message).adding("app", Value(session.app)).with(\.ended, session)
      case .expired(nil): Problem(.sessionExpired, error.message)
      case .invalidTimeToLive, .unknownTimeZone: .invalidRequest(error.message)
      case .stale(let snapshot):
        Problem(.staleRevision, error.message).with(\.status, isPrecondition ? 412 : ProblemKind.staleRevision.status)
          .adding("revision", Value(Int64(clamping: snapshot.session.revision))).adding(view: snapshot)
          .with(\.shown, snapshot)
      case .outdated(let session, _):
        Problem(.sessionOutdated, error.message).adding("reason", .message(error.message))
          .adding("session", session.outdatedSummary)
      case .unusableDefinition: Problem(.sessionOutdated, error.message)
      case .tooLarge, .tooManySessions, .tooManyReceivers: Problem(.limitReached, error.message)
      case .readOnly(let snapshot):
        Problem(.readOnly, error.message).adding(view: snapshot).with(\.shown, snapshot)
      case .unknownSignal, .undeclaredSignal: Problem(.unknownSignal, error.message)
      case .exposedAddress: Problem(.invalidInput, error.message)
      case .forgedSignal:
        // RFC 9110, section 15.5.2 requires a challenge. The scheme has no registered name.
        Problem(.unauthorized, error.message).adding(header: "WWW-Authenticate", "StandardWebhooks")
      case .signalWaits: Problem(.overloaded, error.message).adding(header: "Retry-After", "1")
      case .unknownOffer: .unknownOffer
      case .idempotencyConflict: Problem(.idempotencyConflict, error.message)
      case .store(.full): Problem(.limitReached, error.message).adding(header: "Retry-After", "15")
      case .store(.displaced(let reason)), .store(.unavailable(let reason)):
        Problem(.overloaded, error.message).adding(header: "Retry-After", "5").with(\.cause, reason)
      case .store(.unreadable(let reason)): .internalError(reason)
      case .rejected(let rejection, let snapshot): Problem(rejection, snapshot).with(\.shown, snapshot)
      }
  }

  private init(_ rejection: Rejection, _ snapshot: Snapshot?) {
    self =
      switch rejection {
      case .unknownAction: Problem(.unknownAction, rejection.message)
      case .unknownTab: Problem(.notFound, rejection.message)
      case .unavailable(let reason):
        .unavailable(ServiceMessage { reason.sentence(in: $0) }).adding(view: snapshot)
      case .invalidInput(let input): .invalidInput(input.failures)
      case .refused(let reasons) where reasons.contains { !$0.pointer.isEmpty }: .invalidInput(reasons)
      case .refused(let reasons):
        .unavailable(rejection.message).adding("errors", .failures(reasons)).adding(view: snapshot)
          .with(\.failures, reasons)
      case .invalidLink(let step, let fault):
        Problem(.invalidLink, ServiceMessage { fault.sentence(in: $0) })
          .adding("step", step.map { Value($0) } ?? .null)
      case .finished: Problem(.sessionFinished, rejection.message)
      case .tooDeep, .tooMuchWork: Problem(.limitReached, rejection.message)
      case .unreadable, .fault: .internalError(rejection.sentence())
      }
  }

  private static func unavailable(_ reason: ServiceMessage) -> Problem {
    Problem(.actionUnavailable, reason).adding("reason", .message(reason))
  }

  private static func invalidInput(_ failures: [InvalidInput.Failure]) -> Problem {
    Problem(.invalidInput, ServiceMessage { failures.sentences(in: $0) })
      .adding("errors", .failures(failures)).with(\.failures, failures)
  }
}

extension StoreError {
  /// The public reason why a store is not ready; nil if the reason in the log might name hosts, users or files.
  var publicReason: String? { if case .displaced = self { sentenceForClients(in: .english) } else { nil } }
}

extension StoredSession {
  fileprivate var outdatedSummary: Value {
    [
      "app": Value(app), "revision": Value(Int64(clamping: revision)), "status": "outdated",
      "createdAt": Value(createdAt.text), "expiresAt": Value(expiresAt.text),
    ]
  }
}

extension InvalidInput.Failure {
  func value(in language: ServiceLanguage) -> Value {
    let detail = sentence(in: language)
    return ["pointer": Value(pointer), "keyword": Value(fault.keyword), "detail": Value(detail)]
  }
}
