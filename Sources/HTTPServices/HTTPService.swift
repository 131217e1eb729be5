internal import Foundation
internal import HTTPTransport
internal import Navigation
package import Values

/// An HTTP service, for one attempt at an effect. Bodies are JSON.
///
///     let quote: Quote = try await context.service("shop").post("/quotes", ["product": product])
///
/// Every request has the headers `Idempotency-Key`, `Accept`, `User-Agent` and `traceparent`, and those with the
/// credentials of the operator, such as `Authorization`. Redirects are not followed.
///
/// All functions throw
/// - `Retry` if another attempt may succeed: after a failure of the transport, and after a response with the status
///   408, 425, 429, 500, 502, 503 or 504. `Retry-After` prolongs the pause of the policy, up to an hour.
/// - `EffectFailure` after any other status but 2xx (`.status`), and for a body that is too large or not an `Output`
///   (`.decoding`). An `Output` of the type `Nothing` ignores the body.
/// - `CancellationError` after the timeout of the policy. The transfer ends at once.
///
/// A failure says that the work cannot have happened if the request was not sent, or if the response says so: with a
/// status from 400 to 499 other than 408 and 409, and with 503 and `Retry-After`.
public struct HTTPService: Sendable {
  private let endpoint: HTTPServiceEndpoint
  private let idempotencyKey: String
  private let trace: String?
  private let minimumPause: Duration

  /// - Parameter minimumPause: the pause of the policy before the next attempt.
  package init(
    _ endpoint: HTTPServiceEndpoint, idempotencyKey: String, trace: String? = nil, minimumPause: Duration
  ) {
    self.endpoint = endpoint
    self.idempotencyKey = idempotencyKey
    self.trace = trace
    self.minimumPause = minimumPause
  }

  public func get<Output: Decodable>(_ path: ServicePath, query: ServiceQuery = [:]) async throws -> Output {
    try await send("GET", path, query, nil)
  }

  public func post<Output: Decodable>(
    _ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]
  ) async throws -> Output {
    try await send("POST", path, query, body)
  }

  public func put<Output: Decodable>(
    _ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]
  ) async throws -> Output {
    try await send("PUT", path, query, body)
  }

  public func patch<Output: Decodable>(
    _ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]
  ) async throws -> Output {
    try await send("PATCH", path, query, body)
  }

  public func delete<Output: Decodable>(
    _ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]
  ) async throws -> Output {
    try await send("DELETE", path, query, body)
  }

  // MARK: Without an output

  public func get(_ path: ServicePath, query: ServiceQuery = [:]) async throws {
    let _: Nothing = try await send("GET", path, query, nil)
  }

  public func post(_ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]) async throws {
    let _: Nothing = try await send("POST", path, query, body)
  }

  public func put(_ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]) async throws {
    let _: Nothing = try await send("PUT", path, query, body)
  }

  public func patch(_ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]) async throws {
    let _: Nothing = try await send("PATCH", path, query, body)
  }

  public func delete(_ path: ServicePath, _ body: (any Encodable)? = nil, query: ServiceQuery = [:]) async throws {
    let _: Nothing = try await send("DELETE", path, query, body)
  }

  // MARK: Sending

  /// The headers that no credential can have, in lower case: those of every request, and those of the transport.
  static let ownHeaders: Set = [
    "accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type", "expect", "host",
    "idempotency-key", "keep-alive", "proxy-authorization", "proxy-connection", "te", "traceparent", "tracestate",
    "trailer", "transfer-encoding", "upgrade", "user-agent",
  ]

  /// Sends a request with a method of any name.
  ///
  /// - Parameter hasOutput: whether the body of the response counts.
  /// - Returns: the body; null without an output.
  package func send(
    _ method: String, path: ServicePath, query: ServiceQuery, body: Value?, _ hasOutput: Bool
  ) async throws -> Value {
    if hasOutput { return try await send(method, path, query, body) }
    let _: Nothing = try await send(method, path, query, body)
    return .null
  }

  private func send<Output: Decodable>(
    _ method: String, _ path: ServicePath, _ query: ServiceQuery, _ body: (any Encodable)?
  ) async throws -> Output {
    try await endpoint.measure {
      let request = try request(method, path, query, body)
      do {
        let stream = try await endpoint.transport.open(request)
        guard (200..<300).contains(stream.head.status) else { throw try await statusFailure(stream, method) }
        let bytes = try await stream.body(limit: endpoint.settings.responseLimit)
        return try output(bytes, stream.head.status, method)
      } catch let error as TransportError {
        throw failure(error, method)
      }
    }
  }

  private func request(
    _ method: String, _ path: ServicePath, _ query: ServiceQuery, _ body: (any Encodable)?
  ) throws(EffectFailure) -> HTTPRequest {
    if let fault = path.fault { throw invalid(method, fault) }
    guard let url = URL(string: endpoint.address + path.text + query.text, encodingInvalidCharacters: false) else {
      throw invalid(method, "The URL is not valid.")
    }
    var headers = [
      ("Accept", "application/json"), ("User-Agent", endpoint.userAgent), ("Idempotency-Key", idempotencyKey),
      ("traceparent", TraceContext.header(continuing: trace, of: idempotencyKey)),
    ]
    if let state = TraceContext.state(of: trace) { headers.append(("tracestate", state)) }
    headers += endpoint.credentials.map { $0.header() }
    var bytes: [UInt8] = []
    if let body {
      do {
        bytes = try Value(encoding: body).json
      } catch {
        throw invalid(method, "The body cannot be encoded: \(error).")
      }
      headers.append(("Content-Type", "application/json"))
    }
    // The timeout of the policy limits the total time, by cancellation.
    var request = HTTPRequest(
      method, url, headers: headers, body: bytes, timeouts: .init(connect: endpoint.settings.connectTimeout, total: nil)
    )
    // By its key.
    request.isIdempotent = true
    return request
  }

  private func output<Output: Decodable>(
    _ bytes: [UInt8], _ status: Int, _ method: String
  ) throws(EffectFailure) -> Output {
    if let nothing = Nothing() as? Output { return nothing }
    let problem: String
    do {
      return try JSONParser.parse(bytes).decode(Output.self)
    } catch let error as JSONError {
      problem = bytes.isEmpty ? "no body" : "a body that is not JSON: \(error)"
    } catch {
      problem = "a body that is not of the type \(Output.self): \(error)"
    }
    throw EffectFailure(
      .decoding, detail: "\(responded(to: method)) with the status \(status) and \(problem).", status: status)
  }

  // The path is in no message, because its values may be secret.

  private func responded(to method: String) -> String {
    "The HTTP service \(endpoint.name) responded to a \(method) request"
  }

  private func invalid(_ method: String, _ problem: String) -> EffectFailure {
    EffectFailure(
      .error, detail: "A \(method) request to the HTTP service \(endpoint.name) is not valid. \(problem)",
      mayHaveHappened: false)
  }
}

