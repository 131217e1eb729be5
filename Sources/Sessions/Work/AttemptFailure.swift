internal import Navigation
internal import Values

/// The failure of one attempt.
struct AttemptFailure: Error {
  let outcome: EffectFailure
  /// Whether no further attempt may follow.
  let isFinal: Bool
  let pause: Duration?

  static let timeout = AttemptFailure(
    outcome: EffectFailure(.timeout, detail: "The attempt exceeded its timeout."), isFinal: false, pause: nil)
}

extension AttemptFailure {
  init(_ error: any Error) {
    switch error {
    case let retry as Retry: self.init(outcome: retry.failure.storable, isFinal: false, pause: retry.pause)
    case let failure as EffectFailure: self.init(outcome: failure.storable, isFinal: true, pause: nil)
    default: self.init(outcome: EffectFailure(.error, detail: "\(error)").storable, isFinal: true, pause: nil)
    }
  }
}

extension EffectFailure {
  /// The failure with a detail of at most 1 KiB, and without a body that is nested too deeply for the history.
  fileprivate var storable: EffectFailure {
    let body = (try? Value(encoding: [self])) == nil ? nil : body
    return EffectFailure(
      reason, detail: String(detail.prefix(1024)), mayHaveHappened: mayHaveHappened, status: status, body: body)
  }
}
