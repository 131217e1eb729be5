import DeepApp
import ExampleApps
import Glibc
import Usher

/// A service that creates many sessions before it accepts requests.
///
///     loaded PORT APP SESSIONS DEPTH IDS [STORE]
///
/// Every session has `DEPTH` screens on its stack (`deep` only; 1 otherwise). The file `IDS` receives the ID of each
/// session on a line. `STORE` is as for `usher serve`; the default is `memory`.
@main
struct Loaded {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 6, let port = UInt16(arguments[1]), let count = Int(arguments[3]),
      let depth = Int(arguments[4])
    else { exit(64) }
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTERM)
    pthread_sigmask(SIG_BLOCK, &signals, nil)

    let apps = try ([Deep.app] + ExampleApps.all).map { try AppDefinition($0) }
    var limits = StoreLimits()
    limits.sessions = count + 1
    let store = try StoreLocation(arguments.count > 6 ? arguments[6] : "memory").open(limits)
    let service = SessionService(apps: apps, store: store)
    let file = fopen(arguments[5], "w")
    for try await id in sessions(count, of: arguments[2], depth: depth, in: service) { fputs("\(id.text)\n", file) }
    fclose(file)

    var configuration = Server.Configuration()
    configuration.port = port
    let server = Server(configuration: configuration, handler: API(sessions: service))
    try server.start()
    print("ready")
    fflush(nil)
    var received: Int32 = 0
    sigwait(&signals, &received)
    server.stop(grace: .seconds(1))
    store.close()
  }

  /// Creates up to 256 sessions concurrently, so that a store can commit them in groups.
  private static func sessions(
    _ count: Int, of app: String, depth: Int, in service: SessionService
  ) -> AsyncThrowingStream<SessionID, any Error> {
    let width = min(256, count)
    return AsyncThrowingStream { ids in
      Task {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for part in 0..<width {
            group.addTask {
              for _ in stride(from: part, to: count, by: width) {
                let id = try await service.create(.init(app: app)).snapshot.id
                for _ in 1..<depth {
                  _ = try await service.perform(.init(.action(name: "deeper", input: .emptyObject)), on: id)
                }
                ids.yield(id)
              }
            }
          }
          try await group.waitForAll()
        }
        ids.finish()
      }
    }
  }
}
