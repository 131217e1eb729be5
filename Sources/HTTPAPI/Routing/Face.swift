/// What is served at an address: the service itself, what its operator's machines read, or the console.
enum Face: String, CaseIterable {
  case service, admin, console

  var routes: [Route] {
    switch self {
    case .service: API.routes
    case .admin: API.adminRoutes
    case .console: API.consoleRoutes
    }
  }
}
