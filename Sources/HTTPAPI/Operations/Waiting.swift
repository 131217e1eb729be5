internal import MicroHTTP
internal import Navigation
internal import Sessions

extension Request {
  /// The seconds of `Prefer: wait=N` (RFC 7240, section 4.3), at most 20: the response waits until no effect of the
  /// session is under way. Nil without the preference, or with a malformed one, which RFC 7240 tells servers to ignore.
  fileprivate var waitingSeconds: Int? {
    guard let header = header("Prefer"), let digits = Preference.value("wait", in: header),
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    return min(Int(digits) ?? .max, 20)
  }
}

extension Call {
  /// Returns the work that responds once the effects of a session have ended, if the client prefers to wait; nil
  /// otherwise.
  func waiting(
    for snapshot: Snapshot, _ respond: @escaping @Sendable (Snapshot) -> Response
  ) -> Route.Outcome? {
    guard let seconds = request.waitingSeconds else { return nil }
    let applied: @Sendable (Snapshot) -> Response = { snapshot in
      var response = respond(snapshot)
      response.headers.append(("Preference-Applied", "wait=\(seconds)"))
      return response
    }
    guard snapshot.hasWork, !snapshot.pendingEffects.isEmpty, seconds > 0 else {
      return .response(applied(snapshot))
    }
    return .waiting { [api, owner] in
      let settled = try await api.waiters.wait {
        try await api.sessions.settled(snapshot, by: owner, within: .seconds(seconds))
      }
      guard let settled else { return respond(snapshot) }
      return applied(settled)
    }
  }
}

extension Route.Outcome {
  /// Returns the response after a change of a session.
  ///
  /// - Parameter waiting: the call if its response may wait for effects.
  static func done(
    _ result: SessionResult, as format: ViewFormat, status: Int = 200, _ api: API, waiting: Call?
  ) -> Route.Outcome {
    api.check(result.snapshot)
    let waited = waiting?.waiting(for: result.snapshot) { snapshot in
      .done(SessionResult(snapshot: snapshot, isReplay: result.isReplay), as: format, status: status)
    }
    return waited ?? .response(.done(result, as: format, status: status))
  }
}
