import ArgumentParser
import Settings

extension UsherCommand {
  /// `usher config`
  struct Config: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the settings in force, and where each comes from.",
      discussion: """
        It takes the options of usher serve, and prints a file that --config would take. Passwords are left out.
        """)

    @OptionGroup var options: ServeOptions

    func run() async throws { Swift.print(try await options.read().text, terminator: "") }
  }
}
