import ArgumentParser
import Usher

extension UsherCommand {
  /// `usher serve`
  struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Serves apps over HTTP until it is told to stop.",
      discussion: """
        SIGINT and SIGTERM stop it: it takes no new requests, finishes those under way, and exits with 0.
        """)

    @Option(help: "The TCP port to listen on; 0 lets the system choose.")
    var port: UInt16 = 8080

    @Option(help: "The address to listen on; 0.0.0.0 or :: for all.")
    var bind = "127.0.0.1"

    @Option(help: ArgumentHelp("The apps to serve, separated by commas.", valueName: "names"), transform: Self.names)
    var apps: [String]?

    @Option(
      help: ArgumentHelp(
        "Where sessions live: sqlite:PATH, postgres://USER@HOST/DATABASE, or memory, which ends with the process.",
        valueName: "store"), transform: Self.location)
    var store = StoreLocation.standard

    @Option(
      help: ArgumentHelp(
        "Where the console is served, such as 127.0.0.1:8081; nowhere if not given. It shows every session to whoever reaches it.",
        valueName: "address"), transform: Self.address)
    var console: ListenAddress?

    @Option(help: ArgumentHelp("Threads that serve connections; two a core if not given.", valueName: "count"))
    var threads: Int?

    @Option(help: ArgumentHelp("Seconds that a session lives unless its creator says otherwise.", valueName: "seconds"))
    var sessionTtl = SessionService.Settings().timeToLive

    @Option(
      help: ArgumentHelp(
        "Live sessions at most; 1000000 in memory and no limit in a database if not given.", valueName: "count"))
    var maxSessions: Int?

    @Option(help: ArgumentHelp("Sessions of a database that are in memory as well.", valueName: "count"))
    var cacheSessions = StoreLimits().cachedSessions

    @Option(help: ArgumentHelp("Screens on one stack at most.", valueName: "count"))
    var maxDepth = AppDefinition.Limits().depth

    @Option(help: ArgumentHelp("Entries of a session's history that are kept.", valueName: "count"))
    var history = 64

    @Option(help: ArgumentHelp("Seconds to finish what is under way when stopping.", valueName: "seconds"))
    var grace = 10

    private static func names(_ text: String) -> [String] {
      text.split(separator: ",", omittingEmptySubsequences: false).map { String($0.filter { $0 != " " }) }
    }

    private static func address(_ text: String) throws -> ListenAddress {
      guard let address = ListenAddress(text) else {
        throw ValidationError("\(text) is no address such as 127.0.0.1:8081 or [::1]:8081.")
      }
      return address
    }

    private static func location(_ text: String) throws -> StoreLocation {
      do throws(StoreLocationError) {
        return try StoreLocation(text)
      } catch {
        throw ValidationError(error.description)
      }
    }

    func validate() throws {
      if let threads, !(1...256).contains(threads) { throw ValidationError("--threads is 1 to 256.") }
      let allowed = SessionService.Settings().allowedTimeToLive
      guard allowed.contains(sessionTtl) else {
        throw ValidationError("--session-ttl is \(allowed.lowerBound) to \(allowed.upperBound) seconds.")
      }
      if let maxSessions, maxSessions < 1 { throw ValidationError("--max-sessions is at least 1.") }
      guard (1...10_000_000).contains(cacheSessions) else {
        throw ValidationError("--cache-sessions is 1 to 10000000.")
      }
      guard (1...1000).contains(maxDepth) else { throw ValidationError("--max-depth is 1 to 1000.") }
      guard (16...10_000).contains(history) else { throw ValidationError("--history is 16 to 10000.") }
      guard (0...3600).contains(grace) else { throw ValidationError("--grace is 0 to 3600 seconds.") }
    }

    func run() throws {
      var host = try AppHost(apps: HostedApps.named(apps), limits: .init(depth: maxDepth))
      host.settings.timeToLive = sessionTtl
      host.files = HostedApps.frontEnds(of: host.apps)
      host.store = store
      host.limits.sessions = maxSessions
      host.limits.cachedSessions = cacheSessions
      host.settings.journalLimit = history
      host.server.host = bind
      host.server.port = port
      if let threads { host.server.threads = threads }
      if let console {
        var configuration = Server.Configuration()
        configuration.host = console.host
        configuration.port = console.port
        // For a few engineers.
        configuration.threads = 2
        host.console = configuration
      }
      host.grace = .seconds(grace)
      host.log = Output.log
      let names = host.apps.map(\.name).joined(separator: ", ")
      try host.run { port, consolePort in
        Output.print(
          "usher \(usherVersion) keeps sessions in \(store) and serves \(names) on http://"
            + "\(ListenAddress(host: bind, port: port))")
        guard let console, let consolePort else { return }
        Output.print("The console is at http://\(ListenAddress(host: console.host, port: consolePort))/console")
      }
    }
  }
}
