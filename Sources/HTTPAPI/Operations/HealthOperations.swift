internal import MicroHTTP
internal import Observability
internal import Sessions
internal import Values

/// Health and metrics, for load balancers, orchestrators and monitoring.
extension Operations {
  static let alive = Route.later { _ in
    .value(["status": "alive"])
  }

  /// The query parameter `verbose` lists each check.
  static let ready = Route.later { call in
    let isVerbose = call[query: "verbose"] != nil
    let isDraining = call.api.configuration.readiness.isDraining
    let probe = await call.api.configuration.readiness.storeProbe.result(of: call.api.sessions.store)
    var checks: [Value] = [
      ["name": "draining", "status": isDraining ? "failed" : "passed"],
      .object(
        [
          ("name", "store"), ("status", probe.failure == nil ? "passed" : "failed"),
          ("milliseconds", Value(Int64(probe.duration / .milliseconds(1)))),
        ] + (probe.failure?.publicReason.map { [("reason", Value($0))] } ?? [])),
    ]
    if let flows = flowCheck(call.api.sessions.registry) { checks.append(flows) }
    let isStarting = !call.api.sessions.registry.startingFolders.isEmpty
    guard probe.failure == nil, !isDraining, !isStarting else {
      let problem = probe.failure.map { Problem(.store($0)) } ?? (isDraining ? Problem(.draining) : .stillLoading)
      throw isVerbose ? problem.adding("checks", .array(checks)) : problem
    }
    return .value(.object([("status", "ready")] + (isVerbose ? [("checks", .array(checks))] : [])))
  }

  /// Flows with faults do not make the service unready, because it serves all others, and the last definitions without
  /// a fault. Until all folders are compiled after the start, sessions of an app could not be created.
  private static func flowCheck(_ registry: AppRegistry) -> Value? {
    guard registry.compilation != nil else { return nil }
    let folders = [
      ("Still loading", registry.startingFolders), ("The log has the faults of", registry.faults.map(\.folder)),
    ]
    let reasons = folders.filter { !$1.isEmpty }.map { "\($0): \($1.joined(separator: ", "))." }
    return .object(
      [("name", "flows"), ("status", reasons.isEmpty ? "passed" : "failed")]
        + (reasons.isEmpty ? [] : [("reason", Value(reasons.joined(separator: " ")))]))
  }

  static let metrics = Route.later { call in
    Response(
      status: 200, headers: [("Content-Type", PrometheusRegistry.mediaType)],
      body: Array(call.api.configuration.metrics.text().utf8))
  }
}
