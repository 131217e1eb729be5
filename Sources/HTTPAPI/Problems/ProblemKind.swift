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

  /// The default status code, and the remedy, which `GET /problems/{slug}` shows to developers.
  var meaning: (status: Int, advice: String) {
    switch self {
    case .invalidJSON:
      (
        400, "Send one JSON value (RFC 8259) in UTF-8, without duplicate keys and with at most 32 levels of nesting."
      )
    case .invalidRequest:
      (400, "Correct the query parameter, header or member that the detail names.")
    case .unauthorized:
      (
        401, "Send a valid token: Authorization: Bearer TOKEN, or as the password of Basic."
      )
    case .forbidden:
      (
        403,
        "If a permission is missing, ask the operator for a token that has it. Otherwise send the request from a page of this service, or as application/json."
      )
    case .notFound: (404, "Start at / and follow the links.")
    case .unknownApp: (422, "Choose one of the listed apps.")
    case .unknownSession: (404, "Create a session with POST /v1/sessions.")
    case .unknownHandOver:
      (
        404, "Create a new link on the device with the session. A link works once, for ten minutes."
      )
    case .unknownSignal:
      (
        404,
        "Send no further signal to this address: it is wrong, or the session no longer waits for one. With an app in the path, use the name of a signal that the app declares."
      )
    case .readOnly:
      (
        403, "Continue on the device that has the session, or hand the session over to this device."
      )
    case .sessionExpired: (410, "Create a new session with POST /v1/sessions.")
    case .sessionFinished: (409, "Read its result with GET, or create a new session.")
    case .sessionOutdated:
      (
        409, "The history can be read. The session continues when a version of the app runs that can migrate it."
      )
    case .unknownAction: (404, "Use one of the actions of the view.")
    case .actionUnavailable:
      (409, "The member reason explains why. The member view has the available actions.")
    case .invalidInput:
      (
        422, "Each of the errors has the JSON Pointer of a member and the keyword of the schema that failed."
      )
    case .invalidLink:
      (422, "GET /v1/apps/{app} lists the links. The member step names the step that failed.")
    case .staleRevision:
      (409, "The member view has the current state of the session. Decide again from there.")
    case .idempotencyConflict: (422, "Use a new key for a new request.")
    case .methodNotAllowed: (405, "The header Allow lists the methods.")
    case .notAcceptable: (406, "Accept application/json.")
    case .unsupportedMediaType: (415, "Send Content-Type: application/json.")
    case .tooLarge: (413, "Send a smaller body, or fewer headers and cookies. The detail has the limit.")
    case .misdirected:
      (
        421, "Use an IP address, localhost, a name without a dot, or a name of --allowed-hosts."
      )
    case .limitReached:
      (
        429,
        "Retry after Retry-After seconds if the header is present. Otherwise go back, end a session, or close an event stream first."
      )
    case .rateLimited:
      (429, "Retry after Retry-After seconds, and observe RateLimit-Policy.")
    case .overloaded: (503, "Retry after Retry-After seconds.")
    case .notImplemented:
      (501, "Send the body with Content-Length or in chunks.")
    case .internalError: (500, "The operator finds the cause in the log by requestId.")
    }
  }

  /// The title, which is the same for all problems of the kind.
  var title: ServiceText {
    switch self {
    case .invalidJSON: .titleInvalidJSON
    case .invalidRequest: .titleInvalidRequest
    case .unauthorized: .titleUnauthorized
    case .forbidden: .titleForbidden
    case .notFound: .titleNotFound
    case .unknownApp: .titleUnknownApp
    case .unknownSession: .titleUnknownSession
    case .unknownHandOver: .titleUnknownHandOver
    case .unknownSignal: .titleUnknownSignal
    case .readOnly: .titleReadOnly
    case .sessionExpired: .titleSessionExpired
    case .sessionFinished: .titleSessionFinished
    case .sessionOutdated: .titleSessionOutdated
    case .unknownAction: .titleUnknownAction
    case .actionUnavailable: .titleActionUnavailable
    case .invalidInput: .titleInvalidInput
    case .invalidLink: .titleInvalidLink
    case .staleRevision: .titleStaleRevision
    case .idempotencyConflict: .titleIdempotencyConflict
    case .methodNotAllowed: .titleMethodNotAllowed
    case .notAcceptable: .titleNotAcceptable
    case .unsupportedMediaType: .titleUnsupportedMediaType
    case .tooLarge: .titleTooLarge
    case .misdirected: .titleMisdirected
    case .limitReached: .titleLimitReached
    case .rateLimited: .titleRateLimited
    case .overloaded: .titleOverloaded
    case .notImplemented: .titleNotImplemented
    case .internalError: .titleInternalError
    }
  }
}
