internal import Glibc
public import Logging
public import Observability

/// The log of a process that hosts apps, on its standard error, and the lines that it prints.
///
/// Threads of their own write both, so that a reader that stalls delays neither a request nor the end of the process.
public final class HostLog: Sendable {
  public let logger: Logger
  private let errors: LogQueue
  private let output: LogQueue

  /// - Parameter label: of the logger; lines of the text format have it.
  public init(_ settings: HostSettings.Logs, label: String = "usher") {
    let format = settings.format ?? (isatty(STDERR_FILENO) == 1 ? .text : .json)
    let makeLogger: @Sendable (@escaping @Sendable ([UInt8]) -> Void) -> Logger = { write in
      Logger(label: label) { label in Self.handler(label, format, settings.level, write) }
    }
    let errors = LogQueue(to: STDERR_FILENO) { count, write in
      makeLogger(write).warning("\(count) log lines were dropped, because the reader of the log did not keep up.")
    }
    self.errors = errors
    output = LogQueue(to: STDOUT_FILENO)
    logger = makeLogger { errors.enqueue($0) }
  }

  private static func handler(
    _ label: String, _ format: HostSettings.Logs.Format, _ level: Logger.Level,
    _ write: @escaping @Sendable ([UInt8]) -> Void
  ) -> any LogHandler {
    switch format {
    case .json: return JSONLogHandler(level: level, write: write)
    case .text:
      var handler = StreamLogHandler(label: label, stream: TextLines(write: write))
      handler.logLevel = level
      return handler
    }
  }

  /// Writes a line to the standard output.
  public func print(_ line: String) { output.enqueue(Array((line + "\n").utf8)) }

  /// Writes a line to the standard error that has no level and no time, in the order of the log.
  public func note(_ line: String) { errors.enqueue(Array((line + "\n").utf8)) }

  /// Has the metrics tell how many lines wait and how many were dropped.
  public func measure(in metrics: PrometheusRegistry) {
    metrics.observeGauge(.logLinesQueued) { [errors] in Double(errors.count) }
    metrics.observeCounter(.logLinesDropped) { [errors] in Double(errors.droppedCount) }
  }

  /// Blocks until every line is written, but for no longer than `timeout` for each of the two streams.
  public func flush(within timeout: Duration = .seconds(1)) {
    output.flush(within: timeout)
    errors.flush(within: timeout)
  }
}

/// swift-log's handler for people writes a line at a time.
private struct TextLines: TextOutputStream, Sendable {
  let write: @Sendable ([UInt8]) -> Void

  mutating func write(_ string: String) { write(Array(string.utf8)) }
}
