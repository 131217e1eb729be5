internal import Access
internal import MicroHTTP

extension Problem {
  /// Nobody knows who makes the request (RFC 9110, section 15.5.2).
  ///
  /// - Parameter isPresented: whether it came with a credential (RFC 6750, section 3.1).
  static func unauthorized(_ detail: String, _ request: Request, isPresented: Bool) -> Problem {
    let error = isPresented ? #", error="invalid_token""# : ""
    let problem = Problem(.unauthorized, detail).adding(header: challenge, bearer + error)
    // A browser asks a person for a name and a password, and other programs are not to.
    guard MediaType.prefersPage(request.header("Accept")) else { return problem }
    return problem.adding(header: challenge, #"Basic realm="usher", charset="UTF-8""#)
  }

  /// Who makes the request is known, and may not do this (RFC 6750, section 3.1).
  static func insufficientScope(_ permissions: Permissions) -> Problem {
    Problem(.forbidden, "The token does not have the permission to \(permissions.names).")
      .adding(header: challenge, #"\#(bearer), error="insufficient_scope", scope="\#(permissions.scopes)""#)
  }

  private static let challenge: StaticString = "WWW-Authenticate"
  private static let bearer = #"Bearer realm="usher""#
}
