public import CoreMetrics

extension Timer {
  public func record(since start: ContinuousClock.Instant) {
    recordNanoseconds(Int64(start.duration(to: .now).attoseconds / 1_000_000_000))
  }
}

extension MetricsFactory {
  public func counter(_ metric: Metric, _ labels: [(String, String)] = []) -> Counter {
    Counter(label: metric.name, dimensions: labels, factory: self)
  }

  public func timer(_ metric: Metric, _ labels: [(String, String)] = []) -> Timer {
    Timer(label: metric.name, dimensions: labels, factory: self)
  }

  public func histogram(_ metric: Metric, _ labels: [(String, String)] = []) -> Recorder {
    Recorder(label: metric.name, dimensions: labels, aggregate: true, factory: self)
  }

  public func gauge(_ metric: Metric, _ labels: [(String, String)] = []) -> Gauge {
    Gauge(label: metric.name, dimensions: labels, factory: self)
  }
}
