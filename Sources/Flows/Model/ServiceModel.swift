internal import YAML

/// An operation of an HTTP service.
struct OperationModel {
  static let form = Form("operation", "An operation of an HTTP service.") { OperationModel() }

  private(set) var service = Keys.current.name
  let operation = Keys.current.name
  /// The methods with their paths. An operation without a fault has one.
  let methods = ["get", "post", "put", "patch", "delete"].compactMap { method -> YAMLNode.Entry? in
    let path = key(
      method, .string, "The path of a \(method.uppercased()) request. `{name}` is a parameter. Give one method.")
    guard let path, let name = Keys.current.key(method) else { return nil }
    return YAMLNode.Entry(key: name, value: path)
  }
  let parameters = key(
    "parameters", .fields,
    "The parameters. Those that are not in the path are the query of GET and DELETE, and the body of the others.")
  let response = key("response", .schema, "The body of the response. Without it, the body is ignored.")
  let timeout = key("timeout", .placed(.duration), "The time of one attempt; 10s by default.")
  let retry = key("retry", .object(RetryModel.form), "The attempts after a failure that may pass.")
  let shared = key("shared", .duration, "The time for which a response serves all sessions.")
  private let isSafe = key(
    "safe", .boolean,
    "Whether a repetition changes nothing at the backend, so that people may try it again without a key.")
  private let isShared = Keys.current.mark(of: "shared") != nil

  /// Whether a repetition may change something at the backend (RFC 9110, section 9.2.2).
  var changesTheBackend: Bool {
    methods.contains { ["post", "patch"].contains($0.key.name) } && isSafe != true && !isShared
  }

  /// Returns the operation as one of a service.
  func of(_ service: YAMLKey) -> OperationModel {
    var operation = self
    operation.service = service
    return operation
  }

  /// The name in commands: `shop.quote`.
  var name: String { "\(service.name).\(operation.name)" }
  /// The name of the effect: `shop-quote`.
  var effectName: String { "\(service.name)-\(operation.name)" }
}

struct RetryModel {
  static let form = Form("retry", "Attempts, and the pauses between them.", RetryModel.init)

  let times = key("times", .integer(1...1000), "The number of attempts; 5 by default.")
  let pauses = key(
    "backoff", .placed(.pauses),
    "The first pause, which doubles each time, and the longest: `200ms..30s` by default.")
}

/// A message from outside, such as the confirmation of a payment.
struct SignalModel {
  static let form = Form("signal", "A message from outside, such as the confirmation of a payment.", SignalModel.init)

  let name = Keys.current.name
  let input = key("input", .inputs, "The fields of the message.")
  let sender = key("sender", .name("sender"), "The sender whose signature is required.")
}
