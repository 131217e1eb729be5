public import CoreMetrics

/// A metric of the service.
public struct Metric: Sendable {
  /// The name in Prometheus.
  public let name: String
  /// A sentence of explanation for the operator.
  public let help: String
  /// The upper bounds of the buckets of a histogram, in ascending order; empty for any other metric.
  let bounds: [Double]

  init(_ name: String, _ help: String, bounds: [Double] = []) {
    self.name = name
    self.help = help
    self.bounds = bounds
  }

  // MARK: - The metrics of the service

  public static let requests = Metric(
    "usher_http_requests_total", "Answered requests, by route template, method and status.")
  public static let requestDuration = Metric(
    "usher_http_request_duration_seconds", "Time from the complete request to its response, by route template.",
    bounds: durations)
  public static let rejections = Metric(
    "usher_rejections_total", "Refused requests, by kind of problem.")
  public static let actions = Metric(
    "usher_actions_total", "Steps of sessions, by app, kind and action; replayed retries are not counted.")
  public static let storeDuration = Metric(
    "usher_store_duration_seconds", "Time of operations of the store, by operation.", bounds: durations)
  public static let storeFailures = Metric(
    "usher_store_failures_total", "Failed operations of the store, by operation.")
  public static let commitSize = Metric(
    "usher_store_commit_changes", "Changes per commit of the store.", bounds: powersOfTwo)
  public static let effects = Metric(
    "usher_effects_total", "Attempts at effects, by app, effect and outcome: done, failed or retried.")
  public static let effectDuration = Metric(
    "usher_effect_duration_seconds", "Time of an attempt at an effect, by app and effect.", bounds: durations)
  public static let outcomesDropped = Metric(
    "usher_effect_outcomes_dropped_total", "Outcomes of effects that were no longer awaited.")
  public static let outcomesShared = Metric(
    "usher_effect_outcomes_shared_total", "Outcomes of public effects that came from the run of another session.")
  public static let outputsShared = Metric(
    "usher_effect_outputs_shared_bytes", "Size of the outputs that are kept for the public effects of other sessions.")
  public static let workPending = Metric(
    "usher_work_pending",
    "Effects, timers and arrived signals in the store that wait or are in progress, as of the last count.")
  public static let workStuck = Metric(
    "usher_work_stuck",
    "Effects, timers and signals in the store whose events cannot be applied, as of the last count and the events since."
  )
  public static let workBlocked = Metric(
    "usher_work_blocked",
    "Events in the store that a guard or a full queue of prompts has kept back for 15 minutes, as of the last count.")
  public static let workOverdue = Metric(
    "usher_work_overdue_seconds", "Time for which the longest due work has waited, as of the last count.")
  public static let timerLateness = Metric(
    "usher_timer_lateness_seconds", "Time between the due time of a timer and its event.", bounds: durations)
  public static let heldSignals = Metric(
    "usher_signals_held", "Signals under a key that the store holds for later sessions, as of the last count.")
  public static let workInProgress = Metric(
    "usher_work_in_progress", "Effects and due events that this process is working on.")
  public static let serviceRequests = Metric(
    "usher_service_requests_total",
    "Requests of effects to HTTP services, by service and outcome: done, status, transport, decoding, error or "
      + "cancelled.")
  public static let serviceDuration = Metric(
    "usher_service_duration_seconds",
    "Time of a request to an HTTP service with the time in its queue, by service.", bounds: durations)
  public static let serviceRequestsInFlight = Metric(
    "usher_service_requests_in_flight", "Requests to an HTTP service that have no outcome yet, by service.")
  public static let storedSessions = Metric(
    "usher_sessions_stored", "Sessions in the store that have not ended, as of the last count.")
  public static let liveSessions = Metric(
    "usher_sessions_live", "Sessions in the memory of this process.")
  public static let connections = Metric("usher_http_connections", "Open connections.")
  public static let requestsInFlight = Metric(
    "usher_http_requests_in_flight", "Requests that have arrived and have no response yet.")
  public static let requestsSuspended = Metric(
    "usher_http_requests_suspended", "Requests in flight whose handlers are suspended, such as for the store.")
  public static let requestsWaiting = Metric(
    "usher_http_requests_waiting", "Suspended requests whose clients wait for effects with Prefer: wait.")
  public static let abandonedHandlers = Metric(
    "usher_http_handlers_abandoned",
    "Handlers that still run although the client has disconnected or has received a response.")
  public static let eventStreams = Metric("usher_listeners", "Open event streams.")
  public static let eventChannels = Metric(
    "usher_event_channels", "Sessions whose changes this process sends to event streams and waiting requests.")
  public static let logLinesQueued = Metric("usher_log_lines_queued", "Lines of the log that are not written yet.")
  public static let logLinesDropped = Metric(
    "usher_log_lines_dropped_total", "Lines of the log that were dropped because the queue was full.")
  public static let flowsLoaded = Metric("usher_flows_loaded", "Flows of which sessions can be created.")
  public static let flowFaults = Metric(
    "usher_flow_faults", "Folders of flows whose files have faults now, or cannot be read.")
  public static let flowReloads = Metric("usher_flow_reloads_total", "Replacements of a flow by its edited files.")
  public static let flowLoadFailures = Metric(
    "usher_flow_load_failures_total", "Definitions of flows that could not be loaded, from files or from the store.")
  public static let flowCarries = Metric(
    "usher_flow_carries_total",
    "Moves of sessions to a newer definition of their flow, by outcome: carried, or refused, once for each two "
      + "definitions.")
  public static let flowDefinitions = Metric(
    "usher_flow_definitions_live", "Definitions of flows in the memory of this process.")
  public static let flowDefinitionsSize = Metric(
    "usher_flow_definitions_bytes",
    "Memory of the definitions of flows in this process, estimated from the sizes of their files.")
  public static let flowDefinitionsStored = Metric(
    "usher_flow_definitions_stored", "Definitions of flows in the store, as of the last count.")
  public static let flowSessions = Metric(
    "usher_flow_sessions", "Sessions in the store that have not ended, by app and definition, as of the last count.")
  public static let build = Metric("usher_build_info", "Always 1; the version is a label.")

