internal import YAML

/// An operation of an HTTP service.
struct OperationModel {
  static let form = Form("operation", "An operation of an HTTP service.", OperationModel.init)

  private(set) var service: YAMLKey
  let operation: YAMLKey
  /// The methods with their paths. An operation without a fault has one.
  let methods: [YAMLNode.Entry]
  let parameters: YAMLNode?
  let response: YAMLNode?
  let timeout: Placed<Duration>?
  let retry: RetryModel?
  let shared: Duration?
  /// Whether a repetition may change something at the backend (RFC 9110, section 9.2.2).
  let changesTheBackend: Bool

  init(_ keys: inout Keys) {
    operation = keys.name
    service = keys.name
    var methods: [YAMLNode.Entry] = []
    for method in ["get", "post", "put", "patch", "delete"] {
      let path = keys(
        method, .string, "The path of a \(method.uppercased()) request. `{name}` is a parameter. Give one method.")
      guard let path, let mark = keys.mark(of: method) else { continue }
      methods.append(YAMLNode.Entry(key: YAMLKey(name: method, mark: mark), value: path))
    }
    self.methods = methods
    parameters = keys(
      "parameters", .fields,
      "The parameters. Those that are not in the path are the query of GET and DELETE, and the body of the others.")
    response = keys("response", .schema, "The body of the response. Without it, the body is ignored.")
    timeout = keys("timeout", .placed(.duration), "The time of one attempt; 10s by default.")
    retry = keys("retry", .object(RetryModel.form), "The attempts after a failure that may pass.")
    shared = keys("shared", .duration, "The time for which a response serves all sessions.")
    let isSafe = keys(
      "safe", .boolean,
      "Whether a repetition changes nothing at the backend, so that people may try it again without a key.")
    changesTheBackend =
      isSafe != true && keys.mark(of: "shared") == nil
      && methods.contains { ["post", "patch"].contains($0.key.name) }
  }

  init(_ operation: OperationModel, of service: YAMLKey) {
    self = operation
    self.service = service
  }

  /// The name in commands: `shop.quote`.
  var name: String { "\(service.name).\(operation.name)" }
  /// The name of the effect: `shop-quote`.
  var effectName: String { "\(service.name)-\(operation.name)" }
}

struct RetryModel {
  static let form = Form("retry", "Attempts, and the pauses between them.", RetryModel.init)

  let times: Int64?
  let pauses: Placed<FlowDuration.Range>?

  init(_ keys: inout Keys) {
    times = keys("times", .integer(1...1000), "The number of attempts; 5 by default.")
    pauses = keys(
      "backoff", .placed(.durations),
      "The first pause, which doubles each time, and the longest: `200ms..30s` by default.")
  }
}

/// A message from outside, such as the confirmation of a payment.
struct SignalModel {
  static let form = Form(
    "signal", "A message from outside, such as the confirmation of a payment.", SignalModel.init)

  let name: YAMLKey
  let input: YAMLNode?
  let sender: YAMLKey?

  init(_ keys: inout Keys) {
    name = keys.name
    input = keys("input", .inputs, "The fields of the message.")
    sender = keys("sender", .name("sender"), "The sender whose signature is required.")
  }
}
