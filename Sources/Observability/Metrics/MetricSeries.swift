internal import CoreMetrics
internal import Synchronization

/// The type of a metric, with its name in the text format.
enum MetricKind: String { case counter, gauge, histogram }

/// The values of one metric for one set of labels.
protocol MetricSeries: AnyObject, Sendable {
  /// Appends the lines of the series.
  ///
  /// - Parameter labels: `name="value"` pairs separated by commas, escaped.
  func write(_ name: String, _ labels: String, to text: inout String)
}

/// A counter of whole numbers.
final class CounterSeries: MetricSeries, CounterHandler {
  private let count = Atomic<Int64>(0)

  func increment(by amount: Int64) { count.wrappingAdd(amount, ordering: .relaxed) }
  func reset() { count.store(0, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text.appendSample(name, labels, "\(count.load(ordering: .relaxed))")
  }
}

/// A gauge, or a counter of fractions.
final class FloatingPointSeries: MetricSeries, FloatingPointCounterHandler, MeterHandler, RecorderHandler {
  /// The number as bits, which an atomic can hold.
  private let bits = Atomic<UInt64>(0)

  func increment(by amount: Double) {
    var old = bits.load(ordering: .relaxed)
    while true {
      let new = (Double(bitPattern: old) + amount).bitPattern
      let (isExchanged, original) = bits.compareExchange(expected: old, desired: new, ordering: .relaxed)
      if isExchanged { return }
      old = original
    }
  }

  func decrement(by amount: Double) { increment(by: -amount) }
  func reset() { record(0.0) }
  func set(_ value: Int64) { record(Double(value)) }
  func set(_ value: Double) { record(value) }
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text.appendSample(name, labels, Double(bitPattern: bits.load(ordering: .relaxed)).sample)
  }
}

/// A number that a function returns at every scrape.
final class ObservedSeries: MetricSeries {
  private let read: @Sendable () -> Double

  init(_ read: @escaping @Sendable () -> Double) { self.read = read }

  func write(_ name: String, _ labels: String, to text: inout String) {
    text.appendSample(name, labels, read().sample)
  }
}

/// A histogram: the number of values up to each bound, and the sum of all values.
final class HistogramSeries: MetricSeries, RecorderHandler, TimerHandler {
  private let bounds: [Double]
  private let state: Mutex<(counts: [UInt64], sum: Double)>

  init(bounds: [Double]) {
    self.bounds = bounds
    state = Mutex(([UInt64](repeating: 0, count: bounds.count + 1), 0))
  }

  func record(_ value: Double) {
    let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
    state.withLock { state in
      state.counts[bucket] += 1
      state.sum += value
    }
  }

  func record(_ value: Int64) { record(Double(value)) }
  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

  func write(_ name: String, _ labels: String, to text: inout String) {
    let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
    let prefix = labels.isEmpty ? "" : labels + ","
    var total: UInt64 = 0
    for (count, bound) in zip(counts, bounds + [.infinity]) {
      total += count
      text.appendSample("\(name)_bucket", "\(prefix)le=\"\(bound.sample)\"", "\(total)")
    }
    text.appendSample("\(name)_sum", labels, sum.sample)
    text.appendSample("\(name)_count", labels, "\(total)")
  }
}

/// Parts of the Prometheus text format.
extension String {
  /// Appends the line of a sample.
  ///
  /// - Parameter labels: `name="value"` pairs separated by commas, escaped.
  mutating func appendSample(_ name: String, _ labels: String, _ value: String) {
    self += labels.isEmpty ? "\(name) \(value)\n" : "\(name){\(labels)} \(value)\n"
  }

  /// The name with an underscore for every character that a metric or label must not contain.
  var metricName: String {
    var name = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "a"..."z", "A"..."Z", "_", ":": name.append(scalar)
      case "0"..."9": name.append(contentsOf: name.isEmpty ? ["_", scalar] : [scalar])
      default: name.append("_")
      }
    }
    return name.isEmpty ? "_" : String(name)
  }

  /// Escapes a help text, or the value of a label with `quotes`.
  func escaped(quotes: Bool) -> String {
    var text = ""
    for character in unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\"" where quotes: text += "\\\""
      default: text.unicodeScalars.append(character)
      }
    }
    return text
  }
}

extension Double {
  /// The number as the value of a sample.
  var sample: String {
    if isNaN { return "NaN" }
    if isInfinite { return self > 0 ? "+Inf" : "-Inf" }
    let whole = Int64(exactly: self)
    return whole.map { "\($0)" } ?? "\(self)"
  }
}
