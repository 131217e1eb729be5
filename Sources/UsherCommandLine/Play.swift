internal import ArgumentParser
internal import Foundation
internal import Settings
internal import UsherClient

extension RootCommand {
  /// `play`
  struct Play: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "play",
        abstract: "Uses a session in a terminal.",
        discussion: """
          The keys before what can be done are typed, and then what is asked for; q ends the program and not the session.

          A service that asks who somebody is takes a token: in a file that --token-file names, or in \
          \(SettingsReader.clientVariable) in the environment.
          """)
    }

    @Argument(help: "The address of the service, of a session that has begun, or a link that hands one over.")
    var url: String

    @Option(help: "The app to start; it is asked for if not given.")
    var app: String?

    @Option(help: ArgumentHelp("A file with the token to send.", valueName: "file"))
    var tokenFile: String?

    func validate() throws {
      guard let url = URL(string: url), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
        throw ValidationError("\(url) is no address such as http://127.0.0.1:8080.")
      }
    }

    func run() async throws {
      guard let url = URL(string: url) else { return }
      do {
        try await Terminal(url, token: try token(), app: app).run()
      } catch UsherError.refused(let problem) where problem.kind == "unauthorized" {
        let advice = "Give one with --token-file or \(SettingsReader.clientVariable)."
        Output.log("\(problem.detail) \(advice)".plain, by: Main.name)
        throw ExitCode.failure
      } catch {
        Output.log("\(error)".plain, by: Main.name)
        throw ExitCode.failure
      }
    }

    private func token() throws -> String? {
      let variable = ProcessInfo.processInfo.environment[SettingsReader.clientVariable]
      guard let path = tokenFile else { return variable }
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw ValidationError("\(path) cannot be read.")
      }
      let token = text.trimmingCharacters(in: .whitespacesAndNewlines)
      // What is no token would be a header of its own.
      guard !token.isEmpty, !token.contains(where: \.isWhitespace) else {
        throw ValidationError("\(path) is not a file with one token.")
      }
      return token
    }
  }
}
