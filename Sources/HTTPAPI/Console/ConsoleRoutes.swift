internal import MicroHTTP

extension API {
  /// The table of the console's routes.
  static let consoleRoutes: [Route] = [
    Route(.get, "/", ConsoleOperations.home),
    Route(.get, "/console", ConsoleOperations.sessions),
    Route(.post, "/console/find", ConsoleOperations.find),
    // Where a browser comes again to after what was not found.
    Route(.get, "/console/find", ConsoleOperations.home),
    Route(.get, "/console/sessions", ConsoleOperations.home),
    Route(.get, "/console/apps", ConsoleOperations.home),
    Route(.get, "/console/sessions/{key}", ConsoleOperations.session),
    Route(.get, "/console/apps/{app}", ConsoleOperations.app),
    Route(.get, "/console.css", ConsoleOperations.styles),
    Route(.get, "/console.js", ConsoleOperations.script),
    Route(.get, "/usher.css", Operations.styles),
    Route(.get, "/problems/{slug}", Operations.problem),
  ]
}
