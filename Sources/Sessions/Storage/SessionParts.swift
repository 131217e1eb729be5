internal import Values

/// A part of a session that actions do not change: a full chunk of its journal, or the outcome of a request.
///
/// A store that keeps the parts beside the rest of a session need not write them again with each action.
public struct SessionPart: Sendable, Equatable {
  fileprivate enum Kind: UInt8 { case chunk, outcome }

  /// The key within the session. In the order of the keys, chunks precede outcomes, and both are oldest first.
  public let key: [UInt8]
  public let content: [UInt8]

  public init(key: [UInt8], content: [UInt8]) {
    self.key = key
    self.content = content
  }
}

/// The parts of a session.
public struct SessionParts: Sendable {
  /// The size in bytes of journal and outcomes up to which a session has no parts. Together with a state of usual size,
  /// they fit into one page of SQLite (4 KiB), and parts would take a second page.
  static let inlineLimit = 3072

  fileprivate let chunks: [Journal.Chunk]
  fileprivate let outcomes: [StoredOutcome]

  public var count: Int { chunks.count + outcomes.count }

  /// All parts in their stored form.
  public var stored: [SessionPart] { chunks.map(\.part) + outcomes.map(\.part) }

  /// Returns the keys of the predecessor's parts that are not among these, and the parts that are not among the
  /// predecessor's. A part that differs from the predecessor's is in both lists.
  public func changes(since predecessor: SessionParts) -> (removed: [[UInt8]], added: [SessionPart]) {
    let chunks = chunks.changes(since: predecessor.chunks)
    let outcomes = outcomes.changes(since: predecessor.outcomes)
    return (
      chunks.removed.map(\.partKey) + outcomes.removed.map(\.partKey),
      chunks.added.map(\.part) + outcomes.added.map(\.part)
    )
  }
}

extension Array where Element: Equatable {
  fileprivate func changes(since predecessor: [Element]) -> (removed: [Element], added: [Element]) {
    // Most steps share the array with their predecessor, and the comparison does not look at the elements.
    if self == predecessor { return ([], []) }
    var changes: (removed: [Element], added: [Element]) = ([], [])
    for change in difference(from: predecessor) {
      switch change {
      case .remove(_, let element, _): changes.removed.append(element)
      case .insert(_, let element, _): changes.added.append(element)
      }
    }
    return changes
  }
}

extension StoredSession {
  /// The parts of the session; none if all of them are small.
  public var parts: SessionParts {
    let isSmall = journal.size + outcomes.size <= SessionParts.inlineLimit
    return isSmall
      ? SessionParts(chunks: [], outcomes: []) : SessionParts(chunks: journal.fullChunks, outcomes: outcomes.all)
  }

  /// Calls `body` with the content without the parts, in a reused buffer that is valid only during the call.
  public func withContent<Result>(
    without parts: SessionParts, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    parts.count == 0
      ? try withContent(body) : try withContent(journal.withoutFullChunks, RecentOutcomes(), body)
  }
}

extension Journal {
  /// Puts stored chunks before the others.
  init(_ parts: [SessionPart], before rest: Journal) throws(ValueError) {
    self = rest
    var chunks: [Chunk] = []
    for part in parts where part.key.first == SessionPart.Kind.chunk.rawValue {
      var input = ByteReader(part.content)
      chunks.append(try Chunk(reading: &input))
    }
    full = chunks + full
    if last.count == 0, let chunk = full.popLast() { last = chunk }
  }
}

extension RecentOutcomes {
  /// Puts stored outcomes before the others.
  init(_ parts: [SessionPart], before rest: RecentOutcomes) throws(ValueError) {
    var outcomes: [StoredOutcome] = []
    for part in parts where part.key.first == SessionPart.Kind.outcome.rawValue {
      var input = ByteReader(part.content)
      outcomes.append(try StoredOutcome(reading: &input))
    }
    self.init(outcomes + rest.all)
  }
}

extension Journal.Chunk {
  fileprivate var partKey: [UInt8] {
    var input = ByteReader(bytes)
    var key = ByteWriter(capacity: 9)
    key.append(SessionPart.Kind.chunk.rawValue)
    // An entry begins with its size and its revision.
    let numbers = [try? input.varint(), try? input.varint()]
    key.append(bigEndian: numbers[1] ?? 0)
    return key.finish()
  }

  fileprivate var part: SessionPart {
    var content = ByteWriter(pooled: bytes.count + (state?.count ?? 0) + 32)
    write(to: &content)
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
    var content = ByteWriter(pooled: 128 + (packed?.count ?? 0))
    write(to: &content)
    return SessionPart(key: partKey, content: content.finish())
  }
}

extension ByteWriter {
  /// Appends a number with its highest byte first, so that keys are in the order of their numbers.
  fileprivate mutating func append(bigEndian number: UInt64) { append(littleEndian: number.byteSwapped) }
}
