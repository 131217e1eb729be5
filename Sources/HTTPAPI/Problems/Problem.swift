internal import Navigation
internal import Sessions
internal import Values

/// What went wrong with a request (RFC 9457).
struct Problem: Error {
  let kind: ProblemKind
  var status: Int
  let detail: String
  /// Members beside those of every problem, in their order.
  var members: [(name: String, value: Member)] = []
  var headers: [(name: StaticString, value: String)] = []
  /// Where the session is that the problem is about, for a page.
  var shown: Snapshot?
  /// What does not fit in an input.
  var failures: [InvalidInput.Failure] = []
  /// The form that it was typed in.
  var form: RefusedForm?
  /// For the log only.
  var cause: String?

  enum Member {
    case value(Value)
    case view(Snapshot)
  }

  init(_ kind: ProblemKind, _ detail: String) {
    self.kind = kind
    self.detail = detail
    status = kind.status
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
  static func invalidRequest(_ detail: String) -> Problem { Problem(.invalidRequest, detail) }
  static func invalidJSON(_ detail: String) -> Problem { Problem(.invalidJSON, detail) }
  static func notAcceptable(_ detail: String) -> Problem { Problem(.notAcceptable, detail) }
  static func unsupportedMediaType(_ detail: String) -> Problem { Problem(.unsupportedMediaType, detail) }
  static let notFound = Problem(.notFound, "No resource has this path.")
  static let unknownSession = Problem(.unknownSession, "No session has this id.")
  static let unknownOffer = Problem(.unknownHandOver, "The link was used, has expired or never was.")

  static func methodNotAllowed(_ allow: String) -> Problem {
    Problem(.methodNotAllowed, "This resource allows \(allow).").adding(header: "Allow", allow)
  }

  static func internalError(_ cause: String) -> Problem {
    var problem = Problem(.internalError, "The request could not be carried out; the log says why.")
    problem.cause = cause
    return problem
  }
}
