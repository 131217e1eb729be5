internal import MicroHTTP
internal import Observability
internal import Sessions
internal import Values

/// Health and metrics, for load balancers, orchestrators and monitoring.
extension Operations {
  static let alive: Route.Operation = { _ in
    .value(.object([("status", "alive")]))
  }

  /// The query parameter `verbose` lists each check.
  static let ready: Route.Operation = { call in
    let isVerbose = call[query: "verbose"] != nil
    let isDraining = call.api.configuration.readiness.isDraining
    let probe = await call.api.configuration.readiness.storeProbe.result(of: call.api.sessions.store)
    var checks: [Value] = [
      .object([("name", "draining"), ("status", isDraining ? "failed" : "passed")]),
      .object(
        [
          ("name", "store"), ("status", probe.failure == nil ? "passed" : "failed"),
          ("milliseconds", Value(Int64(probe.duration / .milliseconds(1)))),
        ] + (probe.failure?.publicReason.map { [("reason", Value($0))] } ?? [])),
    ]
    if let flows = flowCheck(call.api.sessions.registry) { checks.append(flows) }
    guard probe.failure == nil, !isDraining else {
      let problem = probe.failure.map { Problem(.store($0)) } ?? Problem(.draining)
      throw isVerbose ? problem.adding("checks", .array(checks)) : problem
    }
    return .value(.object([("status", "ready")] + (isVerbose ? [("checks", .array(checks))] : [])))
  }

  /// Flows with faults do not make the service unready, because it serves all others, and the last definitions without
  /// a fault.
  private static func flowCheck(_ registry: AppRegistry) -> Value? {
    guard registry.compilation != nil else { return nil }
    let faults = registry.faults
    let folders = faults.map(\.folder).joined(separator: ", ")
    return .object(
      [("name", "flows"), ("status", faults.isEmpty ? "passed" : "failed")]
        + (faults.isEmpty ? [] : [("reason", Value("The log has the faults of: \(folders)."))]))
  }

  static let metrics: Route.Operation = { call in
    Response(
      status: 200, headers: [("Content-Type", PrometheusRegistry.mediaType)],
      body: Array(call.api.configuration.metrics.text().utf8))
  }
}
