internal import Access
internal import ArgumentParser
internal import Foundation
internal import HTTPTransport
internal import MicroHTTP
internal import Navigation
internal import Settings
internal import UsherHost

extension RootCommand {
  /// The command `config`.
  struct Config: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "config",
        abstract: "Prints the settings in force with the source of each.",
        discussion: """
          The options are those of \(Main.name) serve. The output is a file for --config, without passwords.
          """)
    }

    @OptionGroup var options: ServeOptions

    func run() async throws { Swift.print(try options.read().text, terminator: "") }
  }

  /// The command `apps`.
  struct Apps: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "apps",
        abstract: "Checks the wiring of all apps, and lists them.")
    }

    func run() throws {
      for app in try AppHost(apps: Main.apps).apps {
        print("\(app.name)\t\(app.title.string), version \(app.version), \(app.screens.count) screens")
      }
    }
  }

  /// The command `health`.
  struct Health: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "health",
        abstract: "Exits with 0 if the service on this machine is ready, and with 1 otherwise.",
        discussion: "Sends a request to the address in the settings. The options are those of \(Main.name) serve.")
    }

    @OptionGroup var options: ServeOptions

    func run() async throws {
      let settings = try options.read().settings
      let isEverywhere = ["0.0.0.0", "::"].contains(settings.server.host)
      let address = ListenAddress(
        host: isEverywhere ? "127.0.0.1" : settings.server.host, port: settings.adminPort ?? settings.server.port)
      guard let url = URL(string: "http://\(address)/readyz") else {
        throw ValidationError("\(address) is not a valid address for a request.")
      }
      do {
        let request = HTTPRequest("GET", url, timeouts: .init(connect: .seconds(3), total: .seconds(3)))
        let response = try await SystemTransport.shared.send(request, limit: 65536)
        Output.print(String(decoding: response.body, as: UTF8.self))
        guard response.status == 200 else { throw ExitCode.failure }
      } catch let error as TransportError {
        throw Output.failure("\(error)", by: Main.name)
      }
    }
  }

  /// The command `token`.
  struct Token: ParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "token",
        abstract: "Creates a token for \(Main.name) serve --auth tokens:FILE.",
        discussion: """
          The token goes to standard output, once. A line with its SHA-256, for the tokens file, goes to standard \
          error, or to the end of the file with --append. The service reads the file again after a change.

            \(Main.name) token ann --append tokens.txt > ann.token
            \(Main.name) serve --auth tokens:tokens.txt
            \(Main.name) play http://127.0.0.1:8080 --token-file ann.token

          To replace a token, create a second one of the same name, pass it on, and then remove the line of the first.
          """)
    }

    @Argument(help: "The name of the principal: letters, digits, dots, underscores and hyphens.")
    var name: String

    @Option(help: ArgumentHelp("A list of permissions: create, act, operate and signal.", valueName: "list"))
    var permissions = "create,act"

    @Option(help: ArgumentHelp("The tokens file to append the line to; it is created if missing.", valueName: "file"))
    var append: String?

    func validate() throws {
      if TokenName(name) == nil { throw ValidationError(TokenName.rule) }
      if Permissions(names: permissions) == nil {
        throw ValidationError(Permissions.rule)
      }
    }

    func run() throws {
      guard let name = TokenName(name), let permissions = Permissions(names: permissions) else { return }
      let token = NewToken(name: name, permissions: permissions)
      if let append {
        let count = try token.append(to: append)
        let others = count == 1 ? "" : " \(name.text) has \(count) tokens in it now."
        Output.note("\(append) has a line for \(name.text): \(permissions.names).\(others)")
      } else {
        Output.note("Add this line to the tokens file of --auth tokens:FILE:\n\(token.line)")
      }
      if isatty(STDOUT_FILENO) == 1 { Output.note("The token, which is not shown again:") }
      Output.print(token.text)
    }
  }
}

/// The standard streams, written unbuffered, so that a pipe receives each line at once.
enum Output {
  static func print(_ line: String) { write(line, to: STDOUT_FILENO) }

  /// Writes a line for people to the standard error.
  static func note(_ line: String) { write(line, to: STDERR_FILENO) }

  /// Writes an error to the standard error, after the name of the executable. Returns the exit code to throw.
  static func failure(_ line: String, by name: String) -> ExitCode {
    note("\(name): \(line)")
    return .failure
  }

  /// Writes a line in one call, so that lines of several threads do not mix.
  private static func write(_ line: String, to stream: Int32) {
    let bytes = Array((line + "\n").utf8)
    _ = Foundation.write(stream, bytes, bytes.count)
  }
}
