internal import MicroHTTP
internal import Observability
internal import Sessions
internal import Values

/// What load balancers, orchestrators and monitoring ask.
extension Operations {
  static let alive: Operation = { (call: borrowing Call) throws(Problem) in
    _ = try call.query()
    return .value(.object([("status", "alive")]))
  }

  /// `?verbose` names each check.
  static let ready: Operation = { (call: borrowing Call) async throws(Problem) in
    let isVerbose = try call.query("verbose")["verbose"] != nil
    let isDraining = call.api.readiness.isDraining
    let probe = await call.api.readiness.storeProbe.result(of: call.api.sessions.store)
    let checks: Value = .array([
      .object([("name", "draining"), ("status", isDraining ? "failed" : "passed")]),
      .object(
        [
          ("name", "store"), ("status", probe.failure == nil ? "passed" : "failed"),
          ("milliseconds", Value(Int64(probe.duration / .milliseconds(1)))),
        ] + (probe.failure?.publicReason.map { [("reason", Value($0))] } ?? [])),
    ])
    guard probe.failure == nil, !isDraining else {
      let problem = probe.failure.map { Problem(.store($0)) } ?? Problem(.draining)
      throw isVerbose ? problem.adding("checks", checks) : problem
    }
    return .value(.object([("status", "ready")] + (isVerbose ? [("checks", checks)] : [])))
  }

  /// The text format has no other representation, and Prometheus asks for it among others.
  static let metrics: Operation = { (call: borrowing Call) throws(Problem) in
    _ = try call.query()
    return Response(
      status: 200, headers: [("Content-Type", PrometheusRegistry.mediaType)],
      body: Array(call.api.registry.text().utf8))
  }
}
