internal import ArgumentParser
public import Navigation
public import UsherHost

/// An executable that serves apps of its own, with every command that `usher` has: `serve`, `config`, `health`, `apps`, `token` and
/// `play`.
///
///     @main
///     struct Clinic: UsherMain {
///       static let apps = [App("clinic", title: "Clinic") { CheckIn() }]
///     }
///
/// The settings keep their names in every executable: `--port`, and `USHER_PORT` in the environment. One guide to operation serves all
/// of them.
public protocol UsherMain {
  /// The name in the help, in messages and in the log: the name of the type in lower case, `clinic-kiosk` for `ClinicKiosk`, unless
  /// declared.
  static var name: String { get }
  /// The version that `--version` prints: the version of Usher unless declared.
  static var version: String { get }
  /// The apps that it can serve, in the order in which it lists them.
  static var apps: [App] { get }
  /// Changes the host before it serves, such as its ``AppHost/files``; does nothing unless declared.
  static func configure(_ host: inout AppHost)
}

extension UsherMain {
  public static var name: String { kebabCase("\(Self.self)") }
  public static var version: String { usherVersion }
  public static func configure(_ host: inout AppHost) {}

  /// Runs the command that the arguments name. Prints an error as text, and exits with a code other than 0.
  @concurrent public static func main() async { await RootCommand<Self>.main() }
}

/// `clinic-kiosk` for `ClinicKiosk`.
private func kebabCase(_ name: String) -> String {
  var result = ""
  for character in name {
    if character.isUppercase, let last = result.last, last.isLowercase || last.isNumber { result.append("-") }
    result += character.lowercased()
  }
  return result
}
