internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

extension Operations {
  /// Receives a signal at the address that an effect has passed on.
  static func receiveSignal(_ call: Call) async throws -> Response {
    guard call.form == nil else { throw Problem.unsupportedMediaType("Send the signal as application/json.") }
    guard let address = SignalAddress(try call.parameter("address")) else { throw SessionError.unknownSignal }
    let receipt = try await call.api.sessions.receive(call.json, as: SignalDelivery(of: call.request), at: address)
    return .value(.object([("status", Value(receipt == .repeated ? "repeated" : "accepted"))]), status: 202)
  }
}

extension SignalDelivery {
  /// Identifies a signal by the `webhook-id` of Standard Webhooks 1.0 or the `Idempotency-Key`, and without either by
  /// its body.
  fileprivate init(of request: Request) {
    if let id = request.header("webhook-id") {
      self.init(id: id)
    } else if let key = request.header("Idempotency-Key") {
      self.init(key: key)
    } else {
      self.init(body: request.body)
    }
  }
}
