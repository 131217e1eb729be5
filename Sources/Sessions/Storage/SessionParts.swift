internal import Values

/// A part of a session that actions do not change: a full chunk of its journal, the outcome of a request, or a blob.
///
/// A store that keeps the parts beside the rest of a session need not write them again with each action.
public struct SessionPart: Sendable, Equatable {
  fileprivate enum Kind: UInt8 { case chunk, outcome, blob }

  /// The key within the session. In the order of the keys, chunks precede outcomes, and both are oldest first. The key of
  /// a blob ends with its SHA-256.
  public let key: [UInt8]
  public let content: [UInt8]

  public init(key: [UInt8], content: [UInt8]) {
    self.key = key
    self.content = content
  }

  /// The part of a blob. The key of a damaged one is another than the content of the session refers to.
  public init(blob: [UInt8]) { self.init(Blob(blob)) }

  fileprivate init(_ blob: Blob) { self.init(key: Self.key(ofBlob: blob.digest), content: blob.bytes) }

  fileprivate static func key(ofBlob digest: Digest256) -> [UInt8] { [Kind.blob.rawValue] + digest.bytes }
}

/// The parts of a session that its content lacks.
public struct SessionParts: Sendable {
  /// The size in bytes of journal and outcomes up to which the content has them all. Together with a state of usual
  /// size, they fit into one page of SQLite (4 KiB), and parts would take a second page.
  static let inlineLimit = 3072

  fileprivate let chunks: [Journal.Chunk]
  fileprivate let outcomes: [StoredOutcome]
  fileprivate let blobs: SessionBlobs
  /// Whether the content lacks full chunks and outcomes.
  let hasHistory: Bool

  public var count: Int { chunks.count + outcomes.count + blobs.count }

  /// All parts in their stored form.
  public var stored: [SessionPart] { chunks.map(\.part) + outcomes.map(\.part) + blobs.values.map { SessionPart($0) } }

  /// Returns the keys of the predecessor's parts that are not among these, and the parts that are not among the
  /// predecessor's. A part that differs from the predecessor's is in both lists.
  public func changes(since predecessor: SessionParts) -> (removed: [[UInt8]], added: [SessionPart]) {
    let chunks = chunks.changes(since: predecessor.chunks)
    let outcomes = outcomes.changes(since: predecessor.outcomes)
    let removed = predecessor.blobs.keys.filter { blobs[$0] == nil }
    let added = blobs.filter { predecessor.blobs[$0.key] == nil }
    return (
      chunks.removed.map(\.partKey) + outcomes.removed.map(\.partKey) + removed.map { SessionPart.key(ofBlob: $0) },
      chunks.added.map(\.part) + outcomes.added.map(\.part) + added.values.map { SessionPart($0) }
    )
  }
}

extension Array where Element: Equatable {
  fileprivate func changes(since predecessor: [Element]) -> (removed: [Element], added: [Element]) {
    // Most steps share the array with their predecessor, and the comparison does not look at the elements.
    if self == predecessor { return ([], []) }
    var changes: (removed: [Element], added: [Element]) = ([], [])
    let difference = difference(from: predecessor)
    for case .remove(_, let element, _) in difference { changes.removed.append(element) }
    for case .insert(_, let element, _) in difference { changes.added.append(element) }
    return changes
  }
}

extension StoredSession {
  /// The parts that the content lacks in a layout.
  public func parts(in layout: ContentLayout) -> SessionParts { parts(in: layout, blobs) }

  func parts(in layout: ContentLayout, _ blobs: SessionBlobs) -> SessionParts {
    let hasHistory = layout == .withoutParts && journal.size + outcomes.size > SessionParts.inlineLimit
    return SessionParts(
      chunks: hasHistory ? journal.fullChunks : [], outcomes: hasHistory ? outcomes.all : [],
      blobs: layout == .whole ? SessionBlobs() : blobs, hasHistory: hasHistory)
  }
}

extension Journal {
  /// Puts stored chunks before the others.
  init(_ parts: [SessionPart], _ blobs: SessionBlobs, before rest: Journal) throws(ValueError) {
    self = rest
    var chunks: [Chunk] = []
    for part in parts where part.key.first == SessionPart.Kind.chunk.rawValue {
      var input = ByteReader(part.content)
      var chunk = try Chunk(reading: &input)
      if !input.isAtEnd { try chunk.insert(blobs, reading: &input) }
      chunks.append(chunk)
    }
    full = chunks + full
    if last.count == 0, let chunk = full.popLast() { last = chunk }
  }
}

extension RecentOutcomes {
  /// Puts stored outcomes before the others.
  init(_ parts: [SessionPart], _ blobs: SessionBlobs, before rest: RecentOutcomes) throws(ValueError) {
    var outcomes: [StoredOutcome] = []
    for part in parts where part.key.first == SessionPart.Kind.outcome.rawValue {
      var input = ByteReader(part.content)
      var outcome = try StoredOutcome(reading: &input)
      if !input.isAtEnd { try outcome.insert(blobs, reading: &input) }
      outcomes.append(outcome)
    }
    self.init(outcomes + rest.all)
  }
}

extension SessionBlobs {
  /// Reads the stored blobs.
  init(_ parts: [SessionPart]) throws(ValueError) {
    self.init()
    for part in parts where part.key.first == SessionPart.Kind.blob.rawValue {
      let blob = Blob(part.content)
      guard SessionPart.key(ofBlob: blob.digest) == part.key else { throw ValueError(.trailingBytes, offset: 0) }
      insert(blob)
    }
  }
}

extension Journal.Chunk {
  fileprivate var partKey: [UInt8] {
    var input = ByteReader(bytes.rest)
    var key = ByteWriter(capacity: 9)
    key.append(SessionPart.Kind.chunk.rawValue)
    // An entry begins with its size and its revision.
    let numbers = [try? input.varint(), try? input.varint()]
    key.append(bigEndian: numbers[1] ?? 0)
    return key.finish()
  }

  fileprivate var part: SessionPart {
    var content = ByteWriter(pooled: size + 32)
    write(to: &content)
    if hasBlobs { writeOffsets(to: &content) }
    return SessionPart(key: partKey, content: content.finish())
  }
}

extension StoredOutcome {
  fileprivate var partKey: [UInt8] {
    var out = ByteWriter(capacity: 49)
    out.append(SessionPart.Kind.outcome.rawValue)
    out.append(bigEndian: revision)
    out.append(bigEndian: UInt64(bitPattern: storedAt.milliseconds))
    out.append(key.bytes)
    return out.finish()
  }

  fileprivate var part: SessionPart {
    var content = ByteWriter(pooled: 128 + (packed?.rest.count ?? 0))
    write(to: &content)
    if packed?.blobs.isEmpty == false { writeOffsets(to: &content) }
    return SessionPart(key: partKey, content: content.finish())
  }
}

extension ByteWriter {
  /// Appends a number with its highest byte first, so that keys are in the order of their numbers.
  fileprivate mutating func append(bigEndian number: UInt64) { append(littleEndian: number.byteSwapped) }
}
