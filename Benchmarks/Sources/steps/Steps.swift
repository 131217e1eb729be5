import DeepApp
import ExampleApps
import Glibc
import Usher

/// What one action costs without sockets, in nanoseconds of CPU.
///
///     steps APP PART [COUNT [DEPTH [TASKS [STORE]]]]
///
/// `PART` is `unpack`, `pack`, `step` (all of navigation), `view`, `perform` (all of a session) or `respond` (all of a
/// request). Sessions take turns, as they do under load. `DEPTH` is that of the stacks of `deep`.
/// `TASKS` share the app and the store, each with sessions of its own. `STORE` is as for `usher serve`, `memory` if not given.
@main
struct Steps: Sendable {
  let service: SessionService
  let app: AppDefinition
  let cycle: [Cycle.Step]
  let ids: [SessionID]

  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count >= 3, let cycle = Cycle.all[arguments[1]],
      let count = arguments.count > 3 ? Int(arguments[3]) : 200_000,
      let depth = arguments.count > 4 ? Int(arguments[4]) : 1,
      let tasks = arguments.count > 5 ? Int(arguments[5]) : 1
    else { exit(64) }
    let service = try Self.service(arguments.count > 6 ? arguments[6] : "memory")
    var steps: [Steps] = []
    let share = max(1000 / tasks, 1)
    for _ in 0..<tasks {
      steps.append(try await Steps(service, arguments[1], cycle, depth: depth, sessions: share))
    }
    let start = clock()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for step in steps { group.addTask { try await step.run(arguments[2], count) } }
      try await group.waitForAll()
    }
    print(arguments[1], arguments[2], (clock() - start) * 1000 / (count * tasks), "ns")
  }

  private static func service(_ store: String) throws -> SessionService {
    let apps = try (ExampleApps.all + [Deep.app]).map { try AppDefinition($0) }
    return SessionService(apps: apps, store: try StoreLocation(store).open())
  }

  init(_ service: SessionService, _ name: String, _ cycle: [Cycle.Step], depth: Int, sessions: Int) async throws {
    guard let app = service.app(named: name) else { exit(64) }
    var ids: [SessionID] = []
    for _ in 0..<sessions {
      let id = try await service.create(.init(app: name)).snapshot.id
      for _ in 1..<depth { _ = try await service.perform(.init(.action(name: "deeper", input: .emptyObject)), on: id) }
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
    default: exit(64)
    }
  }

  private func step(_ turn: Int) -> Cycle.Step { cycle[turn / ids.count % cycle.count] }

  /// Keeps the optimiser from leaving out what nobody uses.
  @inline(never)
  private func keep<Number: BinaryInteger>(_ number: Number) { precondition(number >= 0) }
}

/// The actions that a session goes through again and again.
enum Cycle {
  struct Step: Sendable {
    let path: String
    let body: String
    let intent: Intent
  }

  static let all: [String: [Step]] = [
    "deep": [action("change")],
    "pages": [action("next"), action("first")],
    "shop": [action("buy", #"{"product":1}"#, ["product": 1]), Step(path: "back", body: "", intent: .back)],
  ]

  private static func action(_ name: String, _ body: String = "", _ input: Value = .emptyObject) -> Step {
    Step(path: "actions/\(name)", body: body, intent: .action(name: name, input: input))
  }
}
