import CoreMetrics
import Testing

@testable import Observability

/// Metrics in the text format of Prometheus.
@Suite struct MetricsTests {
  private let registry = PrometheusRegistry()

  private func lines(_ prefix: String) -> [String] {
    registry.text().split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
  }

  @Test func `each set of labels has a series`() {
    registry.counter(.rejections, [("kind", "a")]).increment()
    registry.counter(.rejections, [("kind", "a")]).increment(by: 2)
    registry.counter(.rejections, [("kind", "b")]).increment()
    #expect(
      lines("usher_rejections_total")
        == ["usher_rejections_total{kind=\"a\"} 3", "usher_rejections_total{kind=\"b\"} 1"])
    #expect(lines("# TYPE usher_rejections_total") == ["# TYPE usher_rejections_total counter"])
    #expect(lines("# HELP usher_rejections_total").count == 1)
  }

  @Test func `durations have buckets in seconds`() {
    let timer = registry.timer(.storeDuration, [("operation", "load")])
    timer.recordMilliseconds(1)
    timer.recordMilliseconds(3)
    timer.recordSeconds(60)
    let name = "usher_store_duration_seconds"
    #expect(
      lines("\(name)_bucket{operation=\"load\",le=\"0.001\"}") == ["\(name)_bucket{operation=\"load\",le=\"0.001\"} 1"])
    #expect(lines("\(name)_bucket{operation=\"load\",le=\"0.005\"}").first?.hasSuffix(" 2") == true)
    #expect(lines("\(name)_bucket{operation=\"load\",le=\"30\"}").first?.hasSuffix(" 2") == true)
    #expect(lines("\(name)_bucket{operation=\"load\",le=\"+Inf\"}").first?.hasSuffix(" 3") == true)
    #expect(lines("\(name)_count") == ["\(name)_count{operation=\"load\"} 3"])
    #expect(lines("\(name)_sum") == ["\(name)_sum{operation=\"load\"} 60.004"])
  }

  @Test func `gauges and meters rise and fall`() {
    Gauge(label: "depth", factory: registry).record(2.5)
    let meter = Meter(label: "water", factory: registry)
    meter.set(3)
    meter.decrement(by: 0.5)
    FloatingPointCounter(label: "litres_total", factory: registry).increment(by: 1.25)
    registry.observeGauge(.connections) { 7 }
    #expect(lines("depth ") == ["depth 2.5"])
    #expect(lines("water ") == ["water 2.5"])
    #expect(lines("litres_total ") == ["litres_total 1.25"])
    #expect(lines("usher_http_connections ") == ["usher_http_connections 7"])
  }

  @Test func `a metric of an app may have any name`() {
    Counter(label: "1.my-count er", dimensions: [("a.b", "c\"d\\e\nf")], factory: registry).increment()
    #expect(lines("_1_my_count_er") == [#"_1_my_count_er{a_b="c\"d\\e\nf"} 1"#])
  }

  @Test func `two kinds of metrics with one name leave the text valid`() {
    Counter(label: "same", factory: registry).increment()
    Timer(label: "same", factory: registry).recordSeconds(1)
    #expect(lines("same") == ["same 1"])
  }

  @Test func `a metric disappears with its handler`() {
    let counter = Counter(label: "gone", factory: registry)
    counter.increment()
    counter.destroy()
    #expect(lines("gone") == [])
  }

  @Test func `no update is lost between threads`() async {
    let counter = registry.counter(.rejections, [("kind", "a")])
    let number = FloatingPointCounter(label: "number", factory: registry)
    let timer = registry.timer(.storeDuration)
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<10_000 {
            counter.increment()
            number.increment(by: 0.5)
            timer.recordNanoseconds(1_000_000_000)
          }
        }
      }
    }
    #expect(lines("usher_rejections_total{") == ["usher_rejections_total{kind=\"a\"} 80000"])
    #expect(lines("number ") == ["number 40000"])
    #expect(lines("usher_store_duration_seconds_count") == ["usher_store_duration_seconds_count 80000"])
    #expect(lines("usher_store_duration_seconds_sum") == ["usher_store_duration_seconds_sum 80000"])
  }

  @Test func `the metrics include those of the process`() throws {
    let memory = try #require(lines("process_resident_memory_bytes ").first?.split(separator: " ").last)
    #expect(try #require(Double(memory)) > 1_000_000)
    let files = try #require(lines("process_open_fds ").first?.split(separator: " ").last)
    #expect(try #require(Double(files)) >= 3)
    #expect(lines("process_start_time_seconds ").count == 1)
    #expect(lines("process_cpu_seconds_total ").count == 1)
  }

  @Test func `every metric has a unique name and a help text`() {
    #expect(Set(Metric.all.map(\.name)).count == Metric.all.count)
    #expect(Metric.all.allSatisfy { $0.help.hasSuffix(".") })
  }
}
