internal import CoreMetrics
internal import Navigation
internal import Observability

/// The counters of the metric `usher_actions_total`.
struct ActionMetrics: Sendable {
  private let counters: Meters<CountedStep, Counter>

  private struct CountedStep: Hashable {
    let app: String
    let kind: JournalEntry.Kind
    let name: String
  }

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    let actions = apps.flatMap { app in app.actionNames.map { CountedStep(app: app.name, kind: .action, name: $0) } }
    let kinds: [JournalEntry.Kind] = [.create, .back, .dismiss, .tab, .open, .reload, .locale, .handOver]
    let others = apps.flatMap { app in kinds.map { CountedStep(app: app.name, kind: $0, name: "\($0)") } }
    counters = Meters(actions + others) { step in
      factory.counter(.actions, [("app", step.app), ("kind", "\(step.kind)"), ("action", step.name)])
    }
  }

  /// Counts a step, a hand-over or the report of a stuck event.
  func count(_ kind: JournalEntry.Kind, _ name: String, of app: String) {
    counters[CountedStep(app: app, kind: kind, name: name)]?.increment()
  }
}
