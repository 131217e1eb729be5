#if canImport(Darwin)
  public import Foundation

  /// A transport on URLSession, for Apple's systems.
  public final class URLSessionTransport: Transport {
    /// The transport for programs without special requirements.
    public static let shared = URLSessionTransport()

    private let session: URLSession
    private let driver = URLSessionDriver()

    public init(_ configuration: URLSessionConfiguration = .ephemeral) {
      let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
      configuration.httpCookieStorage = nil
      configuration.urlCache = nil
      configuration.urlCredentialStorage = nil
      session = URLSession(configuration: configuration, delegate: driver, delegateQueue: nil)
    }

    // Requests in flight complete.
    deinit { session.finishTasksAndInvalidate() }

    public func open(_ request: HTTPRequest) async throws -> HTTPResponseStream {
      try request.validate()
      try Task.checkCancellation()
      let pending = PendingRequest(request, driver)
      driver.start(pending, session.dataTask(with: Self.urlRequest(request)))
      return try await HTTPResponseStream(pending)
    }

    private static func urlRequest(_ request: HTTPRequest) -> URLRequest {
      // The timeout of a URLRequest is an idle timeout.
      let idle = (request.timeouts.idle ?? request.timeouts.total).map { $0 / .seconds(1) } ?? 86400
      var urlRequest = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: idle)
      urlRequest.httpMethod = request.method
      urlRequest.httpShouldHandleCookies = false
      if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
      for (name, value) in request.headers { urlRequest.addValue(value, forHTTPHeaderField: name) }
      return urlRequest
    }
  }

  /// The transport of the operating system.
  public typealias SystemTransport = URLSessionTransport

  /// The delegate of a session, which passes the events of each task on to its pending request.
  private final class URLSessionDriver: NSObject, URLSessionDataDelegate, RequestDriver {
    /// The maximum number of unread bytes. URLSession cannot pause a transfer, so that a slower reader loses the
    /// response.
    private static let unreadLimit = 16 << 20

    private let entries = Locked<[Int: ActiveTask]>([:])

    private struct ActiveTask {
      let pending: PendingRequest
      let task: URLSessionDataTask
      var timer: Task<Void, Never>?
    }

    func start(_ pending: PendingRequest, _ task: URLSessionDataTask) {
      let timer = pending.deadline.map { deadline in
        Task {
          try? await Task.sleep(until: deadline, clock: .continuous)
          guard !Task.isCancelled else { return }
          pending.finish(TransportError.timedOut(.total, pending.request))
          task.cancel()
        }
      }
      entries.withLock { $0[task.taskIdentifier] = ActiveTask(pending: pending, task: task, timer: timer) }
      task.resume()
    }

    func resume(_ request: PendingRequest) {}

    func cancel(_ request: PendingRequest) {
      let entry = entries.withLock { $0.values.first { $0.pending === request } }
      entry?.task.cancel()
    }

    private func pendingRequest(of task: URLSessionTask) -> PendingRequest? {
      entries.withLock { $0[task.taskIdentifier]?.pending }
    }

    func urlSession(
      _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(
      _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      guard let response = response as? HTTPURLResponse, let pending = pendingRequest(of: dataTask) else {
        return completionHandler(.cancel)
      }
      let headers = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
      pending.receive(HTTPResponseHead(status: response.statusCode, headers: headers))
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let pending = pendingRequest(of: dataTask) else { return }
      guard pending.unreadCount + data.count <= Self.unreadLimit else {
        pending.finish(TransportError.responseTooLarge(limit: Self.unreadLimit))
        return dataTask.cancel()
      }
      data.withUnsafeBytes { pending.receive($0) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let entry = entries.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
      entry.timer?.cancel()
      entry.pending.finish(error.map { Self.transportError($0, entry.pending.request) })
    }

    private static func transportError(_ error: any Error, _ request: HTTPRequest) -> any Error {
      guard let error = error as? URLError else {
        return TransportError.connectionLost("The connection to \(request.origin) was lost: \(error)")
      }
      let text = "\(request.origin): \(error.localizedDescription)"
      switch error.code {
      case .cancelled: return CancellationError()
      case .timedOut: return TransportError.timedOut(request.timeouts.idle == nil ? .total : .idle, request)
      case .badURL, .unsupportedURL: return TransportError.invalidRequest(text)
      case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet, .secureConnectionFailed,
        .appTransportSecurityRequiresSecureConnection:
        return TransportError.cannotConnect(text)
      case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
        .serverCertificateNotYetValid:
        return TransportError.untrustedServer(text)
      case .badServerResponse, .cannotParseResponse: return TransportError.invalidResponse(text)
      default: return TransportError.connectionLost(text)
      }
    }
  }
#endif
