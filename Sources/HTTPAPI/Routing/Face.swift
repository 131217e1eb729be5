/// What is served at an address: the service itself, or the console.
enum Face {
  case service, console

  var routes: [Route] {
    switch self {
    case .service: API.routes
    case .console: API.consoleRoutes
    }
  }
}
