import TestSupport
import Testing

@testable import Sessions
@testable import UsherHost

/// The names of the apps that folders define, where folders exchange them.
@Suite(.limitedConcurrency) struct FlowNameTests {
  private static let taken = "flow.yaml: error: Another app has the name"

  /// Returns a service whose folders `a`, `b` and so on have apps of these names.
  private func service(_ names: String...) async throws -> FlowService {
    let service = try await FlowService()
    try name(names, in: service)
    await service.lookTwice()
    return service
  }

  private func name(_ names: [String], greeting: String = "old", in service: FlowService) throws {
    for (folder, name) in zip(["a", "b", "c", "d"], names) {
      try service.write(folder, "app: \(name)", "greeting: \(greeting) \(folder)")
    }
  }

  private func greetings(_ service: FlowService) async throws -> [String] {
    var greetings: [String] = []
    for app in try await service.apps.sorted() {
      greetings.append("\(app): \(try await service.act("walk", service.start(app)).dropLast(2))")
    }
    return greetings
  }

  @Test func `two folders exchange the names of their apps`() async throws {
    let service = try await service("x", "y")
    let session = try await service.start("x")
    try name(["y", "x"], greeting: "new", in: service)
    await service.lookTwice()
    #expect(try await greetings(service) == ["x: new b", "y: new a"])
    #expect(try await service.act("walk", session) == "old a 1")
    #expect(service.sessions.registry.faults.isEmpty && !service.log.text.contains(Self.taken))
    #expect(service.metrics.contains("usher_flow_reloads_total 2"))
  }

  @Test func `folders pass their names on in a ring and in a row`() async throws {
    let service = try await service("x", "y", "z")
    try name(["y", "z", "x"], greeting: "new", in: service)
    await service.lookTwice()
    #expect(try await greetings(service) == ["x: new c", "y: new a", "z: new b"])
    try name(["x", "y", "w"], greeting: "last", in: service)
    await service.lookTwice()
    #expect(try await greetings(service) == ["w: last c", "x: last a", "y: last b"])
    #expect(!service.log.text.contains(Self.taken))
  }

  @Test func `a folder takes the name of one that is removed at the same time`() async throws {
    let service = try await service("x", "y")
    try service.remove("b")
    try name(["y"], greeting: "new", in: service)
    await service.lookTwice()
    #expect(try await greetings(service) == ["y: new a"])
    #expect(!service.log.text.contains(Self.taken))
  }

  @Test func `a folder with a fault keeps its name until the fault is mended`() async throws {
    let service = try await service("x", "y", "z")
    try name(["y", "z", "x"], greeting: "new", in: service)
    try service.write("b", "app: z", "fault: Wrong.")
    await service.lookTwice()
    // Without the name of b, no folder of the ring can move.
    #expect(try await greetings(service) == ["x: old a", "y: old b", "z: old c"])
    #expect(service.sessions.registry.faults.map(\.folder) == ["a", "b", "c"])
    try service.write("b", "app: z", "greeting: new b")
    await service.lookTwice()
    #expect(try await greetings(service) == ["x: new c", "y: new a", "z: new b"])
    #expect(service.sessions.registry.faults.isEmpty)
  }

  @Test func `a name that waits is served once the folder that has it is gone`() async throws {
    let service = try await service("x", "x")
    #expect(service.sessions.registry.faults.map(\.folder) == ["b"])
    try service.remove("a")
    await service.lookTwice()
    #expect(try await greetings(service) == ["x: old b"])
    #expect(service.sessions.registry.faults.isEmpty)
  }

  @Test(
    arguments: [
      // The current and the wanted name of each folder, and those that get what they want.
      ("x>y y>x", [0, 1]), ("x>y y>z z>x", [0, 1, 2]), ("x>y y>z z", []), ("x>y y>kiosk", []), ("->x ->x", [0]),
      ("->x x>x", [1]), ("->x x>y ->y", [0, 1]), ("x>y y>z z>w ->w", [0, 1, 2]), ("x>y y>w z>w", [0, 1]),
      ("x>y y>w w>w", [2]), ("x>z y>x z>x", []), ("x>y -", [0]), ("->kiosk", []),
    ] as [(String, [Int])])
  func `the first folder gets a name that is free`(claims: String, expected: [Int]) {
    let claims = claims.split(separator: " ").map { claim in
      let names = claim.split(separator: ">").map { $0 == "-" ? nil : String($0) }
      return NameClaim(current: names[0], wanted: names.count > 1 ? names[1] : nil)
    }
    #expect(claims.granted { $0 == "kiosk" }.sorted() == expected)
  }
}
