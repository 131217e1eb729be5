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
}
