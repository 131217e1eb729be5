import Testing
import Values

@testable import Sessions

/// The history that is stored with a session.
@Suite struct JournalTests {
  private func entry(_ revision: UInt64, size: Int = 1) -> JournalEntry {
    JournalEntry(
      revision: revision, at: Timestamp(milliseconds: 1_795_176_000_000), kind: .action, name: "note",
      input: .object([("text", Value(String(repeating: "x", count: size)))]), screen: "notes")
  }

  // Sizes around those at which the length takes one more byte.
  @Test(arguments: [1, 90, 127, 128, 16_300, 16_384, 65_536])
  func `entries of any size are kept`(size: Int) {
    var journal = Journal(entry(1, size: size))
    for revision in 2...40 { journal.append(entry(UInt64(revision), size: size), after: SplitBytes([]), keeping: 64) }
    let entries = journal.entries(after: 0, limit: 100, keeping: 64)
    #expect(entries.last == entry(40, size: size))
    #expect(entries.count >= 16)
    #expect(entries.map(\.revision) == Array(UInt64(41 - entries.count)...40))
    #expect(entries.allSatisfy { $0 == entry($0.revision, size: size) })
  }

  /// A stand-in for the packed state at a revision.
  private func state(_ revision: UInt64, _ size: Int) -> SplitBytes {
    SplitBytes([UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: size))
  }

  // The last state exceeds the size that a journal keeps.
  @Test(arguments: [(1, 200, 48), (1, 6000, 32), (1, 12_000, 32), (1500, 200, 2), (1, 17_000, 0)])
  func `snapshots are reconstructed from the kept states`(size: Int, stateSize: Int, minimumReach: UInt64) throws {
    var journal = Journal(entry(1, size: size))
    var reached: [UInt64] = []
    for revision: UInt64 in 2...300 {
      journal.append(entry(revision, size: size), after: state(revision - 1, stateSize), keeping: 64)
      let first = journal.firstReconstructible ?? revision + 1
      reached.append(revision + 1 - first)
      #expect(journal.latest?.revision == revision)
      #expect(first == 1 || journal.checkpoint(before: first - 1) == nil)
      for wanted in stride(from: first, through: revision, by: 7) {
        let checkpoint = try #require(journal.checkpoint(before: wanted))
        let began = try #require(checkpoint.entries.first?.revision)
        #expect(began <= wanted && checkpoint.state == (began == 1 ? nil : state(began - 1, stateSize)))
        #expect(checkpoint.entries.map(\.revision) == Array(began...revision))
      }
      var bytes = ByteWriter()
      journal.write(to: &bytes)
      var reader = ByteReader(bytes.finish())
      let read = try Journal(reading: &reader)
      #expect(reader.isAtEnd && read.firstReconstructible == journal.firstReconstructible)
      #expect(read.checkpoint(before: revision)?.state == journal.checkpoint(before: revision)?.state)
      #expect(read.entries(after: 0) == journal.entries(after: 0))
    }
    #expect(try #require(reached.dropFirst(100).min()) >= minimumReach)
    #expect(minimumReach > 0 || reached.dropFirst(100).max() == 0)
    #expect(journal.size < 33 * 1024 + max(64 * 1024, 80 * size) + 80 * 60)
  }

  /// A stand-in for a packed state with a large value.
  private func largeState(_ number: UInt64, _ size: Int) -> SplitBytes {
    let blob = Blob([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: size))
    return SplitBytes(rest: [1], blobs: [LocatedBlob(offset: 1, blob: blob)])!
  }

  @Test func `large values in entries shorten the journal`() {
    var (small, large) = (Journal(entry(1)), Journal(entry(1)))
    for revision: UInt64 in 2...200 {
      small.append(entry(revision, size: 5000), after: SplitBytes([]), keeping: 64)
      // Entries of different sizes have different values.
      large.append(entry(revision, size: 100_000 + Int(revision)), after: SplitBytes([]), keeping: 64)
    }
    // One value, however often it occurs.
    #expect(small.entries(after: 0).count >= 64 && small.blobs.distinctSize < 6000)
    #expect((16...32).contains(large.entries(after: 0).count))
  }

  @Test func `large values in checkpoints are limited, and the last checkpoint stays`() {
    var journal = Journal(entry(1))
    for revision: UInt64 in 2...300 {
      journal.append(entry(revision), after: largeState(revision, 300_000), keeping: 200)
      #expect(journal.blobs.distinctSize <= 4 * 300_000)
    }
    #expect(journal.firstReconstructible != nil)
  }

  @Test func `large values in outcomes are limited, and the last outcome stays`() {
    var outcomes = RecentOutcomes()
    for number in UInt64(1)...20 {
      outcomes.append(
        StoredOutcome(
          key: IdempotencyDigest("\(number)", creationBy: nil), fingerprint: Digest256(ofParts: []), revision: number,
          packed: largeState(number, 300_000), storedAt: Timestamp(milliseconds: 1),
          expiresAt: Timestamp(milliseconds: 2)))
    }
    #expect(outcomes.all.count == 20 && outcomes.all.last?.packed == largeState(20, 300_000))
    #expect(outcomes.all.compactMap(\.packed).count == 3)
  }

  @Test func `a damaged entry is skipped`() throws {
    var journal = Journal(entry(1))
    for revision: UInt64 in 2...5 { journal.append(entry(revision), after: SplitBytes([]), keeping: 64) }
    let name = [4] + Array("note".utf8)
    var bytes = journal.last.bytes.whole
    let offsets = bytes.indices.filter { bytes[$0...].starts(with: name) }
    bytes[offsets[2] + 1] = 0xFF
    journal.last.bytes = SplitBytes(bytes)
    #expect(journal.entries(after: 0).map(\.revision) == [1, 2, 4, 5])
    #expect(journal.latest == entry(5))
  }

  @Test func `a journal with a wrong number of entries is refused`() throws {
    var journal = Journal(entry(1))
    journal.append(entry(2), after: SplitBytes([]), keeping: 64)
    for count: UInt32 in 0...4 {
      journal.last.count = count
      var out = ByteWriter()
      journal.write(to: &out)
      var input = ByteReader(out.finish())
      let read = try Journal(reading: &input)
      #expect((try? read.validate()) == nil ? count != 2 : count == 2)
    }
  }
}
