package import Access
package import MicroHTTP

/// One row of a route table: the contract of an operation, as `openapi.yaml` documents it.
package final class Route: Sendable {
  /// The function that responds to the calls of a route, or throws a ``Problem`` or a `SessionError`.
  package typealias Operation = @Sendable (Call) throws -> Outcome

  /// The response of an operation, or the work that leads to it: a `Reply` of MicroHTTP whose work may throw a problem.
  package enum Outcome {
    case response(Response)
    /// Work that awaits something in a task, and the rest of the work.
    case later(@Sendable () async throws -> Outcome)
    /// Work that waits because the client asks for it; see `Reply.waiting`.
    case waiting(@Sendable () async throws -> Response)
    /// Work that waits for a callback, without a task, and passes the rest of the work to `resume`, once, on any
    /// thread.
    case callback(@Sendable (_ resume: @escaping Resumption) -> Void)

    package typealias Resumption = @Sendable (_ rest: @escaping @Sendable () throws -> Outcome) -> Void
  }

  let method: Method
  /// The path, with placeholders such as `{id}`, as `openapi.yaml` has it. The placeholder of several segments has no dots
  /// there.
  let path: String
  /// The segments of the path.
  let segments: [Segment]
  /// Whether the last placeholder takes all further segments of a path, at least one.
  let takesRest: Bool
  /// The permissions that the principal needs. A route that requires none ignores credentials.
  let permissions: Permissions
  /// Whether requests count against the client's rate limit. False for health and metrics, which machines poll, and for
  /// static files, which are the same for all clients.
  let isRateLimited: Bool
  /// The allowed query parameters.
  let query: [StaticString]
  /// Whether other query parameters are ignored, as on a page to which trackers add their own.
  let takesAnyQuery: Bool
  /// Whether a page of an allowed origin may submit a form.
  let takesForeignForms: Bool
  let body: Body
  let content: Content
  let begin: Operation

  /// The request bodies that a route accepts.
  package enum Body: Sendable, Equatable {
    /// Ignores the body.
    case none
    /// Accepts an empty body, an empty JSON object and a form without fields.
    case empty
    /// Accepts a JSON object of some of these members, an empty body for an empty object, and a form.
    case object([String])
    /// Accepts any JSON value, an empty body for an empty object, and a form.
    case value
    /// Accepts a form only.
    case form
  }

  /// The content types that a route offers.
  package enum Content: Sendable, Equatable {
    case representations([Representation])
    case mediaType(String)
    /// One content type, regardless of `Accept`.
    case fixed

    static let json = Content.representations([.json])
    static let anyView = Content.representations(Representation.allCases)
  }

  package enum Segment: Sendable, Equatable {
    case literal([UInt8])
    /// A placeholder, by its name.
    case parameter([UInt8])
    /// The placeholder of all further segments, such as `{link...}`.
    case rest
  }

  package init(
    _ method: Method, _ path: String, permissions: Permissions = .act, isRateLimited: Bool = true,
    query: [StaticString] = [], takesAnyQuery: Bool = false, body: Body = .none, takesForeignForms: Bool = false,
    content: Content, _ begin: @escaping Operation
  ) {
    self.method = method
    self.path = path.replacing("...}", with: "}")
    self.permissions = permissions
    self.isRateLimited = isRateLimited
    self.query = query
    self.takesAnyQuery = takesAnyQuery
    self.takesForeignForms = takesForeignForms
    self.body = body
    self.content = content
    self.begin = begin
    segments = path.split(separator: "/").map { segment in
      if segment.hasSuffix("...}") { return .rest }
      return segment.hasPrefix("{")
        ? .parameter(Array(segment.dropFirst().dropLast().utf8)) : .literal(Array(segment.utf8))
    }
    takesRest = path.hasSuffix("...}")
  }

  /// Returns an operation that always waits.
  package static func later(_ respond: @escaping @Sendable (Call) async throws -> Response) -> Operation {
    { call in .later { [call] in .response(try await respond(call)) } }
  }
}
