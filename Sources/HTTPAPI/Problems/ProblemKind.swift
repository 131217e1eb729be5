/// The kinds of problems. The raw value is the last segment of the problem's `type`.
package enum ProblemKind: String, CaseIterable, Sendable {
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

  /// The default status code.
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

  /// The title, which is the same for all problems of the kind.
  var title: String {
    switch self {
    case .invalidJSON: "Invalid JSON"
    case .invalidRequest: "Malformed request"
    case .unauthorized: "Authentication required"
    case .forbidden: "Permission denied"
    case .notFound: "Not found"
    case .unknownApp: "Unknown app"
    case .unknownSession: "Unknown session"
    case .unknownHandOver: "Unknown hand-over"
    case .readOnly: "Read-only session"
    case .sessionExpired: "Session expired"
    case .sessionFinished: "Session finished"
    case .sessionOutdated: "Outdated session"
    case .unknownAction: "Unknown action"
    case .actionUnavailable: "Action unavailable"
    case .invalidInput: "Invalid input"
    case .invalidLink: "Invalid link"
    case .staleRevision: "Stale revision"
    case .idempotencyConflict: "Idempotency key reused"
    case .methodNotAllowed: "Method not allowed"
    case .notAcceptable: "Not acceptable"
    case .unsupportedMediaType: "Unsupported media type"
    case .tooLarge: "Body too large"
    case .misdirected: "Misdirected request"
    case .limitReached: "Limit reached"
    case .rateLimited: "Too many requests"
    case .overloaded: "Service unavailable"
    case .notImplemented: "Transfer coding not implemented"
    case .internalError: "Internal error"
    }
  }

  /// The remedy, which `GET /problems/{slug}` shows.
  var advice: String {
    switch self {
    case .invalidJSON:
      "Send one JSON value (RFC 8259) in UTF-8, without duplicate keys and with at most 32 levels of nesting."
    case .invalidRequest: "Correct the query parameter, header or member that the detail names."
    case .unauthorized: "Send a valid token: Authorization: Bearer TOKEN, or as the password of Basic."
    case .forbidden:
      "If a permission is missing, ask the operator for a token that has it. Otherwise send the request from a page of this service, or as application/json."
    case .notFound: "Start at / and follow the links."
    case .unknownApp: "Choose one of the listed apps."
    case .unknownSession: "Create a session with POST /v1/sessions."
    case .unknownHandOver: "Create a new link on the device with the session. A link works once, for ten minutes."
    case .readOnly: "Continue on the device that has the session, or hand the session over to this device."
    case .sessionExpired: "Create a new session with POST /v1/sessions."
    case .sessionFinished: "Read its result with GET, or create a new session."
    case .sessionOutdated:
      "The history can be read. The session continues when a version of the app runs that can migrate it."
    case .unknownAction: "Use one of the actions of the view."
    case .actionUnavailable: "The member reason explains why. The member view has the available actions."
    case .invalidInput: "Each of the errors has the JSON Pointer of a member and the keyword of the schema that failed."
    case .invalidLink: "GET /v1/apps/{app} lists the links. The member step names the step that failed."
    case .staleRevision: "The member view has the current state of the session. Decide again from there."
    case .idempotencyConflict: "Use a new key for a new request."
    case .methodNotAllowed: "The header Allow lists the methods."
    case .notAcceptable: "Accept application/json."
    case .unsupportedMediaType: "Send Content-Type: application/json."
    case .tooLarge: "Send a smaller body. The detail has the limit."
    case .misdirected:
      "Use an IP address, localhost, a name without a dot, or a name of --allowed-hosts."
    case .limitReached:
      "Retry after Retry-After seconds if the header is present. Otherwise go back, end a session, or close an event stream first."
    case .rateLimited: "Retry after Retry-After seconds, and observe RateLimit-Policy."
    case .overloaded: "Retry after Retry-After seconds."
    case .notImplemented: "Send the body with Content-Length or in chunks."
    case .internalError: "The operator finds the cause in the log by requestId."
    }
  }
}
