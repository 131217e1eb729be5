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

  struct Effect: Hashable {
    let app: String
    let name: String
  }

  let effects: Meters<Effect, EffectMeter>
  /// The time between the due times of timers and their events.
  let lateness: Timer
  /// The outcomes of effects that came too late.
  let dropped: Counter
  /// The outcomes that came from the run of an equal effect of another session.
  let shared: Counter

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    let known = apps.flatMap { app in app.effects.map { Effect(app: app.name, name: $0.name) } }
    effects = Meters(known) { effect in
      let labels = [("app", effect.app), ("effect", effect.name)]
      return EffectMeter(
        done: factory.counter(.effects, labels + [("outcome", "done")]),
        failed: factory.counter(.effects, labels + [("outcome", "failed")]),
        retried: factory.counter(.effects, labels + [("outcome", "retried")]),
        duration: factory.timer(.effectDuration, labels))
    }
    lateness = factory.timer(.timerLateness)
    dropped = factory.counter(.outcomesDropped)
    shared = factory.counter(.outcomesShared)
  }
}
