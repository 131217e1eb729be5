internal import HTTPAPI
public import MicroHTTP
public import Navigation
public import Sessions

/// Hosts apps over HTTP in the process that it is part of.
///
///     @main
///     struct Kiosk {
///       static func main() throws {
///         try AppHost(apps: [App("kiosk", title: "Kiosk") { KioskCoordinator() }]).run()
///       }
///     }
public struct AppHost {
  public let apps: [AppDefinition]
  public var settings = SessionService.Settings()
  /// Live sessions at most; one more is refused with `limit-reached`.
  public var sessionLimit = 1_000_000
  public var server = Server.Configuration()
  /// How long what is under way may take to finish when the host stops.
  public var grace = Duration.seconds(10)
  /// Gets one sentence at a time for the operator, from any thread.
  public var log: @Sendable (String) -> Void = { _ in }

  /// Registers the apps.
  ///
  /// - Throws: everything that is wired wrongly in the first app that has a fault.
  public init(apps: [App], limits: AppDefinition.Limits = .init()) throws(WiringFaults) {
    var definitions: [AppDefinition] = []
    for app in apps { definitions.append(try AppDefinition(app, limits: limits)) }
    self.apps = definitions
    server.port = 8080
  }

  /// Serves until the process gets SIGINT or SIGTERM, then finishes what is in flight. To be called on the main thread before
  /// others are started, so that all of them leave the signals to this call.
  ///
  /// - Parameter started: called once the host can be reached, with the port.
  /// - Throws: why the address cannot be listened on.
  public func run(started: (UInt16) -> Void = { _ in }) throws(ServerError) {
    let signals = StopSignals()
    let sessions = SessionService(apps: apps, store: MemoryStore(sessionLimit: sessionLimit), settings: settings)
    var configuration = server
    if sessions.store.mayBlock, configuration.workers == 0 { configuration.workers = 64 }
    let api = API(sessions: sessions, version: usherVersion, log: log)
    let server = Server(configuration: configuration, handler: api, log: log)
    try server.start()
    let sweeper = Sweeper(sessions, every: .seconds(15), log: log)
    started(server.port)
    signals.wait()
    server.stop(grace: grace)
    sweeper.stop()
  }
}
