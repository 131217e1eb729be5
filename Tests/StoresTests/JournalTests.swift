import Testing
import Values

@testable import Sessions

@Suite struct `A journal` {
  private func entry(_ revision: UInt64, size: Int = 1) -> JournalEntry {
    JournalEntry(
      revision: revision, at: Timestamp(milliseconds: 1_795_176_000_000), kind: .action, name: "note",
      input: .object([("text", Value(String(repeating: "x", count: size)))]), screen: "notes")
  }

  // Around the sizes at which a length takes one byte more.
  @Test(arguments: [1, 90, 127, 128, 16_300, 16_384, 65_536]) func `keeps entries of any size`(size: Int) {
    var journal = Journal(entry(1, size: size))
    for revision in 2...40 { journal.append(entry(UInt64(revision), size: size), after: [], keeping: 64) }
    let entries = journal.entries(after: 0, limit: 100, keeping: 64)
    #expect(entries.last == entry(40, size: size))
    #expect(entries.count >= 16)
    #expect(entries.map(\.revision) == Array(UInt64(41 - entries.count)...40))
    #expect(entries.allSatisfy { $0 == entry($0.revision, size: size) })
  }

  /// What stands for the state at a revision here.
  private func state(_ revision: UInt64, _ size: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: size)
  }

  // The last is more than is kept of states altogether.
  @Test(arguments: [(1, 200), (1, 3000), (1500, 200), (1, 17_000)])
  func `keeps states to make the past from`(size: Int, stateSize: Int) throws {
    var journal = Journal(entry(1, size: size))
    var reached: [UInt64] = []
    for revision: UInt64 in 2...300 {
      journal.append(entry(revision, size: size), after: state(revision - 1, stateSize), keeping: 64)
      guard let replay = journal.replay() else {
        reached.append(0)
        continue
      }
      #expect(replay.entries.last?.revision == revision)
      let first = try #require(replay.entries.first?.revision)
      #expect(replay.state == state(first - 1, stateSize))
      #expect(replay.entries.map(\.revision) == Array(first...revision))
      reached.append(revision - first + 1)
      var bytes = ByteWriter()
      journal.write(to: &bytes)
      var reader = ByteReader(bytes.finish())
      let read = try Journal(reading: &reader)
      #expect(read.replay()?.state == replay.state && read.replay()?.entries == replay.entries)
    }
    let least = try #require(reached.dropFirst(100).min())
    switch stateSize {
    case 17_000: #expect(least == 0)
    default: #expect(least >= (size == 1 ? 48 : 5))
    }
    #expect(journal.size < 17 * 1024 + max(64 * 1024, 80 * size) + 80 * 60)
  }
}
