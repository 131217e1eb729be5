internal import ArgumentParser
internal import Foundation
internal import Settings
internal import UsherClient

extension RootCommand {
  /// The command `flows`.
  struct Flows: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "flows",
        abstract: "Lists the definitions of flows that a service keeps, and ends the sessions of one.",
        discussion: "A service that requires authentication needs a token with the permission operate.",
        subcommands: [List.self, Retire.self])
    }
  }
}

extension RootCommand.Flows {
  /// The command `flows list`.
  struct List: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "list",
        abstract: "Lists the definitions with their sessions.",
        discussion: """
          Each line has the digest, the app, its version, and the number of sessions. New sessions of an app begin \
          with its current definition.
          """)
    }

    @OptionGroup var service: OperatedService

    func run() async throws {
      try await service.run(by: Main.name) { service in
        for definition in try await service.definitions() {
          let sessions = definition.sessions.counted("session")
          let name = "\(definition.app), version \(definition.version)".terminalSafe
          let digest = definition.digest.prefix(12).description.terminalSafe
          Output.print("\(digest)\t\(name), \(sessions)\(definition.isCurrent ? ", current" : "")")
        }
      }
    }
  }

  /// The command `flows retire`.
  struct Retire: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "retire",
        abstract: "Ends all sessions of a definition.",
        discussion: """
          The sessions end as by DELETE: their pending effects and timers are cancelled. To end the creation of \
          sessions as well, remove the folder of the flow first.
          """)
    }

    @Argument(help: "The digest of the definition, or at least its first 12 digits.")
    var digest: String

    @OptionGroup var service: OperatedService

    func run() async throws {
      try await service.run(by: Main.name) { service in
        let count = try await service.retire(digest)
        Output.print(count == 1 ? "1 session has ended." : "\(count) sessions have ended.")
      }
    }
  }
}

/// The service that a command for operators asks.
struct OperatedService: ParsableArguments {
  @Option(help: ArgumentHelp("The URL of the service.", valueName: "URL"))
  var url = "http://127.0.0.1:8080"

  @OptionGroup var client: ClientOptions

  /// Runs the body, and prints its error as text.
  func run(by name: String, _ body: (UsherService) async throws -> Void) async throws {
    let address = try URL(service: url)
    do {
      try await body(UsherService(address, token: try client.token()))
    } catch let error as UsherError {
      throw Output.failure("\(error)".terminalSafe, by: name)
    }
  }
}

extension URL {
  /// Reads the URL of a service.
  init(service text: String) throws(ValidationError) {
    guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
      throw ValidationError("\(text) is not a URL such as http://127.0.0.1:8080.")
    }
    self = url
  }
}

/// The options of a command that is a client of a service.
struct ClientOptions: ParsableArguments {
  @Option(help: ArgumentHelp("A file with the token.", valueName: "file"))
  var tokenFile: String?

  /// Returns the token: that of the file, or else that of the environment.
  func token() throws -> String? {
    guard let path = tokenFile else { return ProcessInfo.processInfo.environment[SettingsReader.clientVariable] }
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
