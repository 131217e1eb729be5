internal import Access
internal import MicroHTTP

extension API {
  /// Whether a request of this route is asked who makes it. Where nothing is required, no credential is looked at.
  func asksForToken(_ route: Route) -> Bool { authenticator.verifiesTokens && !route.requires.isEmpty }

  /// The principal of a request of this route.
  func authenticate(_ request: Request, for route: Route) async throws(Problem) -> Principal {
    guard asksForToken(route) else { return authenticator.anonymous }
    guard let token = try Credential.token(of: request) else { return authenticator.anonymous }
    do throws(TokenError) {
      return try await authenticator.principal(of: token)
    } catch {
      let detail = error == .expired ? "The token has expired." : "The token is not valid."
      throw .unauthorized(detail, request, isPresented: true)
    }
  }

  /// Throws where somebody may not do what a route is for.
  func require(_ permissions: Permissions, of principal: Principal, _ request: Request) throws(Problem) {
    let missing = permissions.subtracting(principal.permissions)
    guard !missing.isEmpty else { return }
    throw principal.name == nil
      ? .unauthorized("This takes a token: Authorization: Bearer TOKEN.", request, isPresented: false)
      : .insufficientScope(missing)
  }
}
