internal import Access
internal import Foundation
internal import Languages
internal import MicroHTTP
internal import Values

extension Call {
  /// Establishes the principal. ``requirePermissions()`` refuses an invalid credential later, because the credential
  /// counts against a rate limit first.
  mutating func authenticate() {
    // A route that requires no permission ignores credentials.
    guard let route, !route.permissions.isEmpty else { return }
    do throws(Problem) {
      guard let token = try token() else { return }
      principal = try principal(of: token)
    } catch {
      principal = nil
      credentialProblem = error
    }
  }

  /// Throws unless the principal has the permissions of the route.
  func requirePermissions() throws(Problem) {
    if let credentialProblem { throw credentialProblem }
    guard let route, let principal else { return }
    let missing = route.permissions.subtracting(principal.permissions)
    guard !missing.isEmpty else { return }
    if principal.name == nil { throw unauthorized(.tokenRequired, isPresented: false) }
    // RFC 6750, section 3.1.
    throw Problem(.forbidden, .missingPermission, ["permissions": .text(missing.names)])
      .adding(header: Self.challenge, #"\#(Self.bearer), error="insufficient_scope", scope="\#(missing.scopes)""#)
  }

  private func principal(of token: String) throws(Problem) -> Principal {
    do throws(TokenError) {
      return try api.configuration.authenticator.principal(of: token)
    } catch {
      throw unauthorized(error == .expired ? .tokenExpired : .tokenInvalid)
    }
  }

  /// Returns the token in `Authorization` (RFC 6750, section 2.1; RFC 7617, section 2); nil without a credential.
  ///
  /// - Throws: an ``unauthorized`` problem if the credential is malformed. The problem never quotes the credential.
  private func token() throws(Problem) -> String? {
    guard let header = request.header("Authorization") else { return nil }
    // A comma joins two headers. No credential of these schemes contains one.
    guard !header.utf8.contains(UInt8(ascii: ",")) else { throw unauthorized(.tokenTwice) }
    let parts = header.split(maxSplits: 1) { $0 == " " }
    let value = (parts.dropFirst().first ?? "").drop { $0 == " " }
    switch parts.first?.lowercased() {
    case "bearer": return try bearer(value)
    case "basic": return try basic(value)
    default: throw unauthorized(.tokenScheme, isPresented: false)
    }
  }

  private func bearer(_ value: Substring) throws(Problem) -> String {
    let isToken = value.utf8.allSatisfy { $0.isASCIILetter || "0123456789-._~+/=".utf8.contains($0) }
    guard isToken, !value.isEmpty else { throw unauthorized(.tokenBearer) }
    return String(value)
  }

  /// Returns the password. The name is ignored, because the token names its principal.
  private func basic(_ value: Substring) throws(Problem) -> String {
    guard let bytes = Data(base64Encoded: String(value)), let pair = String(validating: bytes, as: UTF8.self),
      let colon = pair.firstIndex(of: ":")
    else {
      throw unauthorized(.tokenBasic)
    }
    let password = pair[pair.index(after: colon)...]
    guard !password.isEmpty else { throw unauthorized(.tokenEmptyPassword) }
    return String(password)
  }

  /// Returns the problem of a request without valid credentials (RFC 9110, section 15.5.2).
  ///
  /// - Parameter isPresented: whether the request has a credential (RFC 6750, section 3.1).
  private func unauthorized(_ detail: ServiceText, isPresented: Bool = true) -> Problem {
    let error = isPresented ? #", error="invalid_token""# : ""
    let problem = Problem(.unauthorized, detail).adding(header: Self.challenge, Self.bearer + error)
    // The Basic challenge makes a browser prompt for a name and a password. Other programs must not prompt.
    guard MediaType.prefersPage(request.header("Accept")) else { return problem }
    return problem.adding(header: Self.challenge, #"Basic realm="usher", charset="UTF-8""#)
  }

  private static let challenge: StaticString = "WWW-Authenticate"
  private static let bearer = #"Bearer realm="usher""#
}
