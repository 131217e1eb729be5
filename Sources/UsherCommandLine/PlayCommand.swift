internal import ArgumentParser
internal import Foundation
internal import Settings
internal import UsherClient
internal import Views

extension RootCommand {
  /// The command `play`.
  struct Play: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "play",
        abstract: "Opens a session in the terminal.",
        discussion: """
          Type the key of an action, and its input when asked. Ctrl-D leaves a form. q leaves the program; the session \
          continues, and the program prints the command that resumes it.

          LC_ALL, LC_MESSAGES or LANG in the environment choose the language.

          A service that requires authentication needs a token: in a file, with --token-file, or in the environment \
          variable \(SettingsReader.clientVariable).
          """)
    }

    @Argument(help: "The URL of the service, of an existing session, or of a link that hands one over.")
    var url = "http://127.0.0.1:8080"

    @Option(help: "The app to start; by default the program asks for it.")
    var app: String?

    @OptionGroup var client: ClientOptions

    func validate() throws { _ = try URL(service: url) }

    func run() async throws {
      let url = try URL(service: url)
      do {
        try await TerminalClient(url, token: try client.token(), app: app, program: Main.name).run()
      } catch UsherError.refused(let problem) where problem.kind == "unauthorized" {
        let advice = "Pass a token with --token-file or \(SettingsReader.clientVariable)."
        throw Output.failure("\(problem.detail) \(advice)".terminalSafe, by: Main.name)
      } catch {
        throw Output.failure("\(error)".terminalSafe, by: Main.name)
      }
    }
  }
}
