package import Navigation
package import Sessions
internal import Values

// The sentences that clients read about errors of sessions and of their apps. The errors themselves are data. Each has
// one sentence, which problems in JSON and pages share.

extension SessionError {
  package var sentence: String {
    switch self {
    case .unknownApp: "No app of this name is hosted."
    case .unknownSession: "No session has this id."
    case .expired: "The session has expired or was ended."
    case .invalidTimeToLive(let allowed):
      "ttl must be a number of seconds from \(allowed.lowerBound) to \(allowed.upperBound)."
    case .rejected(let rejection, _): rejection.sentence
    case .stale(let snapshot): "The session is at revision \(snapshot.session.revision)."
    case .outdated(_, let reason), .unusableDefinition(let reason): "\(reason)"
    case .tooLarge(let limit): "A session takes at most \(limit) bytes."
    case .readOnly: Snapshot.readOnlyReason
    case .unknownSignal: "No session waits for a signal at this address."
    case .forgedSignal: "The signal has no valid signature of the last five minutes."
    case .undeclaredSignal: "The app has no signal of this name."
    case .exposedAddress: "The signal contains the address of a signal, which is a secret."
    case .tooManyReceivers:
      "More than \(KeyedSignal.receiverLimit) coordinators wait for the signal under this key. None has received it."
    case .signalWaits: "Too many signals wait already, for a receiver or for later sessions."
    case .unknownOffer: "The link has been used, has expired or never existed."
    case .tooManySessions(let limit):
      "The owner has reached the limit of \(limit) sessions (--max-sessions-per-principal)."
    case .idempotencyConflict: "The idempotency key was used before with another method, path or body."
    case .store(let error): error.sentenceForClients
    }
  }
}

extension SessionError {
  /// The sentence for operators, with the app's own error texts.
  package var sentenceForOperators: String {
    switch self {
    case .outdated, .unusableDefinition, .store, .rejected(.fault, _), .rejected(.unreadable, _): operatorDescription
    default: sentence
    }
  }
}

extension StoreError {
  /// The sentence for clients. It names no hosts, users or files; the cause in the log does.
  package var sentenceForClients: String {
    switch self {
    case .full(let limit): "The service has reached its limit of \(limit) sessions (--max-sessions)."
    case .displaced: "The session file was deleted, moved or replaced while it was open."
    case .unavailable: "The session store cannot be reached now."
    case .unreadable: "A stored session cannot be read."
    }
  }
}

extension Rejection {
  package var sentence: String {
    switch self {
    case .unknownAction(let name): "No screen of the app has an action \(name)."
    case .unknownTab(let name): "The app has no tab \(name)."
    case .unavailable(let reason): reason.sentence
    case .refused(let failures): failures.sentences
    case .invalidInput(let input): input.failures.sentences
    case .invalidLink(_, let fault): fault.sentence
    case .finished: "The session has finished. It can only be read."
    case .tooDeep(let limit): "Screens can be stacked at most \(limit) deep."
    case .tooMuchWork(let limit):
      "At most \(limit) effects, scheduled events and awaited signals of a session can be pending, each."
    case .unreadable(let error): "A stored session cannot be read: \(error)"
    case .fault(let fault): "\(fault)"
    }
  }
}

extension Unavailability {
  package var sentence: String {
    switch self {
    case .stated(let reason): reason.string
    case .promptIsOpen: "A prompt is open; only its buttons are available."
    case .actionNotOnScreen(let action, let screen): "The screen \(screen) has no action \(action)."
    case .screenIsSealed: "There is no way back from this screen."
    case .nothingToGoBackTo: "There is nothing to go back to."
    case .tabNotVisible(let name): "The tab \(name) is not visible."
    case .noModal: "No modal is open."
    case .hidden: "The screen does not offer the action now."
    case .nothingToChoose: "There is nothing to choose from."
    case .nothingToReload(let name): "The screen has no \(name) that could not be loaded."
    case .modalIsOpen: "A modal is already open."
    case .rootOfTabFinishes: "The root coordinator of a tab cannot finish."
    case .cannotPop(let count, let total): "\(count) of \(total) screens cannot be popped."
    case .noScreenToPopTo: "The stack has no screen of this name to pop to."
    }
  }
}

