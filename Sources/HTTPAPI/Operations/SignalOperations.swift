internal import Access
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

extension Operations {
  /// Receives a signal at the address that an effect has passed on.
  static func receiveSignal(_ call: Call) async throws -> Response {
    guard call.form == nil else { throw Problem.unsupportedMediaType("Send the signal as application/json.") }
    guard let address = SignalAddress(try call.parameter("address")) else { throw SessionError.unknownSignal }
    let delivery = try SignalDelivery(of: call.request)
    let (senders, sessions) = (call.api.configuration.signalSenders, call.api.sessions)
    let receipt = try await sessions.receive(call.json, as: delivery, at: address) { sender in
      guard let message = SignalSenders.Message(of: call.request) else { return false }
      return senders.verify(message, of: sender, at: sessions.now.milliseconds / 1000)
    }
    return .value(.object([("status", Value(receipt == .repeated ? "repeated" : "accepted"))]), status: 202)
  }
}

extension SignalDelivery {
  /// Identifies a signal by the `webhook-id` of Standard Webhooks 1.0 or the `Idempotency-Key`, and without either by
  /// its body.
  fileprivate init(of request: Request) throws(Problem) {
    if let id = request.header("webhook-id"), !id.isEmpty {
      self.init(id: id)
    } else if let key = request.header("Idempotency-Key"), !key.isEmpty {
      self.init(key: try IdempotencyKey.parse(key))
    } else {
      self.init(body: request.body)
    }
  }
}

extension SignalSenders.Message {
  /// Nil if a header of Standard Webhooks 1.0 is missing.
  fileprivate init?(of request: Request) {
    guard let id = request.header("webhook-id"), let timestamp = request.header("webhook-timestamp"),
      let signatures = request.header("webhook-signature")
    else { return nil }
    self.init(id: id, timestamp: timestamp, signatures: signatures, body: request.body)
  }
}
