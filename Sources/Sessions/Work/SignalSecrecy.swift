internal import Navigation
internal import Values

/// The addresses of signals stay between an effect and the sender of the signal. A client that learned one could send
/// the signal itself, such as "paid".
extension SessionService {
  /// Returns the event without any address at which the session awaits a signal, and the name of the signal if it had
  /// one. An output with an address becomes a failure. A signal keeps it, and cannot be applied.
  func confined(
    _ event: BackgroundEvent, _ navigation: LiveNavigation, of key: SessionKey
  ) async throws(SessionError) -> (event: BackgroundEvent, exposed: String?) {
    let addresses = try await addresses(in: navigation, of: key)
    func exposed(in values: Value?...) -> String? {
      addresses.first { address in values.contains { $0?.contains(address.secret) == true } }?.signal
    }
    switch event {
    case .done(let id, let output):
      guard let signal = exposed(in: output) else { return (event, nil) }
      let detail = "The output contains the address of the signal \(signal), which no client may learn."
      return (.failed(id, EffectFailure(.error, detail: detail)), signal)
    case .failed(let id, let failure):
      guard let signal = exposed(in: Value(failure.detail), failure.body) else { return (event, nil) }
      let detail = "The description of the failure contains the address of the signal \(signal)."
      return (
        .failed(
          id,
          EffectFailure(
            failure.reason, detail: detail, mayHaveHappened: failure.mayHaveHappened, status: failure.status)), signal
      )
    case .signal(_, let input, _): return (event, exposed(in: input))
    case .due, .dropped: return (event, nil)
    }
  }

  /// Returns whether a value contains an address at which the session awaits a signal.
  func exposes(_ value: Value, _ navigation: LiveNavigation, of key: SessionKey) async throws(SessionError) -> Bool {
    try await addresses(in: navigation, of: key).contains { value.contains($0.secret) }
  }

  /// Returns the signals that a session awaits, and the secret parts of their addresses.
  private func addresses(
    in navigation: LiveNavigation, of key: SessionKey
  ) async throws(SessionError) -> [(signal: String, secret: String)] {
    let awaited = navigation.state.work.filter { $0.signal != nil }
    guard !awaited.isEmpty else { return [] }
    let secret = try await secret()
    return awaited.compactMap { work in
      work.signal.map { (navigation.app.name(of: work), SignalAddress(of: $0, in: key, under: secret).secret) }
    }
  }
}
