internal import Values

/// The recent history of a session, in packed form.
///
/// Entries lie in chunks. A session shares all chunks but the last with its successor. Some chunks begin with a
/// checkpoint: the state before their first entry. Checkpoints allow the reconstruction of past revisions after the
/// oldest entries are dropped.
public struct Journal: Sendable {
  /// The number of entries that are kept regardless of their size.
  public static let minimumLength = 16
  /// The size in bytes above which only ``minimumLength`` entries are kept.
  private static let byteLimit = 64 * 1024
  /// The maximum total size of all checkpoints in bytes. Beyond it, the oldest checkpoints are dropped.
  private static let stateLimit = 16 * 1024

  struct Chunk: Equatable {
    static let countLimit: UInt32 = 16
    /// Large entries make short chunks, because each append copies its chunk.
    static let byteLimit = 1024

    /// The checkpoint: the packed navigation before the first entry, if it is kept.
    var state: SplitBytes?
    var bytes = SplitBytes([])
    var count: UInt32 = 0

    /// The entries, oldest first.
    var entries: [JournalEntry] {
      var entries: [JournalEntry] = []
      var reader = ByteReader(bytes.whole)
      while !reader.isAtEnd {
        // Skips by size, so that one damaged entry does not hide those behind it.
        var next = reader
        guard (try? next.skipSized()) != nil else { break }
        if let entry = try? reader.journalEntry(), reader.position == next.position { entries.append(entry) }
        reader = next
      }
      return entries
    }

    /// Returns the time of the entry of a revision; nil without one.
    func time(of revision: UInt64) -> Timestamp? {
      var reader = ByteReader(bytes.whole)
      while !reader.isAtEnd {
        var next = reader
        guard (try? next.skipSized()) != nil else { return nil }
        if let (found, time) = try? reader.journalEntryHead(), found == revision { return time }
        reader = next
      }
      return nil
    }

    /// The size of entries and checkpoint in bytes, without the blobs in them.
    var size: Int { bytes.rest.count + (state?.rest.count ?? 0) }

    /// The blobs in entries and checkpoint.
    var blobs: [LocatedBlob] { bytes.blobs + (state?.blobs ?? []) }

    var hasBlobs: Bool { !bytes.blobs.isEmpty || state?.blobs.isEmpty == false }

    var isFull: Bool { count >= Self.countLimit || bytes.rest.count >= Self.byteLimit }

    mutating func append(_ entry: JournalEntry) {
      var packed = ByteWriter(pooled: 1024)
      let blobs = packed.append(journal: entry)
      let size = packed.count
      packed.append(varint: UInt64(size))
      packed.withUnsafeBytes { written in
        bytes.reserveCapacity(bytes.rest.count + written.count - blobs.reduce(0) { $0 + $1.blob.bytes.count })
        // The size precedes the entry, so that a reader can skip the entry.
        bytes.append(UnsafeRawBufferPointer(rebasing: written[size...]))
        bytes.append(UnsafeRawBufferPointer(rebasing: written[..<size]), blobs)
      }
      count += 1
    }
  }

  var full: [Chunk] = []
  var last = Chunk()

  /// Creates a journal that begins with the creation of a session.
  public init(_ entry: JournalEntry) { append(entry, after: SplitBytes([]), keeping: 1) }

  /// The chunks that no entry is appended to.
  var fullChunks: [Chunk] { last.isFull ? full + [last] : full }

  /// The journal without ``fullChunks``. If no other chunk remains, ``last`` is empty.
  var withoutFullChunks: Journal {
    var rest = self
    rest.full = []
    if last.isFull { rest.last = Chunk() }
    return rest
  }

  private var count: Int { full.reduce(Int(last.count)) { $0 + Int($1.count) } }
  /// The total size of entries and checkpoints in bytes, without the blobs in them.
  var size: Int { full.reduce(last.size) { $0 + $1.size } }

  /// The blobs in all entries and checkpoints.
  var blobs: [LocatedBlob] { (full + [last]).flatMap(\.blobs) }

  var hasBlobs: Bool {
    // Without a copy: that of a chunk counts references.
    let chunks = full.span
    return last.hasBlobs || chunks.indices.contains { chunks[$0].hasBlobs }
  }

  private var bytesOfEntries: Int { full.reduce(last.bytes.rest.count) { $0 + $1.bytes.rest.count } }

  /// Whether only the minimum of entries is kept, because they are large.
  private var isLarge: Bool {
    bytesOfEntries > Self.byteLimit
      || hasBlobs && (full + [last]).flatMap(\.bytes.blobs).distinctSize > Blob.totalLimit
  }

  /// Appends the entry of the next revision. Returns whether that drops older entries.
  ///
  /// - Parameters:
  ///   - state: the packed navigation before the entry.
  ///   - retention: the minimum number of entries to keep. Up to 16 more may remain, because chunks are dropped whole.
  @discardableResult
  mutating func append(
    _ entry: JournalEntry, after state: @autoclosure () -> SplitBytes, keeping retention: Int
  ) -> Bool {
    var isDropping = false
    if last.isFull {
      // The first chunk begins with a creation and needs no checkpoint. After it, every second chunk gets one, because
      // a checkpoint is larger than the entries of a chunk.
      let isCheckpointDue = !full.isEmpty && last.state == nil
      full.append(last)
      last = Chunk()
      isDropping = dropOldest(keeping: max(retention, Self.minimumLength))
      if isCheckpointDue { keep(state()) }
    }
    last.append(entry)
    return isDropping
  }

