internal import Navigation
public import Values

/// The stored form of the parts of a session that no store searches:
///
///     format, revision, locale, packed navigation, journal, outcomes, write access, pending work, client commits,
///     bodies, places of bodies, definition
///
/// Numbers are LEB128 varints. Texts and byte strings are preceded by their length. Navigation, journal and outcomes are
/// without their bodies, whose places follow at the end.
extension StoredSession {
  private enum Format: UInt8 {
    /// Journals have no states.
    case first = 1
    /// Without write access. Sessions that were never handed over still use it, for processes of the previous release.
    case second = 2
    case third = 3
    /// With sealed IDs of version 2 in the write access, which processes of the previous release cannot read.
    case fourth = 4
    /// With the times of pending work, and journal entries of background events.
    case fifth = 5
    /// With the addresses and keys of awaited signals.
    case sixth = 6
    /// With client commits. As long as the journal suffices, sessions use an earlier format, for processes of the
    /// previous release.
    case seventh = 7
    /// With bodies, which processes of the previous release cannot read.
    case eighth = 8
    /// With the digest of a definition behind everything else.
    case ninth = 9
    /// With the work whose event is stuck. Then a definition is preceded by its length.
    case tenth = 10

    var hasBodies: Bool { rawValue >= Format.eighth.rawValue }
  }

  /// The first bytes of contents with bodies, which may lack them.
  public static let formatsWithBodies = [Format.eighth, .ninth, .tenth].map(\.rawValue)

  private func format(with bodies: SessionBodies) -> Format {
    if !stuck.isEmpty { return .tenth }
    if definition != nil { return .ninth }
    if !bodies.isEmpty { return .eighth }
    if commits != nil { return .seventh }
    if let work { return work.contains { $0.address != nil } ? .sixth : .fifth }
    if writeAccess == .everyone { return .second }
    return writeAccess.isOfFirstVersion ? .third : .fourth
  }

  /// The whole content as bytes.
  public var content: [UInt8] { withContent(.whole) { content, _ in Array(content) } }

  /// Calls `body` with the content, and the parts that it lacks in a layout. The content is in a reused buffer, which is
  /// valid only during the call.
  public func withContent<Result>(
    _ layout: ContentLayout, _ body: (UnsafeRawBufferPointer, SessionParts) throws -> Result
  ) rethrows -> Result {
    var out = ByteWriter(pooled: 4096)
    let packed = navigation.packed
    let bodies = bodies
    let parts = parts(in: layout, bodies)
    let journal = parts.hasHistory ? self.journal.withoutFullChunks : self.journal
    let outcomes = parts.hasHistory ? RecentOutcomes() : self.outcomes
    let format = format(with: bodies)
    out.append(format.rawValue)
    out.append(varint: revision)
    out.append(sized: locale ?? "")
    out.append(sized: packed.rest)
    journal.write(to: &out)
    outcomes.write(to: &out)
    if format != .second { writeAccess.write(to: &out) }
    if format.hasBodies { out.append(varint: UInt64(work.map { $0.count + 1 } ?? 0)) }
    if let work {
      if !format.hasBodies { out.append(varint: UInt64(work.count)) }
      for item in work {
        out.append(varint: UInt64(item.id.rawValue))
        out.append(item.dueAt)
        if format != .fifth { item.writeSignal(to: &out) }
      }
    }
    if format.hasBodies { out.append(commits == nil ? 0 : 1) }
    commits?.write(to: &out)
    if format.hasBodies {
      let inline = layout == .whole ? bodies.inOrder : []
      out.append(varint: UInt64(inline.count))
      for body in inline { out.append(sized: body.bytes) }
      out.append(places: packed.bodies)
      journal.writePlaces(to: &out)
      outcomes.writePlaces(to: &out)
    }
    if format == .tenth {
      out.append(varint: UInt64(stuck.count))
      for id in stuck { out.append(varint: UInt64(id.rawValue)) }
      out.append(sized: definition?.bytes ?? [])
    } else if let definition {
      out.append(definition.bytes.span)
    }
    return try out.withUnsafeBytes { bytes in try body(bytes, parts) }
  }