  public static let all = [
    requests, requestDuration, rejections, actions, storeDuration, storeFailures, commitSize, effects, effectDuration,
    outcomesDropped, outcomesShared, outputsShared, workPending, workStuck, workBlocked, workOverdue, timerLateness,
    heldSignals, workInProgress, serviceRequests, serviceDuration, serviceRequestsInFlight, storedSessions,
    liveSessions, connections, requestsInFlight, requestsSuspended, requestsWaiting, abandonedHandlers, eventStreams,
    eventChannels, logLinesQueued, logLinesDropped, flowsLoaded, flowFaults, flowReloads, flowLoadFailures, flowCarries,
    flowDefinitions, flowDefinitionsSize, flowDefinitionsStored, flowSessions, build,
  ]

  /// The bounds of durations, in seconds.
  static let durations = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ]
  static let powersOfTwo: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
}

extension Timer {
  /// Records the time since `start`.
  public func record(since start: ContinuousClock.Instant) {
    recordNanoseconds(Int64(start.duration(to: .now).attoseconds / 1_000_000_000))
  }
}

/// Handles for the metrics of the service.
extension MetricsFactory {
  public func counter(_ metric: Metric, _ labels: [(String, String)] = []) -> Counter {
    Counter(label: metric.name, dimensions: labels, factory: self)
  }

  public func timer(_ metric: Metric, _ labels: [(String, String)] = []) -> Timer {
    Timer(label: metric.name, dimensions: labels, factory: self)
  }

  public func histogram(_ metric: Metric, _ labels: [(String, String)] = []) -> Recorder {
    Recorder(label: metric.name, dimensions: labels, aggregate: true, factory: self)
  }

  public func gauge(_ metric: Metric, _ labels: [(String, String)] = []) -> Gauge {
    Gauge(label: metric.name, dimensions: labels, factory: self)
  }
}
