import ArgumentParser
import Dispatch
import Foundation
import UsherClient

extension UsherCommand {
  /// `usher play`
  struct Play: ParsableCommand {
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

    func run() throws {
      guard let url = URL(string: url) else { return }
      let finished = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var failure: (any Error)?
      Task.detached { [app] in
        do {
          try await Terminal(url, app: app).run()
        } catch {
          failure = error
        }
        finished.signal()
      }
      finished.wait()
      if let failure {
        Output.log("\(failure)".plain)
        throw ExitCode.failure
      }
    }
  }
}