  /// Decodes a session from its content and the parts that the content lacks.
  ///
  /// - Parameter parts: the stored parts in the order of their keys.
  /// - Throws: `ValueError` if the content is malformed.
  public convenience init(
    key: SessionKey, owner: SessionOwner? = nil, app: String, createdAt: Timestamp, expiresAt: Timestamp,
    version: SessionVersion, content: [UInt8], parts: [SessionPart] = []
  ) throws(ValueError) {
    var input = ByteReader(content)
    let byte = try input.byte()
    guard let format = Format(rawValue: byte) else { throw ValueError(.unsupported(byte), offset: 0) }
    let revision = try input.varint()
    let locale = try input.sizedText()
    var packed = SplitBytes(try input.sizedBytes())
    var journal = try format == .first ? Journal(readingEntries: &input) : Journal(reading: &input)
    var outcomes = try RecentOutcomes(reading: &input)
    let writeAccess = format.rawValue < Format.third.rawValue ? .everyone : try WriteAccess(reading: &input)
    let work = try Self.readWork(&input, format)
    let hasCommits = format.hasBodies ? try input.byte() != 0 : format == .seventh
    let commits = hasCommits ? try ClientCommits(reading: &input) : nil
    var bodies = try SessionBodies(parts)
    if format.hasBodies {
      for _ in 0..<(try input.varint()) { bodies.insert(Body(try input.sizedBytes())) }
      packed = try input.places(of: bodies, in: packed)
      try journal.place(bodies, reading: &input)
      try outcomes.place(bodies, reading: &input)
    }
    let stuck = format == .tenth ? try Self.readStuckWork(&input) : []
    let definition =
      switch format {
      case .ninth: DefinitionDigest(bytes: try input.bytes(32))
      case .tenth: DefinitionDigest(bytes: try input.sizedBytes())
      default: DefinitionDigest?.none
      }
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
    if !parts.isEmpty {
      journal = try Journal(parts, bodies, before: journal)
      outcomes = try RecentOutcomes(parts, bodies, before: outcomes)
    }
    try journal.validate()
    self.init(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt,
      locale: locale.isEmpty ? nil : locale, revision: revision, version: version, navigation: .packed(packed),
      journal: journal, commits: commits, outcomes: outcomes, writeAccess: writeAccess, work: work,
      definition: definition, stuck: stuck)
  }
}

/// The parts of a session that its content contains.
public enum ContentLayout: Sendable {
  /// All of them.
  case whole
  /// All but the bodies.
  case withoutBodies
  /// All but the bodies and, unless they are small, the full chunks of the journal and the outcomes.
  case withoutParts
}

extension StoredSession {
  private static func readWork(
    _ input: inout ByteReader, _ format: Format
  ) throws(ValueError) -> [ScheduledWork]? {
    guard format.rawValue >= Format.fifth.rawValue else { return nil }
    var count = try input.varint()
    if format.hasBodies {
      if count == 0 { return nil }
      count -= 1
    }
    var work: [ScheduledWork] = []
    for _ in 0..<count {
      let id = WorkID(UInt32(clamping: try input.varint()))
      let dueAt = try input.timestamp()
      let (address, key) = format == .fifth ? (nil, nil) : try ScheduledWork.readSignal(&input)
      work.append(ScheduledWork(id: id, dueAt: dueAt, address: address, key: key))
    }
    return work
  }
}

extension StoredSession {
  private static func readStuckWork(_ input: inout ByteReader) throws(ValueError) -> [WorkID] {
    var stuck: [WorkID] = []
    for _ in 0..<(try input.varint()) { stuck.append(WorkID(UInt32(clamping: try input.varint()))) }
    return stuck
  }
}

/// The address, or 0 without one, and behind it the bytes of the key, if there is one.
extension ScheduledWork {
  fileprivate func writeSignal(to out: inout ByteWriter) {
    out.append(varint: UInt64(address ?? 0))
    if address != nil { out.append(sized: key?.bytes ?? []) }
  }

  fileprivate static func readSignal(_ input: inout ByteReader) throws(ValueError) -> (UInt32?, SignalKey?) {
    let address = UInt32(clamping: try input.varint())
    return address == 0 ? (nil, nil) : (address, SignalKey(bytes: try input.sizedBytes()))
  }
}

/// Texts and byte strings preceded by their length, and timestamps.
extension ByteWriter {
  mutating func append(sized bytes: [UInt8]) {
    append(varint: UInt64(bytes.count))
    append(bytes.span)
  }

  mutating func append(sized text: String) {
    append(varint: UInt64(text.utf8.count))
    append(text)
  }

  mutating func append(_ time: Timestamp) { append(varint: UInt64(bitPattern: time.milliseconds)) }
}

extension ByteReader {
  mutating func sizedText() throws(ValueError) -> String { try text(Int(clamping: try varint())) }

  mutating func sizedBytes() throws(ValueError) -> [UInt8] { try bytes(Int(clamping: try varint())) }

  mutating func skipSized() throws(ValueError) { try skip(Int(clamping: try varint())) }

  mutating func timestamp() throws(ValueError) -> Timestamp {
    Timestamp(milliseconds: Int64(bitPattern: try varint()))
  }

  mutating func bytes(_ count: Int) throws(ValueError) -> [UInt8] {
    try withBytes(count) { span in span.withUnsafeBufferPointer { Array($0) } }
  }
}
