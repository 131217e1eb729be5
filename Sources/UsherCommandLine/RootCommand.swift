internal import ArgumentParser
internal import Navigation

/// The command line of an executable.
struct RootCommand<Main: UsherMain>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Main.name,
      abstract: "Hosts the navigation of an app: coordinators, screens and a stack for every session, over HTTP.",
      discussion: """
        Start it, and create a session of an app:

          \(Main.name) serve
          curl --json '{"app": "\(Main.apps.first?.name ?? "")"}' http://127.0.0.1:8080/v1/sessions

        Each answer describes the visible screen and the actions available from it.
        """,
      version: Main.version,
      subcommands: [Serve.self, Config.self, Health.self, Apps.self, Token.self, Play.self],
      defaultSubcommand: Serve.self)
  }
}
