public import Values

/// What a database keeps of a creation's outcome as one run of bytes, beside its key.
///
///     format, fingerprint, sealed id, stored at, expires at, session's key, app, created at, expires at, version, content
///
/// Numbers are LEB128 varints; texts and runs of bytes carry their length. Once the session has ended the content is cut behind the
/// fingerprint, because the rest has inputs of a session that nobody can ask for.
extension CreationOutcome {
  private enum Format: UInt8 {
    /// With a sealed id of version 1.
    case first = 1
    /// With a sealed id of version 2, which processes of the version before cannot read.
    case second = 2
  }

  /// Bytes of the content that are kept once the session has ended: the format, and the fingerprint with its length.
  public static let sizeOfEnded = 34

  public var content: [UInt8] {
    var out = ByteWriter(pooled: 4096)
    out.append((sealedID.isFirstVersion ? Format.first : .second).rawValue)
    out.append(sized: fingerprint.bytes)
    out.append(sized: sealedID.bytes)
    out.append(storedAt)
    out.append(expiresAt)
    out.append(sized: session.key.bytes)
    out.append(sized: session.app)
    out.append(session.createdAt)
    out.append(session.expiresAt)
    out.append(varint: UInt64(bitPattern: session.version.rawValue))
    out.append(sized: session.content)
    return out.finish()
  }

  /// Reads what ``content`` made.
  ///
  /// - Throws: `ValueError` for anything else.
  public init(key: OutcomeKey, content: [UInt8]) throws(ValueError) {
    var input = ByteReader(content)
    let format = try input.byte()
    guard Format(rawValue: format) != nil else { throw ValueError(.unsupported(format), offset: 0) }
    guard let fingerprint = Digest256(bytes: try input.sizedBytes()),
      let sealedID = SealedSessionID(bytes: try input.sizedBytes())
    else { throw ValueError(.truncated, offset: input.position) }
    let (storedAt, expiresAt) = (try input.timestamp(), try input.timestamp())
    guard let session = SessionKey(bytes: try input.sizedBytes()) else {
      throw ValueError(.truncated, offset: input.position)
    }
    self.init(
      key: key, fingerprint: fingerprint, sealedID: sealedID,
      session: try StoredSession(
        key: session, app: try input.sizedText(), createdAt: try input.timestamp(), expiresAt: try input.timestamp(),
        version: SessionVersion(rawValue: Int64(bitPattern: try input.varint())), content: try input.sizedBytes()),
      storedAt: storedAt, expiresAt: expiresAt)
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
  }
}

extension CreationLookup {
  /// Reads what a database keeps of a creation's outcome.
  ///
  /// - Throws: `ValueError` for anything else.
  public init(key: OutcomeKey, content: [UInt8], expiresAt: Timestamp) throws(ValueError) {
    guard content.count == CreationOutcome.sizeOfEnded else {
      self = .live(try CreationOutcome(key: key, content: content))
      return
    }
    var input = ByteReader(content)
    _ = try input.byte()
    guard let fingerprint = Digest256(bytes: try input.sizedBytes()) else {
      throw ValueError(.truncated, offset: input.position)
    }
    self = .gone(fingerprint: fingerprint, expiresAt: expiresAt)
  }
}
