package import Languages
internal import MicroHTTP
internal import Navigation
internal import Sessions
internal import Values
internal import WebPages

/// The reason why a request failed (RFC 9457).
package struct Problem: Error {
  package let kind: ProblemKind
  var status: Int
  /// The sentence about the problem.
  let detail: ServiceMessage
  /// The language of the input that the problem concerns; nil for that of the session, or that of the request.
  var language: ServiceLanguage?
  /// The extension members (RFC 9457, section 3.2), in their order.
  var members: [(name: String, value: Member)] = []
  var headers: [(name: StaticString, value: String)] = []
  /// The session that the problem concerns, for a page or a text.
  var shown: Snapshot?
  /// The session that has expired, for a page.
  var ended: StoredSession?
  /// The invalid fields of an input.
  var failures: [InvalidInput.Failure] = []
  /// The refused form.
  var form: RefusedForm?
  /// The page of the start address that the problem concerns.
  var address: StartAddressPage?
  /// The cause, for the log only.
  var cause: String?

  enum Member {
    case value(Value)
    case message(ServiceMessage)
    case failures([InvalidInput.Failure])
    case view(Snapshot)
  }

  package init(_ kind: ProblemKind, _ detail: ServiceMessage) {
    self.kind = kind
    self.detail = detail
    status = kind.status
  }

  init(
    _ kind: ProblemKind, _ text: ServiceText, _ arguments: KeyValuePairs<String, TextArgument.Value> = [:]
  ) {
    self.init(kind, ServiceMessage(text, arguments))
  }

  /// Returns the problem with another value of a property.
  func with<Value>(_ property: WritableKeyPath<Problem, Value>, _ value: Value) -> Problem {
    var copy = self
    copy[keyPath: property] = value
    return copy
  }

  func adding(_ name: String, _ value: Value) -> Problem { adding(name, .value(value)) }

  func adding(_ name: String, _ member: Member) -> Problem { with(\.members, members + [(name, member)]) }

  func adding(view snapshot: Snapshot?) -> Problem {
    snapshot.map { adding("view", .view($0)) } ?? self
  }

  func adding(header name: StaticString, _ value: String) -> Problem { with(\.headers, headers + [(name, value)]) }

  package static func invalidRequest(_ detail: ServiceMessage) -> Problem { Problem(.invalidRequest, detail) }

  static func invalidRequest(
    _ text: ServiceText, _ arguments: KeyValuePairs<String, TextArgument.Value> = [:]
  ) -> Problem {
    Problem(.invalidRequest, text, arguments)
  }

  package static let notFound = Problem(.notFound, .noResource)
  static let stillLoading = Problem(.overloaded, .stillLoading).adding(header: "Retry-After", "1")
  static let unknownSession = Problem(.unknownSession, .unknownSession)
  static let unknownOffer = Problem(.unknownHandOver, .unknownHandOver)

  static func internalError(_ cause: String) -> Problem {
    Problem(.internalError, .requestFailed).with(\.cause, cause)
  }

  /// Creates the problem of a request that the server refuses before it reaches the API.
  init(_ refusal: Refusal) {
    self =
      switch refusal {
      case .badRequest(let detail): .invalidRequest("\(detail)")
      case .headTooLong(let limit):
        Problem(.tooLarge, .headTooLong, ["limit": .integer(limit)]).with(\.status, refusal.status)
      case .bodyTooLarge(let limit): Problem(.tooLarge, .bodyTooLong, ["limit": .integer(limit)])
      case .unsupportedTransferEncoding: Problem(.notImplemented, .onlyChunked)
      case .overloaded: Problem(.overloaded, .tooManyInFlight).adding(header: "Retry-After", "1")
      case .draining: Problem(.overloaded, .shuttingDown).adding(header: "Retry-After", "5")
      case .timedOut: Problem(.overloaded, .tookTooLong).adding(header: "Retry-After", "1")
      }
  }
}