extension LinkFault {
  package var sentence: String {
    switch self {
    case .notAPath: "The link must be a path such as /accounts/a1."
    case .noMatch: "No link of the app matches this path."
    case .unknownName: "The app has no tab or action of this name."
    case .unavailable(let reason): reason.sentence
    case .invalidInput(let failures): failures.sentences
    }
  }
}

extension InvalidInput.Failure {
  package var sentence: String {
    let subject = title?.string ?? "The input"
    return switch fault.fact {
    case .missing: "\(subject) is required."
    case .wrongType(let expected): "\(subject) must be \(expected)."
    // The title of a consent is a sentence itself.
    case .outside(.isTrue): "“\(subject)” \(FieldLimit.isTrue.demand)."
    case .outside(let limit): "\(subject) \(limit.demand)."
    case .outsideAmount(.minimum, let text): "\(subject) must be at least \(text)."
    case .outsideAmount(_, let text): "\(subject) must be at most \(text)."
    case .refused(let reason): reason.string
    case .noObject: "\(subject) must be an object."
    }
  }
}

extension [InvalidInput.Failure] {
  /// The sentences of all failures. Two failures of one fact have one sentence.
  package var sentences: String {
    var sentences: [String] = []
    for failure in self where !sentences.contains(failure.sentence) { sentences.append(failure.sentence) }
    return sentences.joined(separator: " ")
  }
}

extension FieldLimit {
  /// The number of choices above which a sentence does not name each.
  private static let namedChoices = 20

  /// The demand on a value, as a verb phrase.
  fileprivate var demand: String {
    switch self {
    case .minimum(let limit): "must be at least \(limit.limitText)"
    case .exclusiveMinimum(let limit): "must be greater than \(limit.limitText)"
    case .maximum(let limit): "must be at most \(limit.limitText)"
    case .minimumLength(1): "must not be empty"
    case .minimumLength(let count): "must have at least \(count) characters"
    case .maximumLength(1): "must have at most 1 character"
    case .maximumLength(let count): "must have at most \(count) characters"
    case .digits(1): "must be 1 digit"
    case .digits(let count): "must be \(count) digits"
    case .choices(let choices) where choices.count > Self.namedChoices: "must be one of the offered choices"
    case .choices(let choices): "must be one of \(choices.map(\.value).joined(separator: ", "))"
    case .format(let format): "must be \(format.noun)"
    case .pattern(let pattern): "must be written like \(pattern.example)"
    case .isTrue: "must be accepted"
    case .items(let choices): "may contain only \(choices.map(\.value).joined(separator: ", ")), each once"
    case .minimumItems(1): "must have at least 1 choice"
    case .minimumItems(let count): "must have at least \(count) choices"
    case .maximumItems(1): "must have at most 1 choice"
    case .maximumItems(let count): "must have at most \(count) choices"
    }
  }

  /// The limit as a hint beside an empty field; nil for a limit that the control itself enforces.
  fileprivate func hint(_ kind: any FieldKind) -> String? {
    switch self {
    case .minimum(let limit): "at least \(kind.text(of: limit))"
    case .exclusiveMinimum(let limit): "more than \(kind.text(of: limit))"
    case .maximum(let limit): "at most \(kind.text(of: limit))"
    case .digits(let count): "\(count) digits"
    case .minimumItems(let count): count > 0 ? "at least \(count)" : nil
    case .maximumItems(let count): "at most \(count)"
    case .pattern(let pattern): "such as \(pattern.example)"
    case .minimumLength, .maximumLength, .choices, .format, .isTrue, .items: nil
    }
  }
}

extension FieldSchema {
  /// The hint beside a field: the author's words, or else the limits.
  package var hint: String? {
    if let description { return description.string }
    let hints = kind.limits.compactMap { $0.hint(kind) }.joined(separator: ", ")
    return hints.isEmpty ? nil : hints.prefix(1).uppercased() + hints.dropFirst() + "."
  }
}

extension Value {
  /// A limit as people write it.
  fileprivate var limitText: String { int.map { String($0) } ?? double.map { String($0) } ?? text ?? "\(self)" }
}
