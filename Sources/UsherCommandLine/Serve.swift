internal import ArgumentParser
internal import Glibc
internal import Logging
internal import Navigation
internal import Observability
internal import Settings
internal import Stores
internal import UsherHost

extension RootCommand {
  /// `serve`
  struct Serve: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
      CommandConfiguration(
        commandName: "serve",
        abstract: "Serves apps over HTTP until it is told to stop.",
        discussion: """
          Each option can also be set in the environment, as USHER_ and its name in capitals with underscores, and in a file that --config \
          or USHER_CONFIG names. \(Main.name) config tells what is in force.

          SIGINT and SIGTERM stop it: it takes no new requests, finishes those under way, and exits with 0.
          """)
    }

    @OptionGroup var options: ServeOptions

    func run() async throws {
      let settings = try await options.read().settings
      var host = try AppHost(apps: Main.apps, settings: settings)
      host.logger = Self.logger(settings.logs)
      Main.configure(&host)
      let names = host.apps.map(\.name).joined(separator: ", ")
      let serving = "\(Main.name) \(Main.version) keeps sessions in \(settings.store) and serves \(names) on"
      host.started = { [started = host.started] addresses in
        Output.print("\(serving) http://\(addresses.service)")
        if let console = addresses.console { Output.print("The console is at http://\(console)/console") }
        if let admin = addresses.admin { Output.print("The metrics are at http://\(admin)/metrics") }
        started(addresses)
      }
      try await host.serve()
    }

    private static func logger(_ logs: HostSettings.Logs) -> Logger {
      Logger(label: Main.name) { label in
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
