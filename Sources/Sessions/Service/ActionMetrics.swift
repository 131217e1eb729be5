internal import CoreMetrics
internal import Navigation
internal import Observability

/// The counters of the metric `usher_actions_total`.
struct ActionMetrics: Sendable {
  /// Counters of the apps' actions, by app and name.
  private let actions: [String: [String: Counter]]
  /// Counters of the intents that every app has, by app and kind.
  private let navigation: [String: [JournalEntry.Kind: Counter]]
  /// Counters of flows, whose definitions change.
  private let flows: FlowMeters<FlowStep, Counter>

  private struct FlowStep: Hashable {
    let app: String
    let kind: JournalEntry.Kind
    let name: String
  }

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    @Sendable func counter(_ app: String, _ kind: JournalEntry.Kind, _ action: String) -> Counter {
      factory.counter(.actions, [("app", app), ("kind", "\(kind)"), ("action", action)])
    }
    flows = FlowMeters { counter($0.app, $0.kind, $0.name) }
    actions = Dictionary(
      apps.map { app in
        (app.name, Dictionary(uniqueKeysWithValues: app.actionNames.map { ($0, counter(app.name, .action, $0)) }))
      }, uniquingKeysWith: { first, _ in first })
    let kinds: [JournalEntry.Kind] = [.create, .back, .dismiss, .tab, .open, .reload, .locale, .handOver]
    navigation = Dictionary(
      apps.map { app in (app.name, Dictionary(uniqueKeysWithValues: kinds.map { ($0, counter(app.name, $0, "\($0)")) }))
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Counts an intent or a hand-over.
  func count(_ kind: JournalEntry.Kind, _ name: String, of app: String) {
    let counter = kind == .action ? actions[app]?[name] : navigation[app]?[kind]
    if let counter { return counter.increment() }
    flows[FlowStep(app: app, kind: kind, name: name)]?.increment()
  }
}
