internal import CoreMetrics
internal import Navigation
internal import Observability

/// The counters of `usher_actions_total`.
struct ActionMetrics: Sendable {
  /// Counters of the apps' actions, by app and name.
  private let actions: [String: [String: Counter]]
  /// Counters of the intents that every app has, by app and kind.
  private let navigation: [String: [JournalEntry.Kind: Counter]]

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    func counter(_ app: AppDefinition, _ kind: JournalEntry.Kind, _ action: String) -> Counter {
      factory.counter(.actions, [("app", app.name), ("kind", "\(kind)"), ("action", action)])
    }
    actions = Dictionary(
      apps.map { app in
        (app.name, Dictionary(uniqueKeysWithValues: app.actionNames.map { ($0, counter(app, .action, $0)) }))
      }, uniquingKeysWith: { first, _ in first })
    let kinds: [JournalEntry.Kind] = [.create, .back, .dismiss, .tab, .open, .handOver]
    navigation = Dictionary(
      apps.map { app in (app.name, Dictionary(uniqueKeysWithValues: kinds.map { ($0, counter(app, $0, "\($0)")) })) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Counts an intent or a hand-over.
  func count(_ kind: JournalEntry.Kind, _ name: String, of app: String) {
    let counter = kind == .action ? actions[app]?[name] : navigation[app]?[kind]
    counter?.increment()
  }
}
