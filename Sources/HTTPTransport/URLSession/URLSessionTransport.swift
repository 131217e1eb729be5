#if canImport(Darwin)
  public import Foundation
  internal import Synchronization

  /// A transport on URLSession, for Apple's systems.
  public final class URLSessionTransport: Transport {
    /// The transport of programs that need no other.
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
      let exchange = Exchange(request, driver)
      driver.start(exchange, session.dataTask(with: Self.urlRequest(request)))
      return try await HTTPResponseStream(exchange)
    }

    private static func urlRequest(_ request: HTTPRequest) -> URLRequest {
      // URLSession's timeout is the one for idle connections.
      let idle = (request.timeouts.idle ?? request.timeouts.total).map { $0 / .seconds(1) } ?? 86400
      var urlRequest = URLRequest(url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: idle)
      urlRequest.httpMethod = request.method
      urlRequest.httpShouldHandleCookies = false
      if !request.body.isEmpty { urlRequest.httpBody = Data(request.body) }
      for (name, value) in request.headers { urlRequest.addValue(value, forHTTPHeaderField: name) }
      return urlRequest
    }
  }

  /// The transport of this system.
  public typealias SystemTransport = URLSessionTransport

  /// Hands over the events of all tasks of a session to their exchanges.
  private final class URLSessionDriver: NSObject, URLSessionDataDelegate, ExchangeDriver {
    /// URLSession has no way to slow a server down: a reader that leaves more bytes unread loses the response.
    private static let unreadLimit = 16 << 20

    private let entries = Mutex<[Int: Entry]>([:])

    private struct Entry {
      let exchange: Exchange
      let task: URLSessionDataTask
      var timer: Task<Void, Never>?
    }

    func start(_ exchange: Exchange, _ task: URLSessionDataTask) {
      let timer = exchange.deadline.map { deadline in
        Task {
          try? await Task.sleep(until: deadline, clock: .continuous)
          guard !Task.isCancelled else { return }
          exchange.finish(TransportError.timedOut(.total, exchange.request))
          task.cancel()
        }
      }
      entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange, task: task, timer: timer) }
      task.resume()
    }

    func resume(_ exchange: Exchange) {}

    func cancel(_ exchange: Exchange) {
      let entry = entries.withLock { $0.values.first { $0.exchange === exchange } }
      entry?.task.cancel()
    }

    private func exchange(_ task: URLSessionTask) -> Exchange? {
      entries.withLock { $0[task.taskIdentifier]?.exchange }
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
      guard let response = response as? HTTPURLResponse, let exchange = exchange(dataTask) else {
        return completionHandler(.cancel)
      }
      let headers = response.allHeaderFields.map { (name: "\($0.key)", value: "\($0.value)") }
      exchange.receive(HTTPResponseHead(status: response.statusCode, headers: headers))
      completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      guard let exchange = exchange(dataTask) else { return }
      guard exchange.unreadCount + data.count <= Self.unreadLimit else {
        exchange.finish(TransportError.responseTooLarge(limit: Self.unreadLimit))
        return dataTask.cancel()
      }
      data.withUnsafeBytes { exchange.receive($0) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
      guard let entry = entries.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
      entry.timer?.cancel()
      entry.exchange.finish(error.map { Self.transportError($0, entry.exchange.request) })
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
