internal import Values

/// How a journal is kept with its session: a count of chunks, and of each its state, the count of its entries, and these with their
/// sizes.
extension Journal {
  func write(to out: inout ByteWriter) {
    out.append(varint: UInt64(full.count + 1))
    for chunk in full { chunk.write(to: &out) }
    last.write(to: &out)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    var left = try input.varint()
    while left > 0 {
      left -= 1
      let chunk = try Chunk(reading: &input)
      if left > 0 { full.append(chunk) } else { last = chunk }
    }
  }

  /// Reads what was written before there were states: a count, and so many entries with their sizes.
  init(readingEntries input: inout ByteReader) throws(ValueError) {
    for _ in 0..<(try input.varint()) {
      var end = input
      try end.skipSized()
      let bytes = try input.bytes(end.position - input.position)
      if last.isFull {
        full.append(last)
        last = Chunk()
      }
      last.bytes += bytes
      last.count += 1
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
    var entries = ByteReader(bytes)
    for _ in 0..<count { try entries.skipSized() }
    guard entries.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
  }
}

extension ByteWriter {
  mutating func append(journal entry: JournalEntry) {
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
  mutating func journalEntry() throws -> JournalEntry {
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
