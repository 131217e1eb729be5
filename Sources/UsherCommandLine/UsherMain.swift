internal import ArgumentParser
public import Navigation
public import UsherHost

/// An executable that serves apps of its own, with the commands of `usher`: `serve`, `config`, `health`, `apps`,
/// `token`, `play` and `flows`.
///
///     @main
///     struct Clinic: UsherMain {
///       static let apps = [App("clinic", title: "Clinic") { CheckIn() }]
///     }
///
/// Settings have the same names in every executable, `--port` and `USHER_PORT` for example, so that one operations
/// guide serves all.
public protocol UsherMain {
  /// The name in the help, in messages and in the log; by default derived from the type, `clinic-kiosk` for
  /// `ClinicKiosk`.
  static var name: String { get }
  /// The version that `--version` prints; by default that of Usher.
  static var version: String { get }
  /// The apps that the executable can serve, in the order of the command `apps`.
  static var apps: [App] { get }
  /// Configures the host before it serves, for example with ``AppHost/files``; does nothing by default.
  static func configure(_ host: inout AppHost)
}

extension UsherMain {
  public static var name: String { kebabCase("\(Self.self)") }
  public static var version: String { usherVersion }
  public static func configure(_ host: inout AppHost) {}

  /// Runs the command of the arguments. Prints an error as text, and exits with a code other than 0.
  @concurrent public static func main() async { await RootCommand<Self>.main() }
}

/// Converts a type's name: `ClinicKiosk` becomes `clinic-kiosk`.
private func kebabCase(_ name: String) -> String {
  var result = ""
  for character in name {
    if character.isUppercase, let last = result.last, last.isLowercase || last.isNumber { result.append("-") }
    result += character.lowercased()
  }
  return result
}

/// The root command of an executable.
struct RootCommand<Main: UsherMain>: AsyncParsableCommand {
  // Each command spells its name: the parser derives a missing one by reflection, a millisecond of each start.
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: Main.name,
      abstract: "Hosts the navigation of an app over HTTP: coordinators, screens and a stack for every session.",
      discussion: """
        To start the service and create a session of an app:

          \(Main.name) serve
          curl --json '{"app": "\(Main.apps.first?.name ?? "")"}' http://127.0.0.1:8080/v1/sessions

        Each response describes the visible screen and the actions available from it.
        """,
      version: Main.version,
      subcommands: [
        Serve.self, Config.self, Health.self, Apps.self, Token.self, Play.self, New.self, Check.self, Graph.self,
        Schema.self, Flows.self,
      ],
      defaultSubcommand: Serve.self)
  }
}
