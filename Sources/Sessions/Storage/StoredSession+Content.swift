internal import Navigation
public import Values

/// The stored form of the parts of a session that no store searches:
///
///     format, sections, revision, locale, packed navigation, journal, outcomes, write access?, pending work?,
///     stuck work?, client commits?, definition?, time zone?, blobs and their offsets?
///
/// Numbers are LEB128 varints. Texts and byte strings are preceded by their length. Navigation, journal and outcomes are
/// without their blobs, whose offsets follow at the end.
extension StoredSession {
  private static let format: UInt8 = 1

  /// The parts that not every session has.
  private struct Sections: OptionSet {
    let rawValue: UInt8
    static let writeAccess = Sections(rawValue: 1)
    static let work = Sections(rawValue: 2)
    static let stuck = Sections(rawValue: 4)
    static let commits = Sections(rawValue: 8)
    static let definition = Sections(rawValue: 16)
    static let blobs = Sections(rawValue: 32)
    static let timeZone = Sections(rawValue: 64)
    /// A fact without bytes of its own.
    static let fixedLife = Sections(rawValue: 128)
  }

  /// The offset of the byte of a content that names its sections, and the bit for a session with blobs, which the content
  /// may lack.
  public static let (sectionsOffset, blobsBit) = (1, Sections.blobs.rawValue)

  private func sections(with blobs: SessionBlobs) -> Sections {
    var sections: Sections = []
    if writeAccess != .everyone { sections.insert(.writeAccess) }
    if work != nil { sections.insert(.work) }
    if !stuck.isEmpty { sections.insert(.stuck) }
    if commits != nil { sections.insert(.commits) }
    if definition != nil { sections.insert(.definition) }
    if timeZone != nil { sections.insert(.timeZone) }
    if hasFixedLife { sections.insert(.fixedLife) }
    if !blobs.isEmpty { sections.insert(.blobs) }
    return sections
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
    let blobs = blobs
    let parts = parts(in: layout, blobs)
    let journal = parts.hasHistory ? self.journal.withoutFullChunks : self.journal
    let outcomes = parts.hasHistory ? RecentOutcomes() : self.outcomes
    let sections = sections(with: blobs)
    out.append(Self.format)
    out.append(sections.rawValue)
    out.append(varint: revision)
    out.append(sized: locale ?? "")
    out.append(sized: packed.rest)
    journal.write(to: &out)
    outcomes.write(to: &out)
    if sections.contains(.writeAccess) { writeAccess.write(to: &out) }
    if let work { out.append(list: work) { $0.write(to: &$1) } }
    if sections.contains(.stuck) { out.append(list: stuck) { $1.append(varint: UInt64($0.rawValue)) } }
    commits?.write(to: &out)
    if let definition { out.append(definition.bytes.span) }
    if let timeZone { out.append(sized: timeZone) }
    if sections.contains(.blobs) {
      out.append(list: layout == .whole ? blobs.inOrder : []) { $1.append(sized: $0.bytes) }
      out.append(offsetsOf: packed.blobs)
      journal.writeOffsets(to: &out)
      outcomes.writeOffsets(to: &out)
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
    let format = try input.byte()
    guard format == Self.format else { throw ValueError(.unsupported(format), offset: 0) }
    let sections = Sections(rawValue: try input.byte())
    let revision = try input.varint()
    let locale = try input.sizedText()
    var packed = SplitBytes(try input.sizedBytes())
    var journal = try Journal(reading: &input)
    var outcomes = try RecentOutcomes(reading: &input)
    let writeAccess = sections.contains(.writeAccess) ? try WriteAccess(reading: &input) : .everyone
    let work = sections.contains(.work) ? try input.list(ScheduledWork.init(reading:)) : nil
    let stuck = sections.contains(.stuck) ? try input.list(WorkID.init(reading:)) : []
    let commits = sections.contains(.commits) ? try ClientCommits(reading: &input) : nil
    let definition = sections.contains(.definition) ? DefinitionDigest(bytes: try input.bytes(32)) : nil
    let timeZone = sections.contains(.timeZone) ? try input.sizedText() : nil
    var blobs = try SessionBlobs(parts)
    if sections.contains(.blobs) {
      for _ in 0..<(try input.varint()) { blobs.insert(Blob(try input.sizedBytes())) }
      packed = try input.inserting(blobs, in: packed)
      try journal.insert(blobs, reading: &input)
      try outcomes.insert(blobs, reading: &input)
    }
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
    if !parts.isEmpty {
      journal = try Journal(parts, blobs, before: journal)
      outcomes = try RecentOutcomes(parts, blobs, before: outcomes)
    }
    try journal.validate()
    self.init(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt,
      locale: locale.isEmpty ? nil : locale, timeZone: timeZone, revision: revision, version: version,
      navigation: .packed(packed), journal: journal, commits: commits, outcomes: outcomes, writeAccess: writeAccess,
      work: work, definition: definition, stuck: stuck, hasFixedLife: sections.contains(.fixedLife))
  }
}

/// The parts of a session that its content contains.
public enum ContentLayout: Sendable {
  /// All of them.
  case whole
  /// All but the blobs.
  case withoutBlobs
  /// All but the blobs and, unless they are small, the full chunks of the journal and the outcomes.
  case withoutParts
}

/// The stored form: the id, the time, and the address or 0 without one. Behind an address lie the bytes of the key, if
/// there is one.
extension ScheduledWork {
  fileprivate func write(to out: inout ByteWriter) {
    out.append(varint: UInt64(id.rawValue))
    out.append(dueAt)
    out.append(varint: UInt64(address ?? 0))
    if address != nil { out.append(sized: key?.bytes ?? []) }
  }

  fileprivate init(reading input: inout ByteReader) throws(ValueError) {
    let id = try WorkID(reading: &input)
    let dueAt = try input.timestamp()
    let address = UInt32(clamping: try input.varint())
    self.init(
      id: id, dueAt: dueAt, address: address == 0 ? nil : address,
      key: address == 0 ? nil : SignalKey(bytes: try input.sizedBytes()))
  }
}

extension WorkID {
  fileprivate init(reading input: inout ByteReader) throws(ValueError) {
    self.init(UInt32(clamping: try input.varint()))
  }
}

extension ByteWriter {
  /// Appends elements that their number precedes.
  mutating func append<Element>(list elements: [Element], _ write: (Element, inout ByteWriter) -> Void) {
    append(varint: UInt64(elements.count))
    for element in elements { write(element, &self) }
  }
}

extension ByteReader {
  /// Reads bytes of which the content is made; fails if it cannot be.
  mutating func sized<Content>(_ content: ([UInt8]) -> Content?) throws(ValueError) -> Content {
    guard let content = content(try sizedBytes()) else { throw ValueError(.truncated, offset: position) }
    return content
  }

  /// Reads bytes whose blobs follow elsewhere; nil if they are empty.
  mutating func sizedSplitBytes() throws(ValueError) -> SplitBytes? {
    let bytes = try sizedBytes()
    return bytes.isEmpty ? nil : SplitBytes(bytes)
  }

  /// Reads elements that their number precedes.
  mutating func list<Element>(
    _ element: (inout ByteReader) throws(ValueError) -> Element
  ) throws(ValueError) -> [Element] {
    var elements: [Element] = []
    for _ in 0..<(try varint()) { elements.append(try element(&self)) }
    return elements
  }
}
