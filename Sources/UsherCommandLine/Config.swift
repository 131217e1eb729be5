internal import ArgumentParser
internal import Settings

extension RootCommand {
  /// `config`
  struct Config: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "config",
        abstract: "Prints the settings in force, and where each comes from.",
        discussion: """
          It takes the options of \(Main.name) serve, and prints a file that --config would take. Passwords are left out.
          """)
    }

    @OptionGroup var options: ServeOptions

    func run() async throws { Swift.print(try await options.read().text, terminator: "") }
  }
}
