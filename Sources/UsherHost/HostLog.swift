internal import Glibc
public import Logging
public import Observability
internal import Views
internal import Sessions

/// The log of a process that hosts apps, on its standard error, and the lines on its standard output.
///
/// Threads of their own write both, so that a stalled reader delays neither a request nor the exit of the process.
public final class HostLog: Sendable {
  public let logger: Logger
  private let errors: LogQueue
  private let output: LogQueue

  /// - Parameter label: the label of the logger, which the text format shows.
  public init(_ settings: HostSettings.Logs, label: String = "usher") {
    let format = settings.format ?? (isatty(STDERR_FILENO) == 1 ? .text : .json)
    let makeLogger: @Sendable (@escaping @Sendable ([UInt8]) -> Void) -> Logger = { write in
      Logger(label: label) { label in
        if format == .json { return JSONLogHandler(level: settings.level, write: write) }
        var handler = StreamLogHandler(label: label, stream: LineStream(write: write))
        handler.logLevel = settings.level
        return handler
      }
    }
    let errors = LogQueue(to: STDERR_FILENO) { count, write in
      makeLogger(write).warning("\(count) log lines were dropped, because the reader of the log did not keep up.")
    }
    self.errors = errors
    output = LogQueue(to: STDOUT_FILENO)
    logger = makeLogger { errors.enqueue($0) }
  }

  /// Writes a line to the standard output.
  public func print(_ line: String) { output.enqueue(Array((line + "\n").utf8)) }

  /// Writes a line without a level and a time to the standard error, in order with the log.
  public func note(_ line: String) { errors.enqueue(Array((line + "\n").utf8)) }

  /// Adds the numbers of queued and dropped lines to the metrics.
  public func measure(in metrics: PrometheusRegistry) {
    metrics.observeGauge(.logLinesQueued) { [errors] in Double(errors.count) }
    metrics.observeCounter(.logLinesDropped) { [errors] in Double(errors.droppedCount) }
  }

  /// Blocks until every line is written, for at most `timeout` for each of the two streams.
  public func flush(within timeout: Duration = .seconds(1)) {
    output.flush(within: timeout)
    errors.flush(within: timeout)
  }
}

/// The stream of swift-log's text handler, which writes one line at a time.
struct LineStream: TextOutputStream, Sendable {
  let write: @Sendable ([UInt8]) -> Void

  mutating func write(_ string: String) {
    // A line break inside of a message or of a value would begin another line of the log.
    let line = string.hasSuffix("\n") ? String(string.dropLast()) : string
    write(Array("\(line.terminalSafe)\n".utf8))
  }
}

extension EventReport {
  /// Writes the report, with the location of the event in members of its own. A stuck event is an error, because people
  /// wait for it in vain.
  func write(to logger: Logger) {
    var metadata: Logger.Metadata = ["work": "\(work)"]
    if let location {
      metadata["app"] = "\(location.app)"
      metadata["event"] = "\(location.event)"
      if let coordinator = location.coordinator { metadata["coordinator"] = "\(coordinator)" }
    }
    logger.log(level: kind == .stuck ? .error : .warning, "\(self)", metadata: metadata)
  }
}
