internal import ArgumentParser
internal import Navigation
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
      let log = HostLog(settings.logs, label: Main.name)
      host.logger = log.logger
      log.measure(in: host.metrics)
      Main.configure(&host)
      let names = host.apps.map(\.name).joined(separator: ", ")
      let serving = "\(Main.name) \(Main.version) keeps sessions in \(settings.store) and serves \(names) on"
      host.started = { [started = host.started] addresses in
        log.print("\(serving) http://\(addresses.service)")
        if let console = addresses.console { log.print("The console is at http://\(console)/console") }
        if let admin = addresses.admin { log.print("The metrics are at http://\(admin)/metrics") }
        started(addresses)
      }
      defer { log.flush() }
      do {
        try await host.serve()
      } catch {
        // By the log's thread: the message of the argument parser would wait for a reader that stalls.
        log.note("Error: \(error)")
        throw ExitCode.failure
      }
    }
  }
}
