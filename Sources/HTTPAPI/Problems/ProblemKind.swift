/// The kinds of problems, by the last part of their `type` (design: api, "Errors").
enum ProblemKind: String, CaseIterable, Sendable {
  case invalidJSON = "invalid-json"
  case invalidRequest = "invalid-request"
  case unauthorized
  case forbidden
  case notFound = "not-found"
  case unknownApp = "unknown-app"
  case unknownSession = "unknown-session"
  case unknownHandOver = "unknown-hand-over"
  case readOnly = "read-only"
  case sessionExpired = "session-expired"
  case sessionFinished = "session-finished"
  case sessionOutdated = "session-outdated"
  case unknownAction = "unknown-action"
  case actionUnavailable = "action-unavailable"
  case invalidInput = "invalid-input"
  case invalidLink = "invalid-link"
  case staleRevision = "stale-revision"
  case idempotencyConflict = "idempotency-conflict"
  case methodNotAllowed = "method-not-allowed"
  case notAcceptable = "not-acceptable"
  case unsupportedMediaType = "unsupported-media-type"
  case tooLarge = "too-large"
  case misdirected = "misdirected-request"
  case limitReached = "limit-reached"
  case rateLimited = "rate-limited"
  case overloaded
  case notImplemented = "not-implemented"
  case internalError = "internal-error"

  /// The status that the kind has wherever nothing else is said.
  var status: Int {
    switch self {
    case .invalidJSON, .invalidRequest: 400
    case .unauthorized: 401
    case .forbidden, .readOnly: 403
    case .notFound, .unknownSession, .unknownHandOver, .unknownAction: 404
    case .methodNotAllowed: 405
    case .notAcceptable: 406
    case .sessionFinished, .sessionOutdated, .actionUnavailable, .staleRevision: 409
    case .sessionExpired: 410
    case .tooLarge: 413
    case .unsupportedMediaType: 415
    case .unknownApp, .invalidInput, .invalidLink, .idempotencyConflict: 422
    case .misdirected: 421
    case .limitReached, .rateLimited: 429
    case .internalError: 500
    case .notImplemented: 501
    case .overloaded: 503
    }
  }

  var title: String {
    switch self {
    case .invalidJSON: "The body is not valid JSON"
    case .invalidRequest: "The request is malformed"
    case .unauthorized: "It is not known who makes the request"
    case .forbidden: "That is not allowed"
    case .notFound: "There is nothing here"
    case .unknownApp: "The app is not hosted here"
    case .unknownSession: "There is no such session"
    case .unknownHandOver: "There is nothing to take over"
    case .readOnly: "The session can only be read here"
    case .sessionExpired: "The session is over"
    case .sessionFinished: "The session has finished"
    case .sessionOutdated: "The session is of another version of its app"
    case .unknownAction: "The app has no such action"
    case .actionUnavailable: "The action is not available now"
    case .invalidInput: "The input does not fit"
    case .invalidLink: "The link leads nowhere"
    case .staleRevision: "The session has moved on"
    case .idempotencyConflict: "The idempotency key was used for another request"
    case .methodNotAllowed: "The method is not allowed here"
    case .notAcceptable: "There is no acceptable representation"
    case .unsupportedMediaType: "The body has an unsupported type"
    case .tooLarge: "The body is too large"
    case .misdirected: "Misdirected request"
    case .limitReached: "A limit is reached"
    case .rateLimited: "Too many requests"
    case .overloaded: "The service is busy or going down"
    case .notImplemented: "The transfer coding is not implemented"
    case .internalError: "Something went wrong here"
    }
  }

  /// What to do about it, for whoever follows the `type`.
  var advice: String {
    switch self {
    case .invalidJSON: "Send one JSON value (RFC 8259) in UTF-8, without duplicate keys, nested at most 32 levels deep."
    case .invalidRequest: "Correct the query, header or member that the detail names."
    case .unauthorized: "Send a token that is valid: Authorization: Bearer TOKEN, or as the password of Basic."
    case .forbidden:
      "Where a permission is missing, ask the operator for a token that has it; otherwise send it from a page of this service, or as application/json."
    case .notFound: "Start at / and follow the links."
    case .unknownApp: "Choose one of apps."
    case .unknownSession: "Create a session with POST /v1/sessions."
    case .unknownHandOver: "Ask for a new link on the device that has the session: each is good once, for ten minutes."
    case .readOnly: "Go on on the device that it was handed over to, or have that hand it over to this one."
    case .sessionExpired: "Create a new session with POST /v1/sessions."
    case .sessionFinished: "Read its result with GET, or create a new session."
    case .sessionOutdated: "Its history can be read, and it goes on as soon as a version of the app runs that knows it."
    case .unknownAction: "Do one of the actions of the view."
    case .actionUnavailable: "The reason says why; view has what is available."
    case .invalidInput: "Each of errors names a member by its JSON Pointer, and the keyword of the schema that failed."
    case .invalidLink: "GET /v1/apps/{app} lists the links; step names the step that failed."
    case .staleRevision: "view is the session as it is now: decide again from there."
    case .idempotencyConflict: "Use a new key for a new request."
    case .methodNotAllowed: "Allow lists the methods."
    case .notAcceptable: "Accept application/json."
    case .unsupportedMediaType: "Send Content-Type: application/json."
    case .tooLarge: "Send less: the detail says how much may be sent."
    case .misdirected:
      "Use an IP address, localhost, a name without a dot, or a name of --allowed-hosts."
    case .limitReached:
      "Try again after Retry-After seconds where it is given; otherwise go back, end a session, or close an event stream, first."
    case .rateLimited: "Try again after Retry-After seconds, and keep to RateLimit-Policy."
    case .overloaded: "Try again after Retry-After seconds."
    case .notImplemented: "Send the body with Content-Length or in chunks."
    case .internalError: "The operator finds the cause in the log under requestId."
    }
  }
}