// MARK: - Failures

extension HTTPService {
  /// The maximum pause that `Retry-After` can ask for.
  private static let maximumPause = Duration.seconds(3600)
  /// The maximum time for the body of a failure, after its status.
  private static let failureBodyTimeout = Duration.seconds(1)
  /// The maximum size in bytes of the body of a failure.
  private static let failureBodyLimit = 4 << 10

  private func failure(_ error: TransportError, _ method: String) -> any Error {
    let detail = "A \(method) request to the HTTP service \(endpoint.name) failed. \(error)"
    switch error {
    case .invalidRequest: return invalid(method, "\(error)")
    case .responseTooLarge: return EffectFailure(.decoding, detail: detail)
    default:
      return Retry(EffectFailure(.transport, detail: detail, mayHaveHappened: !error.provesNothingWasSent))
    }
  }

  /// Returns the body of a failure; empty if it is too large, or does not arrive soon. The status counts without it.
  private func failureBody(_ stream: HTTPResponseStream) async -> [UInt8] {
    await withTaskGroup { group in
      group.addTask { (try? await stream.body(limit: Self.failureBodyLimit)) ?? [] }
      group.addTask {
        try? await Task.sleep(for: Self.failureBodyTimeout)
        return []
      }
      defer { group.cancelAll() }
      return await group.next() ?? []
    }
  }

  /// Returns the error for a status that is not 2xx.
  private func statusFailure(_ stream: HTTPResponseStream, _ method: String) async throws -> any Error {
    let status = stream.head.status
    let retryAfter = stream.head.retryAfter
    let bytes = await failureBody(stream)
    let advice = (300..<400).contains(status) ? " Redirects are not followed." : ""
    let isRefusal = (400..<500).contains(status) && ![408, 409].contains(status) || status == 503 && retryAfter != nil
    let failure = EffectFailure(
      .status, detail: "\(responded(to: method)) with the status \(status).\(advice)",
      mayHaveHappened: !isRefusal, status: status, body: try? JSONParser.parse(bytes))
    guard [408, 425, 429, 500, 502, 503, 504].contains(status) else { return failure }
    return Retry(failure, after: retryAfter.map { max(minimumPause, min($0, Self.maximumPause)) })
  }
}

extension HTTPResponseHead {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// The pause of `Retry-After` (RFC 9110, section 10.2.3); nil without a valid one.
  var retryAfter: Duration? {
    guard let text = self["Retry-After"] else { return nil }
    if let seconds = Int64(digits: text) { return .seconds(seconds) }
    // An HTTP date (RFC 9110, section 5.6.7): "Sun, 06 Nov 1994 08:49:37 GMT".
    let pattern = /[A-Z][a-z]{2}, ([0-9]{2}) ([A-Z][a-z]{2}) ([0-9]{4}) ([0-9:]{8}) GMT/
    guard let (_, day, name, year, time) = text.wholeMatch(of: pattern)?.output,
      let month = Self.months.firstIndex(of: String(name)),
      let date = try? Date("\(year)-\(month < 9 ? "0" : "")\(month + 1)-\(day)T\(time)Z", strategy: .iso8601)
    else { return nil }
    return .seconds(max(0, date.timeIntervalSinceNow))
  }
}
