internal import CoreMetrics
internal import MicroHTTP
internal import Observability
internal import Synchronization

/// Counts and times the requests of each route, and counts the problems of each kind.
struct RequestMetrics: Sendable {
  /// A row for each route, in their order, and one for requests without a route.
  private let rows: [Row]
  private let rejections: [ProblemKind: Counter]

  init(_ routes: [Route], _ factory: any MetricsFactory) {
    rows = (routes.map(\.path) + [Call.unrouted]).map { Row(route: $0, factory) }
    rejections = Dictionary(
      uniqueKeysWithValues: ProblemKind.allCases.map { ($0, factory.counter(.rejections, [("kind", $0.rawValue)])) })
  }

  func record(_ call: Call, _ status: Int) {
    if let kind = call.problem?.kind { rejections[kind]?.increment() }
    let (counter, duration) = rows[call.routeIndex ?? rows.count - 1].series(call.request.method, status)
    counter.increment()
    // The client has chosen how long to wait.
    if !call.isWaiting { duration.record(since: call.start) }
  }

  private final class Row: Sendable {
    private let route: String
    private let factory: any MetricsFactory
    // Created on first use: a route answers with few statuses, and many routes are never used.
    private let series = Mutex<(counters: [Int: Counter], duration: Timer?)>(([:], nil))

    init(route: String, _ factory: any MetricsFactory) {
      self.route = route
      self.factory = factory
    }

    func series(_ method: Method, _ status: Int) -> (Counter, Timer) {
      series.withLock { series in
        let key = status << 3 | method.number
        if let counter = series.counters[key], let duration = series.duration { return (counter, duration) }
        let counter = factory.counter(
          .requests, [("route", route), ("method", method.label), ("status", "\(status)")])
        let duration = factory.timer(.requestDuration, [("route", route)])
        series.counters[key] = counter
        series.duration = duration
        return (counter, duration)
      }
    }
  }
}

extension Method {
  fileprivate var number: Int {
    switch self {
    case .get: 0
    case .head: 1
    case .post: 2
    case .put: 3
    case .patch: 4
    case .delete: 5
    case .options: 6
    case .other: 7
    }
  }

  /// The name, or `other`: a client can invent any number of methods, and each would be a series of its own.
  var label: String { if case .other = self { "other" } else { name } }
}
