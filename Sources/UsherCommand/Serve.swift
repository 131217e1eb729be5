import ArgumentParser
import ExampleApps
import Glibc
import Logging
import Observability
import Settings
import Usher

extension UsherCommand {
  /// `usher serve`
  struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serves apps over HTTP until it is told to stop.",
      discussion: """
        Each option can also be set in the environment, as USHER_ and its name in capitals with underscores, and in a file that --config \
        or USHER_CONFIG names. usher config tells what is in force.

        SIGINT and SIGTERM stop it: it takes no new requests, finishes those under way, and exits with 0.
        """)

    @OptionGroup var options: ServeOptions

    func run() async throws {
      let settings = try await options.read().settings
      var host = try AppHost(apps: ExampleApps.all, settings: settings)
      if host.apps.contains(where: { $0.name == ExampleApps.shop.name }) {
        host.files["/examples/shop"] = StaticFile(ExampleApps.shopFrontEnd, type: "text/html; charset=utf-8")
      }
      host.logger = Self.logger(settings.logs)
      let names = host.apps.map(\.name).joined(separator: ", ")
      host.started = { addresses in
        Output.print(
          "usher \(usherVersion) keeps sessions in \(settings.store) and serves \(names) on http://\(addresses.service)"
        )
        if let console = addresses.console { Output.print("The console is at http://\(console)/console") }
        if let admin = addresses.admin { Output.print("The metrics are at http://\(admin)/metrics") }
      }
      try await host.serve()
    }

    private static func logger(_ logs: HostSettings.Logs) -> Logger {
      Logger(label: "usher") { label in
        switch logs.format ?? (isatty(STDERR_FILENO) == 1 ? .text : .json) {
        case .json: return JSONLogHandler(level: logs.level) { Output.write($0, to: STDERR_FILENO) }
        case .text:
          var handler = StreamLogHandler.standardError(label: label)
          handler.logLevel = logs.level
          return handler
        }
      }
    }
  }
}
