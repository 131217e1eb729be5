internal import HTTPTransport
internal import Values

/// Why a request came to nothing.
public enum UsherError: Error, Sendable, CustomStringConvertible {
  /// The service says no, and why.
  case refused(Problem)
  /// No answer came, however often it was asked.
  case unreachable(String)
  /// What came is no answer of such a service.
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
  /// Whether the same request may get a response later.
  var isTransient: Bool {
    switch self {
    case .overloaded, .cannotConnect, .timedOut, .connectionLost: true
    case .invalidRequest, .untrustedServer, .invalidResponse, .responseTooLarge: false
    }
  }
}

/// A refusal (RFC 9457).
public struct Problem: Sendable {
  /// The last part of its type, such as `stale-revision` or `invalid-input`.
  public let kind: String
  public let status: Int
  public let title: String
  public let detail: String
  /// What does not fit in an input, by the name of the field.
  public let failures: [(field: String, detail: String)]
  /// The session as it is, where the problem has it.
  public let view: View?

  init(_ status: Int, _ answer: Value) {
    kind = answer["type"]?.text?.split(separator: "/").last.map { String($0) } ?? ""
    self.status = status
    title = answer["title"]?.text ?? ""
    detail = answer["detail"]?.text ?? "The service answered \(status)."
    failures =
      answer["errors"]?.elements.compactMap { failure in
        failure["pointer"]?.text.map { (String($0.dropFirst()), failure["detail"]?.text ?? "") }
      } ?? []
    view = answer["view"].flatMap { try? $0.decode(View.self) }
  }
}
