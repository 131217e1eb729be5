import ArgumentParser
import Usher

/// The command line.
@main
struct UsherCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "usher",
    abstract: "Hosts the navigation of an app: coordinators, screens and a stack for every session, over HTTP.",
    discussion: """
      Start it, and create a session of one of the example apps:

        usher serve
        curl --json '{"app": "shop"}' http://127.0.0.1:8080/v1/sessions

      Each answer describes the visible screen and the actions available from it.
      """,
    version: usherVersion,
    subcommands: [Serve.self, Config.self, Health.self, Apps.self, Token.self, Play.self],
    defaultSubcommand: Serve.self)
}
