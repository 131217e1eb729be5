import CAllocation
import DeepApp
import ExampleApps
import Flows
import Foundation
import Glibc
import Usher

/// The cost of one action in one process, in nanoseconds of processor time.
///
///     steps APP PART [COUNT [DEPTH [TASKS [STORE [SESSIONS]]]]]
///
/// `PART` is `unpack`, `pack`, `step` (all of navigation), `view`, `perform` (all of a session), `respond` (all of a
/// request without its socket), `read` (the same of a request for the view) or `serve` (a request over a socket, its
/// client included). Requests alternate between sessions, as under load. `DEPTH` is the depth of the stacks of `deep`,
/// and one more than the purchases in sessions of `shop`. `flow/shop` is the flow of Examples/Flows in place of the app
/// in Swift. `flow/journey` and `flow/screens` are those of Benchmarks/Flows at a page of questions, and
/// `flow/journey/check` and `flow/screens/check` at the check page. Their `DEPTH` is 2. `TASKS` share the app, the store
/// and the `SESSIONS` (1,000). `STORE` is as for `usher serve`; the default is `memory`.
///
///     steps APP create COUNT STORE
///
/// Creates sessions, and prints the bytes that one takes in memory.
@main
struct Steps: Sendable {
  let service: SessionService
  let app: AppDefinition
  let cycle: [Cycle.Step]
  let ids: [SessionID]

  /// Starts the measurement. Synchronous, because an asynchronous `main` ends its thread, and valgrind crashes at that.
  static func main() {
    // Detached, because `main` belongs to the main actor, which waits.
    Task.detached {
      do {
        try await run()
        exit(0)
      } catch {
        print("\(error)")
        exit(1)
      }
    }
    while true { pause() }
  }

  private static func run() async throws {
    let arguments = CommandLine.arguments
    if arguments.count == 5, arguments[2] == "create", let count = Int(arguments[3]) {
      return try await measureCreation(of: arguments[1], count, in: arguments[4])
    }
    guard arguments.count >= 3, let cycle = Cycle.all[String(arguments[1].trimmingPrefix("flow/"))],
      let count = arguments.count > 3 ? Int(arguments[3]) : 200_000,
      let depth = arguments.count > 4 ? Int(arguments[4]) : 1,
      let tasks = arguments.count > 5 ? Int(arguments[5]) : 1
    else { exit(64) }
    let service = try service(of: arguments[1], StoreLocation(arguments.count > 6 ? arguments[6] : "memory").open())
    var steps: [Steps] = []
    let sessions = arguments.count > 7 ? Int(arguments[7]) ?? 1000 : 1000
    let share = max(sessions / tasks, 1)
    for _ in 0..<tasks {
      steps.append(try await Steps(service, arguments[1], cycle, depth: depth, sessions: share))
    }
    let start = clock()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in steps { group.addTask { try await step.run(arguments[2], count) } }
      try await group.waitForAll()
    }
    print(arguments[1], arguments[2], (clock() - start) * 1000 / (count * tasks), "ns")
    // Before the sessions are freed: a thread that ends at that time would free some of them or none.
    exit(0)
  }

  private static func service(of app: String, _ store: any SessionStore) throws -> SessionService {
    var apps = try (ExampleApps.all + [Deep.app, Lists.app, Lists.plain]).map { try AppDefinition($0) }
    if app.hasPrefix("flow/") {
      let name = app.split(separator: "/")[1]
      let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
      let folder = name == "shop" ? "Examples" : "Benchmarks"
      let main = try Data(contentsOf: root.appending(path: "\(folder)/Flows/\(name)/flow.yaml"))
      guard let flow = Flow.compile([Flow.File(path: "flow.yaml", bytes: [UInt8](main))]).app else { exit(65) }
      apps = apps.filter { $0.name != flow.name } + [flow]
    }
    return SessionService(apps: apps, store: store)
  }

  private static func measureCreation(of app: String, _ count: Int, in location: String) async throws {
    let store = try StoreLocation(location).open()
    let service = try service(of: app, store)
    for _ in 0..<count { _ = try await service.create(.init(app: app)) }
    let before = allocatedBytes
    for _ in 0..<count { _ = try await service.create(.init(app: app)) }
    print(app, "create", (allocatedBytes - before) / count, "bytes")
    store.close()
  }

  /// The allocated bytes of the first arena, which is the only one if MALLOC_ARENA_MAX is 1.
  private static var allocatedBytes: Int {
    let usage = mallinfo2()
    return Int(usage.uordblks + usage.hblkhd)
  }

  init(_ service: SessionService, _ app: String, _ cycle: [Cycle.Step], depth: Int, sessions: Int) async throws {
    let place = app.trimmingPrefix("flow/")
    guard let app = service.app(named: String(place.prefix { $0 != "/" })) else { exit(64) }
    var ids: [SessionID] = []
    for _ in 0..<sessions {
      let id = try await service.create(.init(app: app.name)).snapshot.id
      for _ in 1..<depth {
        for step in Cycle.preparation[String(place)] ?? [] {
          _ = try await service.perform(.init(step.intent), on: id)
        }
      }
      ids.append(id)
    }
    self.ids = ids
    self.service = service
    self.app = app
    self.cycle = cycle
  }

  func run(_ part: String, _ count: Int) async throws {
    let snapshot = try await service.snapshot(ids[0])
    let packed = app.pack(snapshot.state)
    switch part {
    case "unpack": for _ in 0..<count { keep(try app.unpack(packed).nextID) }
    case "pack": for _ in 0..<count { keep(app.pack(snapshot.state).count) }
    case "step": for _ in 0..<count { keep(try app.perform(cycle[0].intent, on: snapshot.state).nextID) }
    case "view": for _ in 0..<count { keep(try app.view(of: snapshot.state).modals) }
    case "perform":
      for turn in 0..<count {
        keep(try await service.perform(.init(step(turn).intent), on: ids[turn % ids.count]).snapshot.session.revision)
      }
    case "respond":
      let api = API(sessions: service)
      let requests = ids.map { id in
        cycle.map { Request(method: .post, target: "/v1/sessions/\(id.text)/\($0.path)", body: Array($0.body.utf8)) }
      }
      for turn in 0..<count {
        let response = await api.respond(to: requests[turn % ids.count][turn / ids.count % cycle.count])
        precondition(response.status == 200, String(decoding: response.body.bytes, as: UTF8.self))
      }
    case "read":
      let api = API(sessions: service)
      let requests = ids.map { Request(method: .get, target: "/v1/sessions/\($0.text)") }
      for turn in 0..<count {
        let response = await api.respond(to: requests[turn % ids.count])
        precondition(response.status == 200)
      }
    case "serve":
      var configuration = Server.Configuration()
      configuration.threads = 1
      let server = Server(configuration: configuration, handler: API(sessions: service))
      try server.start()
      let client = try Client(port: server.port)
      let requests = ids.map { id in
        cycle.map { Client.request("POST /v1/sessions/\(id.text)/\($0.path)", body: $0.body) }
      }
      for turn in 0..<count { client.exchange(requests[turn % ids.count][turn / ids.count % cycle.count]) }
      server.stop(grace: .zero)
    default: exit(64)
    }
  }

  private func step(_ turn: Int) -> Cycle.Step { cycle[turn / ids.count % cycle.count] }

  /// Prevents the optimizer from eliminating an unused result.
  @inline(never)
  private func keep<Number: BinaryInteger>(_ number: Number) { precondition(number >= 0) }
}

