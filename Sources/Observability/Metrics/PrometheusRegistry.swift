public import CoreMetrics
internal import Synchronization

/// The metrics of this process in the Prometheus text format 0.0.4 (Prometheus, "Exposition formats").
///
/// A program with swift-metrics of its own adds them with `MetricsSystem.bootstrap(registry)`.
public final class PrometheusRegistry: MetricsFactory {
  /// The media type of ``text()``.
  public static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  /// All series of one metric.
  private struct Family {
    let kind: MetricKind
    var series: [(labels: String, series: any MetricSeries)] = []
  }

  private let described = Dictionary(uniqueKeysWithValues: Metric.all.map { ($0.name, $0) })
  private let families = Mutex<[String: Family]>([:])

  public init() {}

  /// Registers a gauge whose value `value` returns at every scrape.
  public func observeGauge(
    _ metric: Metric, _ labels: [(String, String)] = [], _ value: @escaping @Sendable () -> Double
  ) {
    _ = series(metric.name, labels, .gauge) { _ in ObservedSeries(value) }
  }

  /// Registers a counter whose value `value` returns at every scrape. The value must never fall.
  public func observeCounter(_ metric: Metric, _ value: @escaping @Sendable () -> Double) {
    _ = series(metric.name, [], .counter) { _ in ObservedSeries(value) }
  }

  /// Returns all metrics, sorted by name.
  public func text() -> String {
    var text = ""
    for (name, family) in families.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      let help = described[name]?.help ?? "A metric of the app."
      text += "# HELP \(name) \(help.escaped(quotes: false))\n# TYPE \(name) \(family.kind.rawValue)\n"
      for (labels, series) in family.series { series.write(name, labels, to: &text) }
    }
    return text + ProcessMetrics.text()
  }

  private func series<Series: MetricSeries>(
    _ label: String, _ labels: [(String, String)], _ kind: MetricKind, _ make: (_ bounds: [Double]) -> Series
  ) -> Series {
    let name = label.metricName
    let labels = labels.map { "\($0.0.metricName)=\"\($0.1.escaped(quotes: true))\"" }.joined(separator: ",")
    let bounds = described[name]?.bounds ?? []
    return families.withLock { families in
      var family = families[name] ?? Family(kind: kind)
      if let known = family.series.first(where: { $0.labels == labels })?.series as? Series { return known }
      let made = make(bounds.isEmpty ? Metric.durations : bounds)
      // A second kind under the same name would invalidate the whole text, so its series is not exposed.
      if family.kind == kind { family.series.append((labels, made)) }
      families[name] = family
      return made
    }
  }

  private func remove(_ handler: AnyObject) {
    families.withLock { families in
      for name in families.keys { families[name]?.series.removeAll { $0.series === handler } }
    }
  }

  // MARK: - swift-metrics

  public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    series(label, dimensions, .counter) { _ in CounterSeries() }
  }

  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler {
    series(label, dimensions, .counter) { _ in FloatingPointSeries() }
  }

  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    series(label, dimensions, .gauge) { _ in FloatingPointSeries() }
  }

  public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
    if aggregate { return series(label, dimensions, .histogram) { HistogramSeries(bounds: $0) } }
    return series(label, dimensions, .gauge) { _ in FloatingPointSeries() }
  }

  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    series(label, dimensions, .histogram) { HistogramSeries(bounds: $0) }
  }

  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) { remove(handler) }
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
