internal import Access
internal import MicroHTTP

extension API {
  /// The table of the console's routes.
  static let consoleRoutes: [Route] = [
    Route(.get, "/", requires: .operate, ConsoleOperations.home),
    Route(.get, "/console", requires: .operate, ConsoleOperations.sessions),
    Route(.post, "/console/find", requires: .operate, ConsoleOperations.find),
    // Where a browser comes again to after what was not found.
    Route(.get, "/console/find", requires: .operate, ConsoleOperations.home),
    Route(.get, "/console/sessions", requires: .operate, ConsoleOperations.home),
    Route(.get, "/console/apps", requires: .operate, ConsoleOperations.home),
    Route(.get, "/console/sessions/{key}", requires: .operate, ConsoleOperations.session),
    Route(.get, "/console/apps/{app}", requires: .operate, ConsoleOperations.app),
    Route(.get, "/console.css", requires: [], ConsoleOperations.styles),
    Route(.get, "/console.js", requires: [], ConsoleOperations.script),
    Route(.get, "/usher.css", requires: [], Operations.styles),
    Route(.get, "/problems/{slug}", requires: [], Operations.problem),
  ]
}
