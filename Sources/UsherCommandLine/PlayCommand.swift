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
        abstract: "Opens a session in the terminal.",
        discussion: """
          Type the key of an action, and its input when asked. q leaves the program; the session continues.

          A service that requires authentication needs a token: in a file, with --token-file, or in the environment \
          variable \(SettingsReader.clientVariable).
          """)
    }

    @Argument(help: "The URL of the service, of an existing session, or of a link that hands one over.")
    var url: String

    @Option(help: "The app to start; by default the program asks for it.")
    var app: String?

    @Option(help: ArgumentHelp("A file with the token.", valueName: "file"))
    var tokenFile: String?

    func validate() throws {
      guard let url = URL(string: url), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
        throw ValidationError("\(url) is not a URL such as http://127.0.0.1:8080.")
      }
    }

    func run() async throws {
      guard let url = URL(string: url) else { return }
      do {
        try await TerminalClient(url, token: try token(), app: app).run()
      } catch UsherError.refused(let problem) where problem.kind == "unauthorized" {
        let advice = "Pass a token with --token-file or \(SettingsReader.clientVariable)."
        Output.error("\(problem.detail) \(advice)".terminalSafe, by: Main.name)
        throw ExitCode.failure
      } catch {
        Output.error("\(error)".terminalSafe, by: Main.name)
        throw ExitCode.failure
      }
    }

    private func token() throws -> String? {
      let variable = ProcessInfo.processInfo.environment[SettingsReader.clientVariable]
      guard let path = tokenFile else { return variable }
      let text: String
      do {
        text = try String(contentsOfFile: path, encoding: .utf8)
      } catch {
        throw ValidationError("\(path) cannot be read: \(error.localizedDescription)")
      }
      let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
      // Whitespace could end the Authorization header and start another one.
      guard !token.isEmpty, !token.contains(where: \.isWhitespace) else {
        throw ValidationError("\(path) must contain exactly one token.")
      }
      return token
    }
  }
}
