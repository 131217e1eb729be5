import DeepApp
import ExampleApps
import Glibc
import Usher

/// A service that is full of sessions before it starts to serve.
///
///     loaded PORT APP SESSIONS DEPTH IDS
///
/// Every session gets `DEPTH` screens on its stack (`deep` only; 1 otherwise). The ids of up to 1,000,000 sessions go into
/// the file `IDS`, a line each.
@main
struct Loaded {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 6, let port = UInt16(arguments[1]), let count = Int(arguments[3]),
      let depth = Int(arguments[4])
    else { exit(64) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    let apps = try ([Deep.app] + ExampleApps.all).map { try AppDefinition($0) }
    let service = SessionService(apps: apps, store: MemoryStore(sessionLimit: count + 1))
    let file = fopen(arguments[5], "w")
    for _ in 0..<count {
      let id = try await service.create(.init(app: arguments[2])).snapshot.id
      for _ in 1..<depth { _ = try await service.perform(.init(.action(name: "deeper", input: .emptyObject)), on: id) }
      fputs("\(id.text)\n", file)
    }
    fclose(file)

    var configuration = Server.Configuration()
    configuration.port = port
    let server = Server(configuration: configuration, handler: API(sessions: service, version: "bench"))
    try server.start()
    print("ready")
    fflush(nil)
    var received: Int32 = 0
    sigwait(&signals, &received)
    server.stop(grace: .seconds(1))
  }
}
