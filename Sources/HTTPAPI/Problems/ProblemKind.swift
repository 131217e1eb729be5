internal import Languages

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
  case unknownSignal = "unknown-signal"
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

  /// The default status code, the title, which is the same for all problems of the kind, and the remedy, which
  /// `GET /problems/{slug}` shows to developers.
  private var meaning: (status: Int, title: ServiceText, advice: String) {
    switch self {
    case .invalidJSON:
      (
        400, .titleInvalidJSON,
        "Send one JSON value (RFC 8259) in UTF-8, without duplicate keys and with at most 32 levels of nesting."
      )
    case .invalidRequest:
      (400, .titleInvalidRequest, "Correct the query parameter, header or member that the detail names.")
    case .unauthorized:
      (401, .titleUnauthorized, "Send a valid token: Authorization: Bearer TOKEN, or as the password of Basic.")
    case .forbidden:
      (
        403, .titleForbidden,
        "If a permission is missing, ask the operator for a token that has it. Otherwise send the request from a page of this service, or as application/json."
      )
    case .notFound: (404, .titleNotFound, "Start at / and follow the links.")
    case .unknownApp: (422, .titleUnknownApp, "Choose one of the listed apps.")
    case .unknownSession: (404, .titleUnknownSession, "Create a session with POST /v1/sessions.")
    case .unknownHandOver:
      (
        404, .titleUnknownHandOver,
        "Create a new link on the device with the session. A link works once, for ten minutes."
      )
    case .unknownSignal:
      (
        404, .titleUnknownSignal,
        "Send no further signal to this address: it is wrong, or the session no longer waits for one. With an app in the path, use the name of a signal that the app declares."
      )
    case .readOnly:
      (403, .titleReadOnly, "Continue on the device that has the session, or hand the session over to this device.")
    case .sessionExpired: (410, .titleSessionExpired, "Create a new session with POST /v1/sessions.")
    case .sessionFinished: (409, .titleSessionFinished, "Read its result with GET, or create a new session.")
    case .sessionOutdated:
      (
        409, .titleSessionOutdated,
        "The history can be read. The session continues when a version of the app runs that can migrate it."
      )
    case .unknownAction: (404, .titleUnknownAction, "Use one of the actions of the view.")
    case .actionUnavailable:
      (409, .titleActionUnavailable, "The member reason explains why. The member view has the available actions.")
    case .invalidInput:
      (
        422, .titleInvalidInput,
        "Each of the errors has the JSON Pointer of a member and the keyword of the schema that failed."
      )
    case .invalidLink:
      (422, .titleInvalidLink, "GET /v1/apps/{app} lists the links. The member step names the step that failed.")
    case .staleRevision:
      (409, .titleStaleRevision, "The member view has the current state of the session. Decide again from there.")
    case .idempotencyConflict: (422, .titleIdempotencyConflict, "Use a new key for a new request.")
    case .methodNotAllowed: (405, .titleMethodNotAllowed, "The header Allow lists the methods.")
    case .notAcceptable: (406, .titleNotAcceptable, "Accept application/json.")
    case .unsupportedMediaType: (415, .titleUnsupportedMediaType, "Send Content-Type: application/json.")
    case .tooLarge:
      (413, .titleTooLarge, "Send a smaller body, or fewer headers and cookies. The detail has the limit.")
    case .misdirected:
      (421, .titleMisdirected, "Use an IP address, localhost, a name without a dot, or a name of --allowed-hosts.")
    case .limitReached:
      (
        429, .titleLimitReached,
        "Retry after Retry-After seconds if the header is present. Otherwise go back, end a session, or close an event stream first."
      )
    case .rateLimited: (429, .titleRateLimited, "Retry after Retry-After seconds, and observe RateLimit-Policy.")
    case .overloaded: (503, .titleOverloaded, "Retry after Retry-After seconds.")
    case .notImplemented: (501, .titleNotImplemented, "Send the body with Content-Length or in chunks.")
    case .internalError: (500, .titleInternalError, "The operator finds the cause in the log by requestId.")
    }
  }

  var status: Int { meaning.status }
  var title: ServiceText { meaning.title }
  var advice: String { meaning.advice }
}
