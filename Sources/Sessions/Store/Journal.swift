internal import Values

/// The last entries of a session's history, packed.
///
/// They lie in chunks, so that the next session shares all but the last with the one before.
public struct Journal: Sendable {
  /// Entries that are kept however large they are (design: api, "Revisions").
  public static let leastRetention = 16
  /// Above this many bytes only those are kept.
  private static let byteLimit = 64 * 1024

  private struct Chunk {
    static let countLimit: UInt32 = 16
    /// Larger entries make shorter chunks, because a chunk is copied with each entry that comes to it.
    static let byteLimit = 1024

    var bytes: [UInt8]
    var count: UInt32

    var isFull: Bool { count >= Self.countLimit || bytes.count >= Self.byteLimit }
  }

  private var full: [Chunk] = []
  private var last = Chunk(bytes: [], count: 0)

  public init(_ entry: JournalEntry) { append(entry, keeping: 1) }

  private var count: Int { full.reduce(Int(last.count)) { $0 + Int($1.count) } }
  /// Bytes of all entries.
  var size: Int { full.reduce(last.bytes.count) { $0 + $1.bytes.count } }

  /// Adds the entry of the next revision.
  ///
  /// - Parameter retention: entries that are kept, at least; up to 16 more may be, because chunks are dropped whole.
  mutating func append(_ entry: JournalEntry, keeping retention: Int) {
    if last.isFull {
      full.append(last)
      last = Chunk(bytes: [], count: 0)
      dropOldest(keeping: max(retention, Self.leastRetention))
    }
    var packed = ByteWriter(pooled: 1024)
    packed.append(journal: entry)
    var chunk = ByteWriter(pooled: last.bytes.count + packed.count + 10)
    chunk.append(last.bytes.span)
    // The size stands before the entry, so that it can be skipped unread.
    chunk.append(sized: packed.finish())
    last = Chunk(bytes: chunk.finish(), count: last.count + 1)
  }

  private mutating func dropOldest(keeping retention: Int) {
    var surplus = count + 1 - (size > Self.byteLimit ? Self.leastRetention : retention)
    var dropped = 0
    while dropped < full.count, Int(full[dropped].count) <= surplus {
      surplus -= Int(full[dropped].count)
      dropped += 1
    }
    full.removeFirst(dropped)
  }

  /// All entries that are kept after `revision`, oldest first.
  func entries(after revision: UInt64) -> [JournalEntry] { entries(after: revision, limit: .max, keeping: count) }

  /// Of the last `retention` entries those after `revision`, oldest first.
  func entries(after revision: UInt64, limit: Int, keeping retention: Int) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var surplus = count - max(retention, Self.leastRetention)
    for chunk in full + [last] {
      var reader = ByteReader(chunk.bytes)
      while entries.count < limit, !reader.isAtEnd, let entry = try? reader.journalEntry() {
        surplus -= 1
        if surplus < 0, entry.revision > revision { entries.append(entry) }
      }
    }
    return entries
  }

  /// The entry that led to a revision, if it is still kept.
  func entry(at revision: UInt64) -> JournalEntry? {
    guard revision > 0 else { return nil }
    return entries(after: revision - 1, limit: 1, keeping: count).first { $0.revision == revision }
  }
}

// MARK: - Packing

extension Journal {
  func write(to out: inout ByteWriter) {
    out.append(varint: UInt64(count))
    for chunk in full { out.append(chunk.bytes.span) }
    out.append(last.bytes.span)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    let count = try input.varint()
    for _ in 0..<count {
      var end = input
      try end.skip(Int(clamping: try end.varint()))
      let bytes = try input.bytes(end.position - input.position)
      if last.isFull {
        full.append(last)
        last = Chunk(bytes: [], count: 0)
      }
      last.bytes += bytes
      last.count += 1
    }
  }
}

extension ByteWriter {
  fileprivate mutating func append(journal entry: JournalEntry) {
    append(varint: entry.revision)
    append(entry.at)
    append(entry.kind.rawValue)
    if entry.kind == .action { append(sized: entry.name) }
    if entry.kind == .create { append(sized: entry.link ?? "") }
    append(encoded: entry.input)
    append(sized: entry.screen)
  }
}

extension ByteReader {
  fileprivate mutating func journalEntry() throws -> JournalEntry {
    _ = try varint()
    let revision = try varint()
    let at = try timestamp()
    let kind = JournalEntry.Kind(rawValue: try byte()) ?? .action
    let name = kind == .action ? try sizedText() : "\(kind)"
    let link = kind == .create ? try sizedText() : ""
    let input = try value()
    return JournalEntry(
      revision: revision, at: at, kind: kind, name: name, input: input, link: link.isEmpty ? nil : link,
      screen: try sizedText())
  }
}
