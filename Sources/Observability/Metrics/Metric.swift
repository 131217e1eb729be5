/// Something that the service measures: how Prometheus knows it, and what it means.
public struct Metric: Sendable {
  public let name: String
  /// One sentence for the operator.
  public let help: String
  /// Upper bounds of the buckets in ascending order, where it is a histogram.
  let bounds: [Double]

  init(_ name: String, _ help: String, bounds: [Double] = []) {
    self.name = name
    self.help = help
    self.bounds = bounds
  }
}

/// All that is measured.
extension Metric {
  public static let requests = Metric(
    "usher_http_requests_total", "Requests that were answered, by route template, method and status.")
  public static let requestDuration = Metric(
    "usher_http_request_duration_seconds", "From the whole request to its answer, by route template.",
    bounds: Self.durations)
  public static let rejections = Metric(
    "usher_rejections_total", "Requests that were refused, by the kind of problem.")
  public static let actions = Metric(
    "usher_actions_total", "What was done in sessions, by app and action; retries that did nothing are not counted.")
  public static let storeDuration = Metric(
    "usher_store_duration_seconds", "What the store was waited for, by operation.", bounds: Self.durations)
  public static let storeFailures = Metric(
    "usher_store_failures_total", "What the store could not do, by operation.")
  public static let commitSize = Metric(
    "usher_store_commit_changes", "Changes that one commit of the store made to last.", bounds: Self.powers)
  public static let storedSessions = Metric(
    "usher_sessions_stored", "Sessions in the store that have not ended, as they were counted last.")
  public static let liveSessions = Metric(
    "usher_sessions_live", "Sessions that this process has in memory, ready to act on.")
  public static let connections = Metric("usher_http_connections", "Open connections.")
  public static let requestsInFlight = Metric(
    "usher_http_requests_in_flight", "Requests that have arrived and are not answered yet.")
  public static let requestsSuspended = Metric(
    "usher_http_requests_suspended", "Requests in flight whose handlers wait, such as for the store.")
  public static let abandonedHandlers = Metric(
    "usher_http_handlers_abandoned",
    "Handlers that still run although their clients have left, or were answered in their place.")
  public static let listeners = Metric("usher_listeners", "Event streams that are being sent.")
  public static let logLinesQueued = Metric("usher_log_lines_queued", "Lines of the log that wait to be written.")
  public static let logLinesDropped = Metric(
    "usher_log_lines_dropped_total", "Lines of the log that were dropped, because too many waited to be written.")
  public static let build = Metric("usher_build_info", "Always 1; the version is a label.")

  public static let all = [
    requests, requestDuration, rejections, actions, storeDuration, storeFailures, commitSize, storedSessions,
    liveSessions, connections, requestsInFlight, requestsSuspended, abandonedHandlers, listeners, logLinesQueued,
    logLinesDropped, build,
  ]

  /// Seconds.
  static let durations = [
    0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
  ]
  static let powers: [Double] = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
}
