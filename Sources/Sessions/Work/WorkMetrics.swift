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

    /// The meter of an effect beyond the limit of the meters of flows, which measures nothing.
    static let none = EffectMeter(
      done: Counter(label: "", dimensions: [], handler: NOOPMetricsHandler.instance),
      failed: Counter(label: "", dimensions: [], handler: NOOPMetricsHandler.instance),
      retried: Counter(label: "", dimensions: [], handler: NOOPMetricsHandler.instance),
      duration: Timer(label: "", dimensions: [], handler: NOOPMetricsHandler.instance))
  }

  private let effects: [String: [String: EffectMeter]]
  /// The meters of flows, whose definitions change.
  private let flows: FlowMeters<FlowEffect, EffectMeter>

  private struct FlowEffect: Hashable {
    let app: String
    let effect: String
  }
  /// The time between the due times of timers and their events.
  let lateness: Timer
  /// The outcomes of effects that came too late.
  let dropped: Counter
  /// The outcomes that came from the run of an equal effect of another session.
  let shared: Counter

  init(_ apps: [AppDefinition], _ factory: any MetricsFactory) {
    @Sendable func counter(_ app: String, _ effect: String, _ outcome: String) -> Counter {
      factory.counter(.effects, [("app", app), ("effect", effect), ("outcome", outcome)])
    }
    @Sendable func meter(_ app: String, _ effect: String) -> EffectMeter {
      EffectMeter(
        done: counter(app, effect, "done"), failed: counter(app, effect, "failed"),
        retried: counter(app, effect, "retried"),
        duration: factory.timer(.effectDuration, [("app", app), ("effect", effect)]))
    }
    flows = FlowMeters { meter($0.app, $0.effect) }
    lateness = factory.timer(.timerLateness)
    dropped = factory.counter(.outcomesDropped)
    shared = factory.counter(.outcomesShared)
    effects = Dictionary(
      apps.map { app in
        let meters = app.effects.map { effect in (effect.name, meter(app.name, effect.name)) }
        return (app.name, Dictionary(uniqueKeysWithValues: meters))
      }, uniquingKeysWith: { first, _ in first })
  }

  func effect(_ name: String, of app: String) -> EffectMeter {
    effects[app]?[name] ?? flows[FlowEffect(app: app, effect: name)] ?? .none
  }
}
