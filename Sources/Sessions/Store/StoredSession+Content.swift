internal import Navigation
public import Values

/// What a store on disk keeps of a session as one run of bytes: all that changes, and what nobody looks for.
///
///     format, revision, locale, packed navigation, journal, outcomes
///
/// Numbers are LEB128 varints; texts and runs of bytes carry their length.
extension StoredSession {
  private static let format: UInt8 = 2
  /// Whose journals have no states.
  private static let oldFormat: UInt8 = 1

  public var content: [UInt8] { withContent { Array($0) } }

  /// Lends the content while `body` runs, in memory that is used again.
  public func withContent<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var out = ByteWriter(pooled: 4096)
    out.append(Self.format)
    out.append(varint: revision)
    out.append(sized: locale ?? "")
    out.append(sized: navigation.packed)
    journal.write(to: &out)
    outcomes.write(to: &out)
    return try out.withUnsafeBytes { bytes in try body(bytes) }
  }

  /// Reads what ``content`` made.
  ///
  /// - Throws: `ValueError` for anything else.
  public convenience init(
    key: SessionKey, app: String, createdAt: Timestamp, expiresAt: Timestamp, version: SessionVersion, content: [UInt8]
  ) throws(ValueError) {
    var input = ByteReader(content)
    let format = try input.byte()
    guard format == Self.format || format == Self.oldFormat else { throw ValueError(.unsupported(format), offset: 0) }
    let revision = try input.varint()
    let locale = try input.sizedText()
    let packed = try input.sizedBytes()
    let journal =
      try format == Self.format ? Journal(reading: &input) : Journal(readingEntries: &input)
    let outcomes = try RecentOutcomes(reading: &input)
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
    self.init(
      key: key, app: app, createdAt: createdAt, expiresAt: expiresAt, locale: locale.isEmpty ? nil : locale,
      revision: revision, version: version, navigation: .packed(packed), journal: journal, outcomes: outcomes)
  }
}
