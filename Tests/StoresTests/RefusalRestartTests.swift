import TestApps
import TestSupport
import Testing
import Values

@testable import Navigation
@testable import Sessions
@testable import Stores

/// Refusals by outcomes, on every store, across restarts of the process.
@Suite(.limitedConcurrency) struct RefusalRestartTests {
  @Test(arguments: StoreKind.available.filter(\.isDurable), [10, 20_000])
  func `a form is refused after a restart, and shown after another one`(kind: StoreKind, size: Int) async throws {
    let test = try TestStore(kind)
    func service() throws -> SessionService {
      SessionService(
        apps: [try AppDefinition(Payee.app())], store: test.store, clock: TimeSource { test.now })
    }
    let number = String(repeating: "7", count: size)
    let id = try await service().create(.init(app: "payee")).snapshot.id
    let input: Value = ["way": "push", "iban": "DE00", "number": Value(number), "pin": "1234"]
    let sent = try await service().perform(.init(.action(name: "send", input: input)), on: id).snapshot
    let work = try #require(sent.state.work.first)

    try test.reopen()
    let progress = try await service().apply(.done(work.id, "typo"), to: SessionKey(id))
    guard case .applied = progress else {
      Issue.record("The outcome is \(progress).")
      return
    }

    try test.reopen()
    let shown = try await service().snapshot(id)
    let form = try #require(shown.visible.actions.first)
    #expect(shown.visible.screen.name == "contact" && form.failures.map(\.pointer) == ["/iban"])
    let initial = form.input.fields.map { $0.initial?.text }
    #expect(initial == ["push", "DE00", number, nil, nil, "Rent"])
  }
}
