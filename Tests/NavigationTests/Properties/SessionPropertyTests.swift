import ExampleApps
import Stores
import Testing
import Values

@testable import Navigation
@testable import Sessions

/// The properties that need a store: 12, 22, 23 and 28.
@Suite struct SessionPropertyTests {
  private func service() throws -> SessionService {
    SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: MemoryStore())
  }

  /// Returns a random intent that the session offers, or nil if there is none.
  private func randomIntent(_ snapshot: Snapshot, _ random: inout Randomness) throws -> Intent? {
    let intents = try AvailableIntents(snapshot.app, snapshot.state).advertised(&random)
    return intents.isEmpty ? nil : random.pick(intents)
  }

  @Test(arguments: ["pages", "shop", "tabs", "bank", "checkout", "gallery"])
  func `12 and 22: a rejected intent changes no byte, and a repeated one has one effect`(app: String) async throws {
    let service = try service()
    var random = Randomness(seed: 12)
    let id = try await service.create(.init(app: app)).snapshot.id
    for _ in 0..<40 {
      let before = try await service.snapshot(id)
      for intent in try AvailableIntents(before.app, before.state).unadvertised(&random) {
        let performed = try? await service.perform(.init(intent), on: id)
        if performed != nil { Issue.record("\(intent) is not offered and was accepted") }
      }
      #expect(try await service.snapshot(id).session == before.session)
      guard let intent = try randomIntent(before, &random) else { break }
      let request = IntentRequest(intent, revision: before.session.revision)
      let first = try await service.perform(request, on: id)
      let again = try await service.perform(request, on: id)
      #expect(!first.isReplay && again.isReplay)
      #expect(again.snapshot.session == first.snapshot.session)
    }
  }

  @Test(arguments: [("pages", nil), ("shop", nil), ("tabs", nil), ("bank", nil), ("bank", "/accounts/a2")])
  func `28: replaying the journal gives the snapshot`(app: String, link: String?) async throws {
    let service = try service()
    var random = Randomness(seed: 28)
    let created = try await service.create(.init(app: app, link: link)).snapshot
    for _ in 0..<60 {
      guard let intent = try randomIntent(try await service.snapshot(created.id), &random) else { break }
      _ = try await service.perform(.init(intent), on: created.id)
    }
    let journal = try await service.snapshot(created.id).session.journal.entries(after: 0)
    var packed = try created.app.begin(input: journal[0].input, link: journal[0].link).packed
    for entry in journal.dropFirst() {
      let intent: Intent =
        switch entry.kind {
        case .create, .handOver, .effect, .timer, .signal, .carry, .stuck:
          preconditionFailure("only the first entry creates, nothing was handed over, and the apps have no work")
        case .action: .action(name: entry.name, input: entry.input)
        case .back: .back
        case .dismiss: .dismiss
        case .tab: .tab(entry.input["tab"]?.text ?? "")
        case .open: .open(link: entry.input["link"]?.text ?? "")
        case .reload: .reload(entry.input["property"]?.text ?? "")
        case .locale: .locale(entry.input["locale"]?.text ?? "")
        }
      packed = try created.app.perform(intent, on: packed).packed
    }
    #expect(packed == (try await service.snapshot(created.id)).session.navigation.packed.whole)
    #expect(journal.map(\.revision) == Array(1...UInt64(journal.count)))
  }

  @Test func `23: of concurrent writers at one revision exactly one wins, every time`() async throws {
    let service = try service()
    let id = try await service.create(.init(app: "shop")).snapshot.id
    for _ in 0..<200 {
      let revision = try await service.snapshot(id).session.revision
      let wins = await withTaskGroup(of: Bool.self) { group in
        for product in 0...2 {
          group.addTask {
            let buy = Intent.action(name: "buy", input: .object([("product", Value(product))]))
            let performed = try? await service.perform(.init(buy, revision: revision), on: id)
            return performed.map { !$0.isReplay } ?? false
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wins == 1)
      #expect(try await service.snapshot(id).session.revision == revision + 1)
      _ = try await service.perform(.init(.back), on: id)
    }
  }
}
