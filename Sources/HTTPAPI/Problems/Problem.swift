internal import Messages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The reason why a request failed (RFC 9457).
package struct Problem: Error {
  package let kind: ProblemKind
  var status: Int
  let detail: String
  /// The extension members (RFC 9457, section 3.2), in their order.
  var members: [(name: String, value: Member)] = []
  var headers: [(name: StaticString, value: String)] = []
  /// The session that the problem concerns, for a page or a text.
  var shown: Snapshot?
  /// The invalid fields of an input.
  var failures: [InvalidInput.Failure] = []
  /// The refused form.
  var form: RefusedForm?
  /// The cause, for the log only.
  var cause: String?

  enum Member {
    case value(Value)
    case view(Snapshot)
  }

  package init(_ kind: ProblemKind, _ detail: String) {
    self.kind = kind
    self.detail = detail
    status = kind.meaning.status
  }

  func adding(_ name: String, _ value: Value) -> Problem {
    var copy = self
    copy.members.append((name, .value(value)))
    return copy
  }

  func adding(view snapshot: Snapshot?) -> Problem {
    guard let snapshot else { return self }
    var copy = self
    copy.members.append(("view", .view(snapshot)))
    return copy
  }

  func adding(header name: StaticString, _ value: String) -> Problem {
    var copy = self
    copy.headers.append((name, value))
    return copy
  }
}

extension Problem {
  package static func invalidRequest(_ detail: String) -> Problem { Problem(.invalidRequest, detail) }
  static func invalidJSON(_ detail: String) -> Problem { Problem(.invalidJSON, detail) }
  static func notAcceptable(_ detail: String) -> Problem { Problem(.notAcceptable, detail) }
  static func unsupportedMediaType(_ detail: String) -> Problem { Problem(.unsupportedMediaType, detail) }
  package static let notFound = Problem(.notFound, "No resource has this path.")
  static let unknownSession = Problem(.unknownSession, SessionError.unknownSession.sentence)
  static let unknownOffer = Problem(.unknownHandOver, SessionError.unknownOffer.sentence)

  static func methodNotAllowed(_ allow: String) -> Problem {
    Problem(.methodNotAllowed, "This resource allows \(allow).").adding(header: "Allow", allow)
  }

  static func internalError(_ cause: String) -> Problem {
    var problem = Problem(.internalError, "The request failed. The log has the cause.")
    problem.cause = cause
    return problem
  }
}

extension Problem {
  /// Creates the problem of a request that the server refuses before it reaches the API.
  init(_ refusal: Refusal) {
    switch refusal {
    case .badRequest(let detail):
      self = .invalidRequest(detail)
    case .bodyTooLarge(let limit):
      self = Problem(.tooLarge, "The body is longer than \(limit) bytes.")
    case .unsupportedTransferEncoding:
      self = Problem(.notImplemented, "The only transfer coding is chunked.")
    case .overloaded:
      self = Problem(.overloaded, "Too many requests are in flight.").adding(header: "Retry-After", "1")
    case .draining:
      self = Problem(.overloaded, "The service is shutting down.").adding(header: "Retry-After", "5")
    case .timedOut:
      self = Problem(.overloaded, "The response took too long.").adding(header: "Retry-After", "1")
    }
  }
}
