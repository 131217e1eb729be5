internal import CoreMetrics
internal import HTTPTransport
package import Navigation
package import Observability
internal import Synchronization
internal import Values

/// The configured HTTP services of a host, by their names. The host gives them to its effects.
package struct HTTPServiceDirectory: Sendable {
  package let endpoints: [String: HTTPServiceEndpoint]

  /// - Parameters:
  ///   - apps: the apps of the host, whose effects declare services.
  ///   - userAgent: the value of the header `User-Agent`.
  ///   - log: receives a sentence about a file with a credential that has become invalid.
  /// - Throws: all faults of the settings and of the files with credentials, and all declared services without an
  ///   address.
  package init(
    _ settings: HTTPServiceSettings, for apps: [AppDefinition], userAgent: String, metrics: PrometheusRegistry,
    log: @escaping @Sendable (String) -> Void
  ) throws(HTTPServiceFaults) {
    var credentials: [String: [CredentialFile]] = [:]
    var faults = settings.faults
    func read(_ path: String, header: String?, of service: String) {
      do throws(HTTPServiceFaults) {
        let file = try CredentialFile(path, header: header, service: service, log: log)
        credentials[service, default: []].append(file)
      } catch {
        faults += error.sentences
      }
    }
    for file in settings.tokenFiles { read(file.value, header: nil, of: file.name) }
    for file in settings.headerFiles { read(file.path, header: file.header, of: file.service) }
    let missing = settings.missingServices(of: apps)
    // The name of an unused service is then probably a typing error.
    if !missing.isEmpty { faults += missing + settings.unusedServices(of: apps) }
    if !faults.isEmpty { throw HTTPServiceFaults(faults) }
    var endpoints: [String: HTTPServiceEndpoint] = [:]
    for entry in settings.addresses {
      let endpoint = HTTPServiceEndpoint(entry, settings, credentials[entry.name] ?? [], userAgent, metrics)
      metrics.observeGauge(.serviceRequestsInFlight, [("service", entry.name)]) { Double(endpoint.count) }
      endpoints[entry.name] = endpoint
    }
    self.endpoints = endpoints
  }
}

/// A configured HTTP service: its address, its credentials, its connections and its metrics.
package final class HTTPServiceEndpoint: Sendable {
  let name: String
  /// The URL of the service without a slash at the end. Every path is appended to it.
  let address: String
  let credentials: [CredentialFile]
  let userAgent: String
  let settings: HTTPServiceSettings
  /// A transport of its own, so that a slow service delays no other.
  let transport: CurlTransport
  private let inFlight = Atomic(0)
  private let outcomes: [String: Counter]
  private let duration: Timer

  fileprivate init(
    _ address: HTTPServiceSettings.Entry, _ settings: HTTPServiceSettings, _ credentials: [CredentialFile],
    _ userAgent: String, _ metrics: PrometheusRegistry
  ) {
    name = address.name
    self.address = String(address.value.hasSuffix("/") ? address.value.dropLast() : address.value[...])
    self.credentials = credentials
    self.userAgent = userAgent
    self.settings = settings
    var configuration = CurlTransport.Configuration()
    configuration.concurrency = settings.concurrency
    // The number of effects in progress limits the queue.
    configuration.queueLimit = 1_000_000
    configuration.usesEnvironmentProxies = settings.usesEnvironmentProxies
    configuration.allowsHTTP2 = true
    configuration.connectionLifetime = .seconds(60)
    configuration.threadName = "usher.services"
    transport = CurlTransport(configuration)
    let outcomes =
      ["done", "cancelled"] + [.status, .transport, .decoding, .error].map(\EffectFailure.Reason.rawValue)
    self.outcomes = Dictionary(
      uniqueKeysWithValues: outcomes.map { outcome in
        (outcome, metrics.counter(.serviceRequests, [("service", address.name), ("outcome", outcome)]))
      })
    duration = metrics.timer(.serviceDuration, [("service", address.name)])
  }

  /// The number of requests that have no outcome yet, those that wait for their turn included.
  package var count: Int { inFlight.load(ordering: .relaxed) }

  /// Sends a request by `send`, and counts it by its outcome.
  func measure<Output>(_ send: () async throws -> Output) async throws -> Output {
    let start = ContinuousClock.now
    inFlight.add(1, ordering: .relaxed)
    defer {
      inFlight.subtract(1, ordering: .relaxed)
      duration.record(since: start)
    }
    do {
      let output = try await send()
      outcomes["done"]?.increment()
      return output
    } catch {
      let failure = error as? EffectFailure ?? (error as? Retry)?.failure
      outcomes[failure?.reason.rawValue ?? "cancelled"]?.increment()
      throw error
    }
  }
}

/// The headers of W3C Trace Context.
enum TraceContext {
  /// Returns `tracestate` as the request behind the effect had it; nil if it had none.
  ///
  /// - Parameter trace: as for ``header(continuing:of:)``.
  static func state(of trace: String?) -> String? {
    trace.map { String($0.dropFirst(36)) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns `traceparent` with a new span. It continues the trace of the request behind the effect. Without one, all
  /// attempts at the effect share a trace, whose id derives from their idempotency key.
  ///
  /// - Parameter trace: the trace id and the flags, with a hyphen in between, and `tracestate` after a space.
  static func header(continuing trace: String?, of idempotencyKey: String) -> String {
    let span = Hexadecimal.encode(withUnsafeBytes(of: UInt64.random(in: 1 ... .max)) { Array($0) })
    if let trace { return "00-\(trace.prefix(32))-\(span)-\(trace.dropFirst(33).prefix(2))" }
    let key = Base64URL.decode(idempotencyKey) ?? []
    // Text that is not base64url, as in a test, is used as it is.
    let bytes = (key.count >= 16 ? key : Array(idempotencyKey.utf8) + Array(repeating: 1, count: 16)).prefix(16)
    // 01: the receiver may record the trace.
    return "00-\(Hexadecimal.encode(Array(bytes)))-\(span)-01"
  }
}
