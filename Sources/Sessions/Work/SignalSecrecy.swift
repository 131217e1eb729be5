internal import Navigation
internal import Values

/// The addresses of signals stay between an effect and the sender of the signal. A client that learned one could send
/// the signal itself, such as "paid".
extension SessionService {
  /// Returns the outcome of an attempt without any address at which the session now awaits a signal. An output with one
  /// is a failure.
  func confined(
    _ outcome: Result<Value, AttemptFailure>, of app: AppDefinition, in key: SessionKey
  ) async throws(SessionError) -> Result<Value, AttemptFailure> {
    guard !app.signals.isEmpty else { return outcome }
    let session: StoredSession
    do throws(SessionError) {
      session = try await load(key, .current)
    } catch .unknownSession, .expired {
      return outcome
    }
    let addresses = try await addresses(in: try navigation(of: session), of: key)
    switch outcome {
    case .success(let output):
      guard let exposed = addresses.first(where: { output.contains($0.address.secret) }) else { return outcome }
      let failure = EffectFailure(
        .error, detail: "The output contains the address of the signal \(exposed.signal), which no client may learn.")
      return .failure(AttemptFailure(failure))
    case .failure(let failure):
      func isFree(_ text: Value) -> Bool { !addresses.contains { text.contains($0.address.secret) } }
      return .failure(failure.keeping(detail: isFree(Value(failure.outcome.detail)), body: isFree))
    }
  }

  /// Returns whether a value contains an address at which the session now awaits a signal.
  func exposes(_ value: Value, _ navigation: LiveNavigation, of key: SessionKey) async throws(SessionError) -> Bool {
    try await addresses(in: navigation, of: key).contains { value.contains($0.address.secret) }
  }

  private func addresses(
    in navigation: LiveNavigation, of key: SessionKey
  ) async throws(SessionError) -> [(signal: String, address: SignalAddress)] {
    let awaited = navigation.state.work.filter { $0.signal != nil }
    guard !awaited.isEmpty else { return [] }
    let secret = try await secret()
    return awaited.compactMap { work in
      work.signal.map { (navigation.app.name(of: work), SignalAddress(of: $0, in: key, under: secret)) }
    }
  }
}
