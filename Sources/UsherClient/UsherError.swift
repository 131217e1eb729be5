/// The reason why a request failed.
public enum UsherError: Error, Sendable, CustomStringConvertible {
  /// The service refused the request.
  case refused(Problem)
  /// No attempt got a response.
  case unreachable(String)
  /// The response is not one that Usher sends, or the address is not a path on the service.
  case unreadable(String)

  public var description: String {
    switch self {
    case .refused(let problem): problem.detail
    case .unreachable(let reason), .unreadable(let reason): reason
    }
  }
}

extension UsherError {
  init(_ error: TransportError) {
    switch error {
    case .invalidResponse, .responseTooLarge: self = .unreadable("\(error)")
    case .invalidRequest, .overloaded, .cannotConnect, .untrustedServer, .timedOut, .connectionLost:
      self = .unreachable("\(error)")
    }
  }
}

extension TransportError {
  /// Whether a retry may succeed.
  var isTransient: Bool {
    switch self {
    case .overloaded, .cannotConnect, .timedOut, .connectionLost: true
    case .invalidRequest, .untrustedServer, .invalidResponse, .responseTooLarge: false
    }
  }
}

/// The problem details of a refused request (RFC 9457).
public struct Problem: Sendable {
  /// The last component of the problem's type, such as `stale-revision` or `invalid-input`.
  public let kind: String
  public let status: Int
  public let title: String
  public let detail: String
  /// The invalid fields of an input.
  public let failures: [(field: String, detail: String)]
  /// The current view of the session, if the problem includes it.
  public let view: SessionView?

  init(_ status: Int, _ json: JSONValue) {
    kind = json["type"]?.string?.split(separator: "/").last.map { String($0) } ?? ""
    self.status = status
    title = json["title"]?.string ?? ""
    detail = json["detail"]?.string ?? "The service responded with status \(status)."
    failures = (json["errors"]?.elements ?? []).compactMap { failure in
      failure["pointer"]?.string.map { (String($0.dropFirst()), failure["detail"]?.string ?? "") }
    }
    view = json["view"].flatMap { try? SessionView($0) }
  }
}
