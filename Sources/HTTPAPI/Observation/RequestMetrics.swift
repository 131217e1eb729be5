internal import CoreMetrics
internal import MicroHTTP
internal import Observability
internal import Synchronization

/// What is counted and measured of the requests of one face.
final class RequestMetrics: Sendable {
  /// One a route, and one for what has none.
  private let rows: [Row]
  private let rejections: [ProblemKind: Counter]

  init(_ routes: [Route], _ factory: any MetricsFactory) {
    rows = (routes.map(\.path) + ["none"]).map { Row(route: $0, factory) }
    rejections = Dictionary(
      uniqueKeysWithValues: ProblemKind.allCases.map {
        ($0, factory.counter(.rejections, [("kind", $0.rawValue)]))
      })
  }

  func record(_ exchange: Exchange, _ status: Int) {
    let (counter, duration) = rows[exchange.place ?? rows.count - 1].series(exchange.request.method, status)
    counter.increment()
    duration.record(since: exchange.start)
  }

  func reject(_ kind: ProblemKind) { rejections[kind]?.increment() }

  private final class Row: Sendable {
    private let route: String
    private let factory: any MetricsFactory
    // Made when they are needed: most routes know few statuses, and many are never asked for.
    private let made = Mutex<(counters: [Int: Counter], duration: Timer?)>(([:], nil))

    init(route: String, _ factory: any MetricsFactory) {
      self.route = route
      self.factory = factory
    }

    func series(_ method: Method, _ status: Int) -> (Counter, Timer) {
      made.withLock { made in
        let key = status << 3 | method.number
        if let counter = made.counters[key], let duration = made.duration { return (counter, duration) }
        let counter = factory.counter(
          .requests, [("route", route), ("method", method.label), ("status", "\(status)")])
        let duration = factory.timer(.requestDuration, [("route", route)])
        made.counters[key] = counter
        made.duration = duration
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

  /// A stranger can make up any number of methods, and each would be a series of its own.
  var label: String { if case .other = self { "other" } else { name } }
}
