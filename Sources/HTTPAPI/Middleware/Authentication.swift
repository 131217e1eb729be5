internal import Access
internal import Foundation
internal import Languages
internal import MicroHTTP
internal import Values

/// Establishes the principal of a call. ``Authorization`` refuses an invalid credential later, because the credential
/// counts against a rate limit first.
final class Authentication: RequestMiddleware {
  private let authenticator: Authenticator

  init(_ authenticator: Authenticator) { self.authenticator = authenticator }

  func receive(_ call: inout Call) {
    // A route that requires no permission ignores credentials.
    guard let route = call.route, !route.permissions.isEmpty else { return }
    do throws(Problem) {
      guard let token = try Credential.token(of: call.request) else { return }
      call.principal = try principal(of: token, call.request)
    } catch {
      call.principal = nil
      call.credentialProblem = error
    }
  }

  private func principal(of token: String, _ request: Request) throws(Problem) -> Principal {
    do throws(TokenError) {
      return try authenticator.principal(of: token)
    } catch {
      let detail = error == .expired ? ServiceText.tokenExpired : .tokenInvalid
      throw .unauthorized(detail, request, isPresented: true)
    }
  }
}

/// The token in `Authorization` (RFC 6750, section 2.1; RFC 7617, section 2).
enum Credential {
  /// Returns the token of a request; nil if the request has no credential.
  ///
  /// - Throws: an ``unauthorized`` problem if the credential is malformed. The problem never quotes the credential.
  static func token(of request: Request) throws(Problem) -> String? {
    guard let header = request.header("Authorization") else { return nil }
    // A comma joins two headers. No credential of these schemes contains one.
    guard !header.utf8.contains(UInt8(ascii: ",")) else {
      throw .unauthorized(.tokenTwice, request, isPresented: true)
    }
    let parts = header.split(maxSplits: 1) { $0 == " " }
    let value = (parts.dropFirst().first ?? "").drop { $0 == " " }
    switch parts.first?.lowercased() {
    case "bearer": return try bearer(value, request)
    case "basic": return try basic(value, request)
    default: throw .unauthorized(.tokenScheme, request, isPresented: false)
    }
  }

  private static func bearer(_ value: Substring, _ request: Request) throws(Problem) -> String {
    let isToken = value.utf8.allSatisfy { $0.isASCIILetter || "0123456789-._~+/=".utf8.contains($0) }
    guard isToken, !value.isEmpty else {
      throw .unauthorized(.tokenBearer, request, isPresented: true)
    }
    return String(value)
  }

  /// Returns the password. The name is ignored, because the token names its principal.
  private static func basic(_ value: Substring, _ request: Request) throws(Problem) -> String {
    guard let bytes = Data(base64Encoded: String(value)), let pair = String(validating: bytes, as: UTF8.self),
      let colon = pair.firstIndex(of: ":")
    else {
      throw .unauthorized(.tokenBasic, request, isPresented: true)
    }
    let password = pair[pair.index(after: colon)...]
    guard !password.isEmpty else {
      throw .unauthorized(.tokenEmptyPassword, request, isPresented: true)
    }
    return String(password)
  }
}

extension Problem {
  /// Creates the problem of a request without valid credentials (RFC 9110, section 15.5.2).
  ///
  /// - Parameter isPresented: whether the request has a credential (RFC 6750, section 3.1).
  static func unauthorized(_ detail: ServiceText, _ request: Request, isPresented: Bool) -> Problem {
    let error = isPresented ? #", error="invalid_token""# : ""
    let problem = Problem(.unauthorized, detail).adding(header: challenge, bearer + error)
    // The Basic challenge makes a browser prompt for a name and a password. Other programs must not prompt.
    guard MediaType.prefersPage(request.header("Accept")) else { return problem }
    return problem.adding(header: challenge, #"Basic realm="usher", charset="UTF-8""#)
  }

  /// Creates the problem of a principal that lacks permissions (RFC 6750, section 3.1).
  static func insufficientScope(_ permissions: Permissions) -> Problem {
    Problem(.forbidden, .missingPermission, ["permissions": .text(permissions.names)])
      .adding(header: challenge, #"\#(bearer), error="insufficient_scope", scope="\#(permissions.scopes)""#)
  }

  private static let challenge: StaticString = "WWW-Authenticate"
  private static let bearer = #"Bearer realm="usher""#
}

/// Refuses calls whose principal lacks a permission of the route.
final class Authorization: RequestMiddleware {
  func receive(_ call: inout Call) throws(Problem) {
    if let problem = call.credentialProblem { throw problem }
    guard let route = call.route, let principal = call.principal else { return }
    let missing = route.permissions.subtracting(principal.permissions)
    guard !missing.isEmpty else { return }
    throw principal.name == nil
      ? .unauthorized(.tokenRequired, call.request, isPresented: false)
      : .insufficientScope(missing)
  }
}