  private mutating func dropOldest(keeping retention: Int) -> Bool {
    var surplus = count + 1 - (isLarge ? Self.minimumLength : retention)
    var dropped = 0
    while dropped < full.count, Int(full[dropped].count) <= surplus {
      surplus -= Int(full[dropped].count)
      dropped += 1
    }
    full.removeFirst(dropped)
    return dropped > 0
  }

  private mutating func keep(_ state: SplitBytes) {
    guard state.rest.count <= Self.stateLimit, state.blobs.distinctSize <= Blob.totalLimit else { return }
    last.state = state
    // The previous checkpoint stays, so that some past can always be reconstructed.
    for index in full.indices.dropLast(2) {
      guard areCheckpointsTooLarge else { break }
      full[index].state = nil
    }
  }

  private var areCheckpointsTooLarge: Bool {
    size - bytesOfEntries > Self.stateLimit
      || hasBlobs && (full + [last]).flatMap { $0.state?.blobs ?? [] }.distinctSize > Blob.totalLimit
  }

  /// Returns the kept entries after a revision, oldest first.
  func entries(after revision: UInt64) -> [JournalEntry] { entries(after: revision, limit: .max, keeping: count) }

  /// Returns those of the last `retention` entries that follow a revision, oldest first.
  func entries(after revision: UInt64, limit: Int, keeping retention: Int) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var surplus = count - max(retention, Self.minimumLength)
    for chunk in full + [last] where entries.count < limit {
      for entry in chunk.entries where entries.count < limit {
        surplus -= 1
        if surplus < 0, entry.revision > revision { entries.append(entry) }
      }
    }
    return entries
  }

  /// Returns the time of the step that led to a revision; nil if the journal no longer has the entry.
  func time(of revision: UInt64) -> Timestamp? {
    last.time(of: revision) ?? full.lazy.reversed().compactMap { $0.time(of: revision) }.first
  }

  /// The entry of the latest revision.
  var latest: JournalEntry? { last.entries.last }

  /// A point from which later revisions can be reconstructed.
  struct Checkpoint {
    /// The packed state; nil before the creation.
    let state: SplitBytes?
    /// All entries after the checkpoint.
    let entries: [JournalEntry]
  }

  /// Returns the last checkpoint before a revision, or nil if the journal does not reach back that far.
  ///
  /// The creation of the session is a checkpoint too.
  func checkpoint(before revision: UInt64) -> Checkpoint? {
    var entries: [JournalEntry] = []
    for chunk in (full + [last]).reversed() {
      entries.insert(contentsOf: chunk.entries, at: 0)
      guard let first = entries.first else { return nil }
      let isCheckpoint = chunk.state != nil || first.kind == .create
      if isCheckpoint, first.revision <= revision { return Checkpoint(state: chunk.state, entries: entries) }
    }
    return nil
  }

  /// The first revision that can be reconstructed; nil for none.
  var firstReconstructible: UInt64? {
    (full + [last]).lazy.compactMap { chunk in
      chunk.entries.first.flatMap { chunk.state != nil || $0.kind == .create ? $0.revision : nil }
    }.first
  }

  // The stored form: the number of chunks and, for each chunk, its checkpoint, the number of its entries, and the
  // entries with their sizes.

  func write(to out: inout ByteWriter) {
    out.append(varint: UInt64(full.count + 1))
    for chunk in full { chunk.write(to: &out) }
    last.write(to: &out)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    full = try input.list(Chunk.init(reading:))
    last = full.popLast() ?? Chunk()
  }

  func writeOffsets(to out: inout ByteWriter) {
    for chunk in full { chunk.writeOffsets(to: &out) }
    last.writeOffsets(to: &out)
  }

  /// Reads the offsets of the blobs, and inserts these.
  mutating func insert(_ blobs: SessionBlobs, reading input: inout ByteReader) throws(ValueError) {
    for index in full.indices { try full[index].insert(blobs, reading: &input) }
    try last.insert(blobs, reading: &input)
  }

  /// Requires that the chunks agree with their numbers of entries.
  func validate() throws(ValueError) {
    for chunk in full { try chunk.validate() }
    try last.validate()
  }
}

extension Journal.Chunk {
  func write(to out: inout ByteWriter) {
    out.append(sized: state?.rest ?? [])
    out.append(varint: UInt64(count))
    out.append(sized: bytes.rest)
  }

  func writeOffsets(to out: inout ByteWriter) {
    out.append(offsetsOf: state?.blobs ?? [])
    out.append(offsetsOf: bytes.blobs)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    state = try input.sizedSplitBytes()
    count = UInt32(clamping: try input.varint())
    bytes = SplitBytes(try input.sizedBytes())
  }

  /// Reads the offsets of the blobs, and inserts these.
  mutating func insert(_ blobs: SessionBlobs, reading input: inout ByteReader) throws(ValueError) {
    let located = try input.inserting(blobs, in: state ?? SplitBytes([]))
    if state != nil { state = located }
    bytes = try input.inserting(blobs, in: bytes)
  }

  /// Requires that the entries and their number agree.
  func validate() throws(ValueError) {
    var entries = ByteReader(bytes.whole)
    for _ in 0..<count { try entries.skipSized() }
    guard entries.isAtEnd else { throw ValueError(.trailingBytes, offset: entries.position) }
  }
}
