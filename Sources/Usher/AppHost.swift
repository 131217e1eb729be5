public import HTTPAPI
public import MicroHTTP
public import Navigation
public import Sessions
public import Stores

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
  /// How long sessions live and are remembered.
  public var settings = SessionService.Settings()
  /// What is served beside the sessions, such as front ends, by path: `/kiosk`. A path of the service's own is not replaced.
  public var files: [String: StaticFile] = [:]
  /// Where sessions live: in the file `usher.sqlite` unless set.
  public var store = StoreLocation.standard
  /// Sessions at most, at once and in memory; one more at once is refused with `limit-reached`.
  public var limits = StoreLimits()
  /// Where the host listens, port 8080 of 127.0.0.1 unless set, and the limits that it keeps.
  public var server = Server.Configuration()
  /// Where the console can be reached, which shows every session to whoever reaches it; nil for nowhere. It needs an address of its own.
  public var console: Server.Configuration?
  /// How long what is under way may take to finish when the host stops.
  public var grace = Duration.seconds(10)
  /// Gets one sentence at a time for the operator, from any thread; drops them unless set.
  public var log: @Sendable (String) -> Void = { _ in }

  /// Registers the apps.
  ///
  /// - Throws: everything that is wired wrongly in any of them.
  public init(apps: [App], limits: AppDefinition.Limits = .init()) throws(HostFaults) {
    var definitions: [AppDefinition] = []
    var faults: [WiringFaults] = []
    for app in apps {
      do throws(WiringFaults) {
        let definition = try AppDefinition(app, limits: limits)
        if definitions.contains(where: { $0.name == app.name }) {
          throw WiringFaults(app: app.name, faults: [.init(place: app.name, message: "Another app has this name.")])
        }
        definitions.append(definition)
      } catch {
        faults.append(error)
      }
    }
    guard faults.isEmpty else { throw HostFaults(apps: faults) }
    self.apps = definitions
    server.port = 8080
  }

  /// Serves until the process gets SIGINT or SIGTERM, then finishes what is in flight. To be called on the main thread before
  /// others are started, so that all of them leave the signals to this call.
  ///
  /// - Parameter started: called once the host can be reached, with its port and that of the console.
  /// - Throws: a `StoreOpeningError` or `ServerError`: why the store is not to be had, or the address.
  public func run(started: (_ port: UInt16, _ console: UInt16?) -> Void = { _, _ in }) throws {
    let signals = StopSignals()
    guard let store = try openStore(unless: signals) else { return }
    defer { store.close() }
    let sessions = SessionService(apps: apps, store: store, settings: settings)
    let api = API(sessions: sessions, version: usherVersion, files: files, log: log)
    let server = Server(configuration: server, handler: api, log: log)
    let console = console.map { console in
      Server(
        configuration: console,
        handler: Console(sessions: sessions, host: console.host, log: log), log: log)
    }
    // First, so that nobody has begun to use a host that does not start.
    try console?.start()
    try server.start()
    let sweeper = Sweeper(sessions, every: .seconds(15), log: log)
    let heart = Heart(sessions)
    started(server.port, console?.port)
    signals.wait()
    console?.stop(grace: .zero)
    server.stop(grace: grace)
    sweeper.stop()
    heart.stop()
  }

  /// Nil where one of the signals comes first.
  private func openStore(unless signals: StopSignals) throws -> (any SessionStore)? {
    do {
      return try store.open(limits, while: { !signals.arePending }, log: log)
    } catch {
      if signals.arePending { return nil }
      throw error
    }
  }
}

/// Everything that is wired wrongly in the apps of a host.
public struct HostFaults: Error, Sendable, Equatable, CustomStringConvertible {
  /// Those with faults, in the order of the host's apps.
  public let apps: [WiringFaults]

  public var description: String { apps.map(\.description).joined(separator: "\n") }
}
