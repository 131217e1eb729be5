internal import CoreMetrics
internal import Navigation
internal import Observability

/// The metrics of effects, by app and name.
struct WorkMetrics: Sendable {
  struct EffectMeter: Sendable {
    let done: Counter
    let failed: Counter
    let retried: Counter
    let duration: Timer
  }

  private let effects: [String: [String: EffectMeter]]
  /// The time between the due times of timers and their events.
  let lateness: Timer
  /// The outcomes of effects that came too late.
  let dropped: Counter
  /// The outcomes that came from the run of an equal effect of another session.
  let shared: Counter

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    func counter(_ app: String, _ effect: String, _ outcome: String) -> Counter {
      factory.counter(.effects, [("app", app), ("effect", effect), ("outcome", outcome)])
    }
    lateness = factory.timer(.timerLateness)
    dropped = factory.counter(.outcomesDropped)
    shared = factory.counter(.outcomesShared)
    effects = Dictionary(
      apps.map { app in
        let meters = app.effects.map { effect in
          (
            effect.name,
            EffectMeter(
              done: counter(app.name, effect.name, "done"), failed: counter(app.name, effect.name, "failed"),
              retried: counter(app.name, effect.name, "retried"),
              duration: factory.timer(.effectDuration, [("app", app.name), ("effect", effect.name)]))
          )
        }
        return (app.name, Dictionary(uniqueKeysWithValues: meters))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// - Precondition: the app is hosted, and has the effect.
  func effect(_ name: String, of app: String) -> EffectMeter { effects[app]![name]! }
}
