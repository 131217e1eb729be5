internal import Access
internal import MicroHTTP

extension API {
  /// Who makes the request, if it may do what it asks for.
  func admit(_ request: Request, to route: Route) async throws(Problem) -> Principal {
    Principal(name: nil, permissions: .all)
  }
}
