import ArgumentParser
import Foundation
import UsherClient

extension UsherCommand {
  /// `usher play`
  struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Uses a session in a terminal.",
      discussion: """
        The keys before what can be done are typed, and then what is asked for; q ends the program and not the session.
        """)

    @Argument(help: "The address of the service, or of a session that has begun.")
    var url: String

    @Option(help: "The app to start; it is asked for if not given.")
    var app: String?

    func validate() throws {
      guard let url = URL(string: url), ["http", "https"].contains(url.scheme?.lowercased()), url.host != nil else {
        throw ValidationError("\(url) is no address such as http://127.0.0.1:8080.")
      }
    }

    func run() async throws {
      guard let url = URL(string: url) else { return }
      do {
        try await Terminal(url, app: app).run()
      } catch {
        Output.log("\(error)".plain)
        throw ExitCode.failure
      }
    }
  }
}
