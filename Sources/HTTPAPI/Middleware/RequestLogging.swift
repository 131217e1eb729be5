internal import Access
internal import Logging
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values

extension Call {
  /// Logs a failure of the service and, if the operator enables it, every request.
  ///
  /// A log line has the route, the short form of the session's key, and the name of the principal, but no URL: the URL
  /// of a session is a secret.
  func log(_ status: Int) {
    if let cause = problem?.cause {
      var metadata = metadata
      if let shown = problem?.shown {
        metadata["app"] = "\(shown.app.name)"
        metadata["screen"] = "\(shown.visible.screen.name)"
      }
      api.configuration.logger.error("\(cause)", metadata: metadata)
    }
    guard api.configuration.logsRequests else { return }
    var metadata = metadata
    metadata["method"] = "\(request.method.label)"
    if let clientAddress { metadata["client"] = "\(clientAddress)" }
    metadata["status"] = .stringConvertible(status)
    let microseconds = Int(start.duration(to: .now) / .microseconds(1))
    metadata["milliseconds"] = .stringConvertible(Double(microseconds) / 1000)
    api.configuration.logger.info("request", metadata: metadata)
  }

  private var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = ["requestId": "\(requestID)", "route": "\(route?.path ?? Self.unrouted)"]
    if let name = principal?.name { metadata["principal"] = "\(name)" }
    if let parent = traceParent {
      metadata["traceId"] = "\(parent.traceID)"
      metadata["parentId"] = "\(parent.parentID)"
    }
    if let id = path.sessionID(2), route?.takesRest != true { metadata["session"] = "\(SessionKey(id).short)" }
    return metadata
  }

  /// The caller's position in a distributed trace; nil without a valid header.
  private var traceParent: TraceParent? { request.header("traceparent").flatMap { TraceParent($0) } }

  /// The data of vendors in a distributed trace: the header `tracestate` (W3C Trace Context, section 3.3). Nil without
  /// the header, if it has more than the 512 bytes that every participant passes on, or other characters than printable
  /// ASCII.
  private var traceState: String? {
    guard let state = request.header("tracestate"), (1...512).contains(state.utf8.count),
      state.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { return nil }
    return state
  }

  /// The trace that the steps of the request belong to.
  var trace: String? {
    traceParent.map { "\($0.traceID)-\($0.flags)" + (traceState.map { " \($0)" } ?? "") }
  }
}

/// The caller's position in a distributed trace: the header `traceparent` (W3C Trace Context, section 3.2).
struct TraceParent: Equatable {
  /// 32 hexadecimal digits.
  let traceID: Substring
  /// The caller's span: 16 hexadecimal digits.
  let parentID: Substring
  /// 2 hexadecimal digits, which say whether the caller records the trace.
  let flags: Substring

  /// Returns nil for a header that the recommendation calls invalid.
  init?(_ header: String) {
    let parts = header.split(separator: "-", maxSplits: 4, omittingEmptySubsequences: false)
    guard parts.count == 4 || parts.count == 5 && parts[0] != "00",
      Self.isHex(parts[0], 2), parts[0] != "ff", Self.isHex(parts[1], 32), Self.isHex(parts[2], 16),
      Self.isHex(parts[3], 2), !parts[1].allSatisfy({ $0 == "0" }), !parts[2].allSatisfy({ $0 == "0" })
    else { return nil }
    traceID = parts[1]
    parentID = parts[2]
    flags = parts[3]
  }

  private static func isHex(_ text: Substring, _ count: Int) -> Bool {
    text.utf8.count == count && text.utf8.allSatisfy { $0.isASCIIDigit || "abcdef".utf8.contains($0) }
  }
}
