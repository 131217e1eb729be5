internal import Navigation
internal import Sessions
internal import Values

/// The one place that turns errors of the session service into problems.
extension Problem {
  init(_ error: SessionError, isPrecondition: Bool = false) {
    switch error {
    case .unknownApp(let hosted):
      self = Problem(.unknownApp, "No app of this name is hosted.").adding("apps", .array(hosted.map { Value($0) }))
    case .unknownSession:
      self = .unknownSession
    case .expired:
      self = Problem(.sessionExpired, "The session has expired or was ended.")
    case .invalidTimeToLive(let allowed):
      self = .invalidRequest("ttl is not a number of seconds from \(allowed.lowerBound) to \(allowed.upperBound).")
    case .stale(let snapshot):
      self = Problem(.staleRevision, "The session is at revision \(snapshot.session.revision).")
      if isPrecondition { status = 412 }
      self = adding("revision", Value(Int64(clamping: snapshot.session.revision))).adding(view: snapshot)
      shown = snapshot
    case .outdated(let session, let reason):
      self = Problem(.sessionOutdated, reason).adding("reason", Value(reason))
        .adding("session", session.outdatedSummary)
    case .tooLarge(let limit):
      self = Problem(.limitReached, "A session takes at most \(limit) bytes.")
    case .readOnly(let snapshot):
      self = Problem(.readOnly, "The session was handed over to another device.").adding(view: snapshot)
      shown = snapshot
    case .unknownOffer:
      self = .unknownOffer
    case .tooManySessions(let limit):
      self = Problem(.limitReached, "Nobody may have more than \(limit) sessions at once here.")
    case .idempotencyConflict:
      self = Problem(.idempotencyConflict, "The key came before with another method, path or body.")
    case .store(.full(let limit)):
      self = Problem(.limitReached, "The service holds its limit of \(limit) sessions.")
        .adding(header: "Retry-After", "15")
    case .store(.displaced(let reason)):
      self = Problem(.overloaded, StoreError.displacement).adding(header: "Retry-After", "5")
      cause = reason
    case .store(.unavailable(let reason)):
      self = Problem(.overloaded, "The sessions cannot be reached now.").adding(header: "Retry-After", "5")
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
    case .tooDeep:
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
  fileprivate static let displacement = "The session file was deleted, moved or replaced while it is open."

  /// Why a store is not ready, for everybody; nil where the sentence for the operator might name hosts, users or files.
  var publicReason: String? { if case .displaced = self { Self.displacement } else { nil } }
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
