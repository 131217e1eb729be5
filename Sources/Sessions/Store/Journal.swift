internal import Values

/// The last entries of a session's history, packed.
///
/// They lie in chunks, so that the next session shares all but the last with the one before. Some chunks have the state that they
/// begin with, so that the past can be made again when the beginning is no longer kept.
public struct Journal: Sendable {
  /// Entries that are kept however large they are (design: api, "Revisions").
  public static let leastRetention = 16
  /// Above this many bytes only those are kept.
  private static let byteLimit = 64 * 1024
  /// Bytes of states that are kept; then the oldest are dropped.
  private static let stateLimit = 16 * 1024

  fileprivate struct Chunk {
    static let countLimit: UInt32 = 16
    /// Larger entries make shorter chunks, because a chunk is copied with each entry that comes to it.
    static let byteLimit = 1024

    /// The packed navigation before the first entry, where it is kept.
    var state: [UInt8]?
    var bytes: [UInt8] = []
    var count: UInt32 = 0

    var isFull: Bool { count >= Self.countLimit || bytes.count >= Self.byteLimit }
  }

  private var full: [Chunk] = []
  private var last = Chunk()

  /// A journal that begins with a creation.
  public init(_ entry: JournalEntry) { append(entry, after: [], keeping: 1) }

  private var count: Int { full.reduce(Int(last.count)) { $0 + Int($1.count) } }
  /// Bytes of all entries and states.
  var size: Int { bytesOfEntries + full.reduce(last.state?.count ?? 0) { $0 + ($1.state?.count ?? 0) } }

  private var bytesOfEntries: Int { full.reduce(last.bytes.count) { $0 + $1.bytes.count } }

  /// Adds the entry of the next revision.
  ///
  /// - Parameters:
  ///   - state: the packed navigation before it.
  ///   - retention: entries that are kept, at least; up to 16 more may be, because chunks are dropped whole.
  mutating func append(_ entry: JournalEntry, after state: @autoclosure () -> [UInt8], keeping retention: Int) {
    if last.isFull {
      // The first chunk begins with a creation. After it a state for every other chunk will do: it takes more bytes than entries do.
      let isStateKept = !full.isEmpty && last.state == nil
      full.append(last)
      last = Chunk()
      dropOldest(keeping: max(retention, Self.leastRetention))
      if isStateKept { keep(state()) }
    }
    var packed = ByteWriter(pooled: 1024)
    packed.append(journal: entry)
    var chunk = ByteWriter(pooled: last.bytes.count + packed.count + 10)
    chunk.append(last.bytes.span)
    // The size stands before the entry, so that it can be skipped unread.
    chunk.append(sized: packed.finish())
    last.bytes = chunk.finish()
    last.count += 1
  }

  private mutating func dropOldest(keeping retention: Int) {
    var surplus = count + 1 - (bytesOfEntries > Self.byteLimit ? Self.leastRetention : retention)
    var dropped = 0
    while dropped < full.count, Int(full[dropped].count) <= surplus {
      surplus -= Int(full[dropped].count)
      dropped += 1
    }
    full.removeFirst(dropped)
  }

  private mutating func keep(_ state: [UInt8]) {
    guard state.count <= Self.stateLimit else { return }
    last.state = state
    var surplus = size - bytesOfEntries - Self.stateLimit
    for index in full.indices where surplus > 0 {
      surplus -= full[index].state?.count ?? 0
      full[index].state = nil
    }
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

  /// What the past can be made again from: a packed navigation, or nil for nothing, and the entries after it. Nil where no state is
  /// kept, nor the creation.
  func replay() -> (state: [UInt8]?, entries: [JournalEntry])? {
    let entries = entries(after: 0)
    if entries.first?.kind == .create { return (nil, entries) }
    var skipped = 0
    for chunk in full + [last] {
      if let state = chunk.state { return (state, Array(entries.dropFirst(skipped))) }
      skipped += Int(chunk.count)
    }
    return nil
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
    out.append(varint: UInt64(full.count + 1))
    for chunk in full { chunk.write(to: &out) }
    last.write(to: &out)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    let count = try input.varint()
    for number in 1...max(count, 1) {
      let chunk = try Chunk(reading: &input)
      if number < count { full.append(chunk) } else { last = chunk }
    }
  }
}

extension Journal.Chunk {
  func write(to out: inout ByteWriter) {
    out.append(sized: state ?? [])
    out.append(varint: UInt64(count))
    out.append(sized: bytes)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    let state = try input.sizedBytes()
    self.state = state.isEmpty ? nil : state
    count = UInt32(clamping: try input.varint())
    bytes = try input.sizedBytes()
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
