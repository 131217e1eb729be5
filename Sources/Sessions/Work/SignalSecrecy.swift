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
    let values: [Value] =
      switch event {
      case .done(_, let output): [output]
      case .failed(_, let failure): [Value(failure.detail), failure.body ?? .null]
      case .signal(_, let input, _, _): [input]
      case .due, .dropped: []
      }
    guard !values.isEmpty, let signal = try await signal(exposedBy: values, navigation, of: key) else {
      return (event, nil)
    }
    switch event {
    case .done(let id, _):
      let detail = "The output contains the address of the signal \(signal), which no client may learn."
      return (.failed(id, EffectFailure(.error, detail: detail)), signal)
    case .failed(let id, let failure):
      let confined = EffectFailure(
        failure.reason, detail: "The description of the failure contains the address of the signal \(signal).",
        mayHaveHappened: failure.mayHaveHappened, status: failure.status)
      return (.failed(id, confined), signal)
    default: return (event, signal)
    }
  }

  /// Returns the signal that a session awaits at an address which one of the values contains; nil if none does.
  func signal(
    exposedBy values: [Value], _ navigation: LiveNavigation, of key: SessionKey
  ) async throws(SessionError) -> String? {
    let awaited = navigation.state.work.filter { $0.signal != nil }
    guard !awaited.isEmpty else { return nil }
    let secret = try await secret()
    let exposed = awaited.first { work in
      guard let signal = work.signal else { return false }
      let code = SignalAddress(of: signal, in: key, under: secret).secret
      return values.contains { $0.contains(code) }
    }
    return exposed.map { navigation.app.name(of: $0) }
  }
}
