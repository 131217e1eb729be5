internal import Access
internal import MicroHTTP

/// Refuses calls whose principal lacks a permission of the route.
final class Authorization: RequestMiddleware {
  func receive(_ call: inout Call) async throws(Problem) {
    if let problem = call.credentialProblem { throw problem }
    guard let route = call.route, let principal = call.principal else { return }
    let missing = route.permissions.subtracting(principal.permissions)
    guard !missing.isEmpty else { return }
    throw principal.name == nil
      ? .unauthorized("A token is required: Authorization: Bearer TOKEN.", call.request, isPresented: false)
      : .insufficientScope(missing)
  }
}
