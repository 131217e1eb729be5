internal import Values

/// The last entries of a journal in one run of bytes.
struct PackedJournal {
  /// A few more entries than promised may be kept, so that dropping is done for several at once.
  private static let slack = 16
  /// Entries that are kept however large they are (design: api, "Revisions").
  private static let leastRetention = 16
  /// Above this many bytes only those are kept.
  private static let byteLimit = 64 * 1024

  private var bytes: [UInt8] = []
  private var count: UInt32 = 0
  /// The language of the session; it lies here because few have one.
  let locale: String?

  init(_ entry: JournalEntry, locale: String?) {
    self.locale = locale
    append(entry, keeping: 1)
  }

  /// - Parameter retention: how many entries are kept where they are small.
  mutating func append(_ entry: JournalEntry, keeping retention: Int) {
    if count >= retention + Self.slack { dropOldest(Self.slack + 1) }
    if bytes.count > Self.byteLimit, count >= Self.leastRetention { dropOldest(Int(count) - Self.leastRetention + 1) }
    var writer = ByteWriter(capacity: 96)
    writer.append(varint: entry.revision)
    writer.append(varint: UInt64(bitPattern: entry.at.milliseconds))
    writer.append(entry.kind.rawValue)
    if entry.kind == .action { writer.append(sized: entry.name) }
    if entry.kind == .create { writer.append(sized: entry.link ?? "") }
    writer.append(encoded: entry.input)
    writer.append(sized: entry.screen)
    writer.withUnsafeBytes { raw in
      // An exact fit while the journal is short: most sessions are idle and have few entries.
      if count < 4 { bytes.reserveCapacity(bytes.count + raw.count + 2) }
      // The size stands before the entry, so that it can be skipped unread.
      var size = UInt64(raw.count)
      while size >= 0x80 {
        bytes.append(UInt8(truncatingIfNeeded: size) | 0x80)
        size >>= 7
      }
      bytes.append(UInt8(size))
      bytes.append(contentsOf: raw)
    }
    count += 1
  }

  private mutating func dropOldest(_ dropped: Int) {
    var reader = ByteReader(bytes)
    for _ in 0..<dropped { try? reader.skip(Int(reader.varint())) }
    let end = reader.position
    reader = ByteReader([])
    bytes.removeSubrange(..<end)
    count -= UInt32(dropped)
  }

  /// Of the last `retention` entries those after `revision`, oldest first.
  func entries(after revision: UInt64, limit: Int, keeping retention: Int) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    var reader = ByteReader(bytes)
    var surplus = max(Int(count) - retention, 0)
    while entries.count < limit, !reader.isAtEnd, let entry = try? Self.read(&reader) {
      surplus -= 1
      if surplus < 0, entry.revision > revision { entries.append(entry) }
    }
    return entries
  }

  private static func read(_ reader: inout ByteReader) throws -> JournalEntry {
    _ = try reader.varint()
    let revision = try reader.varint()
    let at = Timestamp(milliseconds: Int64(bitPattern: try reader.varint()))
    let kind = JournalEntry.Kind(rawValue: try reader.byte()) ?? .action
    let name = kind == .action ? try reader.text(Int(try reader.varint())) : "\(kind)"
    let link = kind == .create ? try reader.text(Int(try reader.varint())) : ""
    let input = try reader.value()
    return JournalEntry(
      revision: revision, at: at, kind: kind, name: name, input: input, link: link.isEmpty ? nil : link,
      screen: try reader.text(Int(try reader.varint())))
  }
}

extension ByteWriter {
  fileprivate mutating func append(sized text: String) {
    append(varint: UInt64(text.utf8.count))
    append(text)
  }
}
