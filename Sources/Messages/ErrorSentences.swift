package import Languages
package import Navigation
package import Sessions
internal import Values

// The sentences that clients read about errors of sessions and of their apps. The errors themselves are data. Each has
// one sentence in each language, which problems in JSON and pages share.

extension SessionError {
  package func sentence(in language: ServiceLanguage = .english) -> String {
    switch self {
    case .unknownApp: language(.unknownApp)
    case .stillLoading: language(.stillLoading)
    case .unknownSession: language(.unknownSession)
    case .expired: language(.sessionExpired)
    case .invalidTimeToLive(let allowed):
      language(
        .invalidTimeToLive,
        ["minimum": .integer(Int(allowed.lowerBound)), "maximum": .integer(Int(allowed.upperBound))])
    case .unknownTimeZone: language(.unknownTimeZone)
    case .rejected(let rejection, _): rejection.sentence(in: language)
    case .stale(let snapshot): language(.staleRevision, ["revision": .text("\(snapshot.session.revision)")])
    case .outdated(_, let reason), .unusableDefinition(let reason): "\(reason)"
    case .tooLarge(let limit): language(.sessionTooLarge, ["limit": .integer(limit)])
    case .readOnly: language(.sessionReadOnly)
    case .unknownSignal: language(.unknownSignal)
    case .forgedSignal: language(.forgedSignal)
    case .undeclaredSignal: language(.undeclaredSignal)
    case .exposedAddress: language(.exposedAddress)
    case .tooManyReceivers: language(.tooManyReceivers, ["limit": .integer(KeyedSignal.receiverLimit)])
    case .signalWaits: language(.signalWaits)
    case .unknownOffer: language(.unknownHandOver)
    case .tooManySessions(let limit): language(.tooManySessions, ["limit": .integer(limit)])
    case .idempotencyConflict: language(.idempotencyConflict)
    case .store(let error): error.sentenceForClients(in: language)
    }
  }

  /// The sentence for operators, with the app's own error texts.
  package var sentenceForOperators: String {
    switch self {
    case .outdated, .unusableDefinition, .store, .rejected(.fault, _), .rejected(.unreadable, _): operatorDescription
    default: sentence()
    }
  }
}

extension StoreError {
  /// Returns the sentence for clients. It names no hosts, users or files; the cause in the log does.
  package func sentenceForClients(in language: ServiceLanguage) -> String {
    switch self {
    case .full(let limit): language(.storeFull, ["limit": .integer(limit)])
    case .displaced: language(.storeDisplaced)
    case .unavailable: language(.storeUnavailable)
    case .unreadable: language(.storeUnreadable)
    }
  }
}

extension Rejection {
  package func sentence(in language: ServiceLanguage = .english) -> String {
    switch self {
    case .unknownAction(let name): language(.unknownAction, ["action": .text(name)])
    case .unknownTab(let name): language(.unknownTab, ["tab": .text(name)])
    case .unavailable(let reason): reason.sentence(in: language)
    case .refused(let failures): failures.sentences(in: language)
    case .invalidInput(let input): input.failures.sentences(in: language)
    case .invalidLink(_, let fault): fault.sentence(in: language)
    case .finished: language(.sessionFinished)
    case .tooDeep(let limit): language(.tooDeep, ["limit": .integer(limit)])
    case .tooMuchWork(let limit): language(.tooMuchWork, ["limit": .integer(limit)])
    case .unreadable(let error): "A stored session cannot be read: \(error)"
    case .fault(let fault): "\(fault)"
    }
  }
}

extension Unavailability {
  package func sentence(in language: ServiceLanguage = .english) -> String {
    switch self {
    case .stated(let reason): reason.string
    case .promptIsOpen: language(.promptIsOpen)
    case .actionNotOnScreen(JourneyDefinition.takingName, let screen):
      language(.answersNotTaken, ["screen": .text(screen)])
    case .actionNotOnScreen(let action, let screen):
      language(.actionNotOnScreen, ["action": .text(action), "screen": .text(screen)])
    case .screenIsSealed: language(.screenIsSealed)
    case .nothingToGoBackTo: language(.nothingToGoBackTo)
    case .tabNotVisible(let name): language(.tabNotVisible, ["tab": .text(name)])
    case .noModal: language(.noModal)
    case .hidden: language(.actionHidden)
    case .nothingToChoose: language(.nothingToChoose)
    case .nothingToReload(let name): language(.nothingToReload, ["property": .text(name)])
    }
  }
}

extension LinkFault {
  package func sentence(in language: ServiceLanguage) -> String {
    switch self {
    case .notAPath: language(.linkNotAPath)
    case .noMatch: language(.linkNoMatch)
    case .unusableValues: language(.linkUnusableValues)
    case .unknownName: language(.linkUnknownName)
    case .unavailable(let reason): reason.sentence(in: language)
    case .invalidInput(let failures): failures.sentences(in: language)
    }
  }
}
