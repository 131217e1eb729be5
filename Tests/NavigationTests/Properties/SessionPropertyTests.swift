import ExampleApps
import Sessions
import Testing
import Values

@testable import Navigation

/// The properties that need a store: 12, 22, 23 and 28.
@Suite struct SessionPropertyTests {
  private func service() throws -> SessionService {
    SessionService(apps: try ExampleApps.all.map { try AppDefinition($0) }, store: MemoryStore())
  }

  /// An intent that the session offers.
  private func anIntent(_ snapshot: Snapshot, _ random: inout Randomness) throws -> Intent? {
    let intents = try Offer(snapshot.app, snapshot.state).advertised(&random)
    return intents.isEmpty ? nil : random.pick(intents)
  }

  @Test(arguments: ["pages", "shop", "tabs", "bank"])
  func `12 and 22: a rejected intent changes no byte, and a repeated one has one effect`(app: String) throws {
    let service = try service()
    var random = Randomness(seed: 12)
    let id = try service.create(.init(app: app)).snapshot.id
    for _ in 0..<40 {
      let before = try service.snapshot(id)
      for intent in try Offer(before.app, before.state).unadvertised(&random) {
        let performed = try? service.perform(.init(intent), on: id)
        if performed != nil { Issue.record("\(intent) is not offered and was accepted") }
      }
      #expect(try service.snapshot(id).record == before.record)
      guard let intent = try anIntent(before, &random) else { break }
      let request = IntentRequest(intent, revision: before.record.revision)
      let first = try service.perform(request, on: id)
      let again = try service.perform(request, on: id)
      #expect(!first.isReplay && again.isReplay)
      #expect(again.snapshot.record == first.snapshot.record)
    }
  }

  @Test(arguments: [("pages", nil), ("shop", nil), ("tabs", nil), ("bank", nil), ("bank", "/accounts/a2")])
  func `28: replaying the journal gives the snapshot`(app: String, link: String?) throws {
    let service = try service()
    var random = Randomness(seed: 28)
    let created = try service.create(.init(app: app, link: link)).snapshot
    for _ in 0..<60 {
      guard let intent = try anIntent(try service.snapshot(created.id), &random) else { break }
      _ = try service.perform(.init(intent), on: created.id)
    }
    let journal = try service.history(created.id, after: 0, limit: 100)
    var packed = try created.app.begin(input: journal[0].input, link: journal[0].link).packed
    for entry in journal.dropFirst() {
      let intent: Intent =
        switch entry.kind {
        case .create: preconditionFailure("only the first entry creates")
        case .action: .action(name: entry.name, input: entry.input)
        case .back: .back
        case .dismiss: .dismiss
        case .tab: .tab(entry.input["tab"]?.text ?? "")
        case .open: .open(link: entry.input["link"]?.text ?? "")
        }
      packed = try created.app.perform(intent, on: packed).packed
    }
    #expect(packed == (try service.snapshot(created.id)).record.navigation.packed)
    #expect(journal.map(\.revision) == Array(1...UInt64(journal.count)))
  }

  @Test func `23: of two writers at one revision exactly one wins, every time`() async throws {
    let service = try service()
    let id = try service.create(.init(app: "shop")).snapshot.id
    for _ in 0..<200 {
      let revision = try service.snapshot(id).record.revision
      let wins = await withTaskGroup(of: Bool.self) { group in
        for product in 0...2 {
          group.addTask {
            let buy = Intent.action(name: "buy", input: .object([("product", Value(product))]))
            let performed = try? service.perform(.init(buy, revision: revision), on: id)
            return performed.map { !$0.isReplay } ?? false
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(wins == 1)
      #expect(try service.snapshot(id).record.revision == revision + 1)
      _ = try service.perform(.init(.back), on: id)
    }
  }

  @Test func `23: two stores' writers that both loaded one revision commit once`() throws {
    let store = MemoryStore()
    let service = SessionService(apps: [try AppDefinition(ExampleApps.pages)], store: store)
    let snapshot = try service.create(.init(app: "pages")).snapshot
    let next = try snapshot.app.perform(.action(name: "next", input: .emptyObject), on: snapshot.state)
    var record = snapshot.record
    record.revision = 2
    record.navigation = .packed(snapshot.app.pack(next))
    let entry = JournalEntry(
      revision: 2, at: record.createdAt, kind: .action, name: "next", input: .emptyObject, screen: "second")
    #expect(store.commit(record, entry, outcome: nil) == .committed)
    #expect(store.commit(record, entry, outcome: nil) == .conflict)
    #expect(store.journal(of: record.key, after: 0, limit: 10).map(\.revision) == [1, 2])
  }
}
