internal import Navigation
public import Values

/// What a store on disk keeps of a session as one run of bytes: all that changes, and what nobody looks for.
///
///     format, revision, locale, packed navigation, journal, outcomes, write access
///
/// Numbers are LEB128 varints; texts and runs of bytes carry their length.
extension StoredSession {
  private enum Format: UInt8 {
    /// Whose journals have no states.
    case first = 1
    /// Without write access. What was never handed over is still written so, for processes of the version before.
    case second = 2
    case third = 3
    /// With sealed ids of version 2 in the write access, which processes of the version before cannot read.
    case fourth = 4
  }

  private var format: Format {
    if writeAccess == .everyone { return .second }
    return writeAccess.isOfFirstVersion ? .third : .fourth
  }

  public var content: [UInt8] { withContent { Array($0) } }

  /// Lends the content while `body` runs, in memory that is used again.
  public func withContent<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    var out = ByteWriter(pooled: 4096)
    let format = format
    out.append(format.rawValue)
    out.append(varint: revision)
    out.append(sized: locale ?? "")
    out.append(sized: navigation.packed)
    journal.write(to: &out)
    outcomes.write(to: &out)
    if format != .second { writeAccess.write(to: &out) }
    return try out.withUnsafeBytes { bytes in try body(bytes) }
  }

  /// Reads what ``content`` made.
  ///
  /// - Throws: `ValueError` for anything else.
  public convenience init(
    key: SessionKey, owner: SessionOwner? = nil, app: String, createdAt: Timestamp, expiresAt: Timestamp,
    version: SessionVersion, content: [UInt8]
  ) throws(ValueError) {
    var input = ByteReader(content)
    let byte = try input.byte()
    guard let format = Format(rawValue: byte) else { throw ValueError(.unsupported(byte), offset: 0) }
    let revision = try input.varint()
    let locale = try input.sizedText()
    let packed = try input.sizedBytes()
    let journal = try format == .first ? Journal(readingEntries: &input) : Journal(reading: &input)
    let outcomes = try RecentOutcomes(reading: &input)
    let writeAccess: WriteAccess =
      switch format {
      case .first, .second: .everyone
      case .third, .fourth: try WriteAccess(reading: &input)
      }
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
    self.init(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt,
      locale: locale.isEmpty ? nil : locale, revision: revision, version: version, navigation: .packed(packed),
      journal: journal, outcomes: outcomes, writeAccess: writeAccess)
  }
}