/// The actions that a session repeats.
enum Cycle {
  struct Step: Sendable {
    let path: String
    let body: String
    let intent: Intent
  }

  static let all: [String: [Step]] = [
    "deep": [action("change")],
    "items": [action("take", #"{"item":7}"#, ["item": 7]), action("take", #"{"item":8}"#, ["item": 8])],
    "plain-items": [action("take", #"{"item":7}"#, ["item": 7]), action("take", #"{"item":8}"#, ["item": 8])],
    "pages": [action("next"), action("first")],
    "shop": [action("buy", #"{"product":1}"#, ["product": 1]), back],
    "journey": [journey[1], back],
    "journey/check": [action("change", #"{"question":"name"}"#, ["question": "name"]), journey[3]],
    "screens": [screens[1], back],
    "screens/check": [action("change", #"{"page":"contact"}"#, ["page": "contact"]), screens[3]],
  ]

  private static let back = Step(path: "back", body: "", intent: .back)
  private static let journey = pages("continue", "continue", "continue", "continue")
  private static let screens = pages("answer-setting", "answer-infections", "answer-cases", "answer-contact")

  /// The actions that answer the pages of `journey` and of `screens`.
  private static func pages(_ setting: String, _ infections: String, _ cases: String, _ contact: String) -> [Step] {
    [
      action(setting, #"{"setting":"home"}"#, ["setting": "home"]),
      action(infections, #"{"infections":["covid"]}"#, ["infections": ["covid"]]),
      action(cases, #"{"cases":3}"#, ["cases": 3]),
      action(
        contact, #"{"name":"Ann Lee","email":"ann@example.com"}"#, ["name": "Ann Lee", "email": "ann@example.com"]),
    ]
  }

  /// The actions that add one unit of depth. The pages of `journey` and `screens` have the depth 2.
  static let preparation: [String: [Step]] = [
    "deep": [action("deeper")],
    "shop": [action("buy", #"{"product":1}"#, ["product": 1]), action("pay")],
    "journey": Array(journey[..<1]), "journey/check": journey,
    "screens": Array(screens[..<1]), "screens/check": screens,
  ]

  private static func action(_ name: String, _ body: String = "", _ input: Value = .emptyObject) -> Step {
    Step(path: "actions/\(name)", body: body, intent: .action(name: name, input: input))
  }
}
