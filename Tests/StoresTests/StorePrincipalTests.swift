import CoreMetrics
import Navigation
import Sessions
import Stores
import TestSupport
import Testing
import Values

/// The principal of a session and its claims, on every store.
@Suite(.limitedConcurrency) struct StorePrincipalTests {
  private let owner = SessionOwner(name: "jwt:https://id.example|ann")

  private func ann(_ role: String?, until expiry: Timestamp? = nil) -> SessionPrincipal {
    SessionPrincipal(
      subject: "ann", claims: .object((role.map { [("role", Value($0))] } ?? [])), expiresAt: expiry)
  }

  private func service(on test: TestStore) throws -> SessionService {
    let desk = try AppDefinition(App("desk", title: "Desk") { Desk() })
    return SessionService(apps: [desk], store: test.store, clock: TimeSource { test.now })
  }

  private func role(_ snapshot: Snapshot) -> String? { snapshot.visible.data["role"]?.text }

  @Test(arguments: StoreKind.available)
  func `every revision has the claims of its action, and is reconstructed with them`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    var service = try service(on: test)
    let id = try await service.create(
      .init(app: "desk", owner: owner, principal: ann("clerk", until: test.now + 60))
    ).snapshot.id
    let roles: [String?] = ["clerk", "clerk", nil, "owner"]
    for (number, role) in roles.enumerated() {
      // A token without this claim.
      let principal = number == 2 ? ann(nil) : role.map { ann($0) }
      let snapshot = try await service.perform(
        .init(.action(name: "stay", input: .emptyObject), principal: principal), on: id, by: owner
      ).snapshot
      #expect(self.role(snapshot) == role)
    }
    test.advance(seconds: 61)
    if kind.isDurable { try test.reopen() }
    service = try self.service(on: test)
    #expect(role(try await service.snapshot(id, by: owner)) == "owner")
    let summary = try await service.summary(SessionKey(id))
    for (revision, expected) in zip(UInt64(1)..., ["clerk"] + roles) {
      #expect(role(try service.inspect(summary, at: revision).shown.get()) == expected)
    }
  }

  @Test(arguments: StoreKind.available)
  func `a replayed response has the claims of its time`(kind: StoreKind) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(.init(app: "desk", owner: owner, principal: ann("clerk"))).snapshot.id
    let stay = Intent.action(name: "stay", input: .emptyObject)
    let once = IntentRequest(stay, idempotency: Idempotency(key: "k", request: []), principal: ann("clerk"))
    _ = try await service.perform(once, on: id, by: owner)
    _ = try await service.perform(.init(stay, principal: ann("owner")), on: id, by: owner)
    let replay = try await service.perform(once, on: id, by: owner)
    #expect(replay.isReplay && role(replay.snapshot) == "clerk")
    #expect(role(try await service.snapshot(id, by: owner)) == "owner")
  }

  /// PostgreSQL finds due work by its own clock, and not by that of the test.
  @Test(arguments: StoreKind.available.filter { $0 != .postgres })
  func `a background step removes claims that have lapsed, and is reconstructed without them`(
    kind: StoreKind
  ) async throws {
    let test = try TestStore(kind)
    let service = try service(on: test)
    let id = try await service.create(
      .init(app: "desk", owner: owner, principal: ann("clerk", until: test.now + 60))
    ).snapshot.id
    _ = try await service.perform(
      .init(.action(name: "wait", input: .emptyObject), principal: ann("clerk", until: test.now + 60)), on: id,
      by: owner)
    test.advance(seconds: 60)
    var settings = WorkRunner.Settings()
    settings.interval = .milliseconds(5)
    let runner = WorkRunner(service, settings, metrics: NOOPMetricsHandler.instance) { _ in }
    let running = Task { await runner.run() }
    for _ in 0..<2000 where try await service.snapshot(id, by: owner).session.revision < 3 {
      try await Task.sleep(for: .milliseconds(5))
    }
    running.cancel()
    await running.value
    let latest = try await service.snapshot(id, by: owner)
    #expect(latest.session.revision == 3 && role(latest) == nil)
    let summary = try await service.summary(SessionKey(id))
    for (revision, expected) in [(UInt64(1), "clerk"), (2, "clerk"), (3, nil)] {
      #expect(role(try service.inspect(summary, at: revision).shown.get()) == expected)
    }
  }

  private struct Form: Screen {
    static let name = "form"
    static let title: Title<Self> = "Form"
    static let actions: [any Action.Type] = [Stay.self, Wait.self]
    var role: String?
  }

  private struct Stay: Action {
    static let name = "stay"
    static let title: Text = "Stay"
  }

  private struct Wait: Action {
    static let name = "wait"
    static let title: Text = "Wait"
  }

  private struct Bell: TimedEvent { static let name = "bell" }

  private struct Desk: Coordinator {
    static let name = "desk"
    static let wiring = Wiring<Self>()
      .shows(Form.self) { _, screen, context in screen.role = context.principal?.claim("role") }
      .on(Stay.self) { _, _, _ in }
      .on(Wait.self) { _, _, nav in nav.schedule(Bell(), after: .seconds(60)) }
      .on(timer: Bell.self) { _, _, _ in }
    func start(_ nav: inout Navigator<Self>) { nav.push(Form()) }
  }
}
