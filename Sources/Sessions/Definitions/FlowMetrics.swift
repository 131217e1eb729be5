internal import CoreMetrics
internal import Navigation
internal import Observability
internal import Synchronization

/// The metrics of flows.
final class FlowMetrics: Sendable {
  /// Replacements of a current definition by another one.
  let reloads: Counter
  /// Definitions that could not be loaded, from files or from the store.
  let loadFailures: Counter
  /// Sessions that have moved to another definition, and those that could not.
  let carried: Counter
  let refused: Counter
  private let stored: Gauge
  /// The sessions of each definition.
  private let sessions = Mutex<[DefinitionDigest: Gauge]>([:])
  private let factory: any MetricsFactory

  init(_ factory: any MetricsFactory) {
    reloads = factory.counter(.flowReloads)
    loadFailures = factory.counter(.flowLoadFailures)
    carried = factory.counter(.flowCarries, [("outcome", "carried")])
    refused = factory.counter(.flowCarries, [("outcome", "refused")])
    stored = factory.gauge(.flowDefinitionsStored)
    self.factory = factory
  }

  /// Records the definitions in the store, and their numbers of sessions. The gauge of a definition that is gone is
  /// removed.
  func record(_ definitions: [ListedDefinition]) {
    stored.record(definitions.count)
    sessions.withLock { gauges in
      for (digest, gauge) in gauges where !definitions.contains(where: { $0.digest == digest }) {
        gauge.record(0)
        gauge.destroy()
        gauges[digest] = nil
      }
      for definition in definitions {
        let gauge =
          gauges[definition.digest]
          ?? factory.gauge(.flowSessions, [("app", definition.app), ("definition", definition.digest.short)])
        gauges[definition.digest] = gauge
        gauge.record(definition.sessions)
      }
    }
  }
}
