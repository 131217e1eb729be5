internal import Access
internal import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

extension Operations {
  /// Receives a signal at the address that an effect has passed on.
  static let receiveSignal = Route.later { call in
    let input = try call.jsonAlone()
    guard let address = SignalAddress(try call.parameter("address")) else { throw SessionError.unknownSignal }
    let delivery = try SignalDelivery(of: call.request)
    let receipt = try await call.api.sessions.receive(input, as: delivery, at: address, isAuthentic: call.isSigned)
    return .value(["status": Value(receipt == .repeated ? "repeated" : "accepted")], status: 202)
  }

  /// Receives a signal for every session of an app that waits for it under a key.
  static let receiveKeyedSignal = Route.later { call in
    let app = try call.hostedApp().name
    let body = try call.jsonAlone()
    guard let key = body["key"]?.text, AwaitedSignal.keySizes.contains(key.utf8.count) else {
      throw Problem.invalidRequest(.memberKeyLength)
    }
    let (receipt, count) = try await call.api.sessions.receive(
      body["input"] ?? .emptyObject, of: try call.parameter("name"), to: app, under: key, hold: try hold(of: call),
      as: try SignalDelivery(of: call.request), isAuthentic: call.isSigned)
    return .value(
      ["status": Value(receipt == .repeated ? "repeated" : "accepted"), "sessions": Value(count)], status: 202)
  }

  private static func hold(of call: Call) throws(Problem) -> Duration? {
    guard let member = call.json["hold"], !member.isNull else { return nil }
    guard let seconds = member.int, (1...KeyedSignal.memory.components.seconds).contains(seconds) else {
      throw .invalidRequest(
        .memberHold, ["maximum": .integer(Int(KeyedSignal.memory.components.seconds))])
    }
    return .seconds(seconds)
  }
}

extension Call {
  /// Returns whether the request has a valid signature of a sender.
  fileprivate func isSigned(by sender: String) -> Bool {
    guard let message = SignalSenders.Message(of: request) else { return false }
    return api.configuration.signalSenders.verify(message, of: sender, at: api.sessions.now.milliseconds / 1000)
  }
}

extension SignalDelivery {
  /// Identifies a signal by the `webhook-id` of Standard Webhooks 1.0 or the `Idempotency-Key`, and without either by
  /// its body.
  fileprivate init(of request: Request) throws(Problem) {
    if let id = request.header("webhook-id"), !id.isEmpty {
      self.init(id: id)
    } else if let key = request.header("Idempotency-Key") {
      self.init(key: try IdempotencyKey.parse(key))
    } else {
      self.init(body: request.body)
    }
  }
}

extension SignalSenders.Message {
  /// Reads the message of a request. Returns nil if a header of Standard Webhooks 1.0 is missing.
  fileprivate init?(of request: Request) {
    guard let id = request.header("webhook-id"), let timestamp = request.header("webhook-timestamp"),
      let signatures = request.header("webhook-signature")
    else { return nil }
    self.init(id: id, timestamp: timestamp, signatures: signatures, body: request.body)
  }
}
