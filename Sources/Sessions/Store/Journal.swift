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

  struct Chunk {
    static let countLimit: UInt32 = 16
    /// Larger entries make shorter chunks, because a chunk is copied with each entry that comes to it.
    static let byteLimit = 1024

    /// The packed navigation before the first entry, where it is kept.
    var state: [UInt8]?
    var bytes: [UInt8] = []
    var count: UInt32 = 0

    /// Oldest first.
    var entries: [JournalEntry] {
      var entries: [JournalEntry] = []
      var reader = ByteReader(bytes)
      while !reader.isAtEnd {
        // By its size, so that one that a store has damaged does not hide those behind it.
        var next = reader
        guard (try? next.skipSized()) != nil else { break }
        if let entry = try? reader.journalEntry(), reader.position == next.position { entries.append(entry) }
        reader = next
      }
      return entries
    }

    var isFull: Bool { count >= Self.countLimit || bytes.count >= Self.byteLimit }
  }

  var full: [Chunk] = []
  var last = Chunk()

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
    // The one before stays, so that there is always a way back of some length.
    for index in full.indices.dropLast(2) where surplus > 0 {
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
    for chunk in full + [last] where entries.count < limit {
      for entry in chunk.entries where entries.count < limit {
        surplus -= 1
        if surplus < 0, entry.revision > revision { entries.append(entry) }
      }
    }
    return entries
  }

  /// What led to the latest revision.
  var latest: JournalEntry? { last.entries.last }

  /// Where the past can be made again from.
  struct Start {
    /// Packed; nil for nothing, before a creation.
    let state: [UInt8]?
    /// All entries after it.
    let entries: [JournalEntry]
  }

  /// The last start from which `revision` is made again; nil where what is kept does not reach back to it.
  func start(for revision: UInt64) -> Start? {
    var entries: [JournalEntry] = []
    for chunk in (full + [last]).reversed() {
      entries.insert(contentsOf: chunk.entries, at: 0)
      guard let first = entries.first else { return nil }
      let isStart = chunk.state != nil || first.kind == .create
      if isStart, first.revision <= revision { return Start(state: chunk.state, entries: entries) }
    }
    return nil
  }

  /// The first revision that can be made again; nil for none.
  var firstReplayable: UInt64? {
    (full + [last]).lazy.compactMap { chunk in
      chunk.entries.first.flatMap { chunk.state != nil || $0.kind == .create ? $0.revision : nil }
    }.first
  }

  /// The entry that led to a revision, if it is still kept.
  func entry(at revision: UInt64) -> JournalEntry? {
    guard revision > 0 else { return nil }
    return entries(after: revision - 1, limit: 1, keeping: count).first { $0.revision == revision }
  }
}
