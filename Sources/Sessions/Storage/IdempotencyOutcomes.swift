public import Values

/// The outcome of a request to a session with an `Idempotency-Key`, for its replay.
public struct StoredOutcome: Sendable, Equatable {
  public let key: IdempotencyDigest
  /// The digest of the request. A different request with the same key is a conflict.
  public let fingerprint: Digest256
  /// The revision after the request.
  public let revision: UInt64
  /// The packed navigation at that revision; nil if it is no longer kept.
  public var packed: SplitBytes?
  public let storedAt: Timestamp
  /// The time from which the key can be used again.
  public let expiresAt: Timestamp
}

/// The outcomes of a session's recent requests with an idempotency key, oldest first.
public struct RecentOutcomes: Sendable {
  private static let countLimit = 64
  /// The size in bytes, without the blobs, above which older outcomes lose their navigation; the newest one keeps it.
  /// An outcome without its navigation still tells that the request was performed.
  private static let byteLimit = 256 * 1024

  /// The outcomes, oldest first.
  private(set) var all: [StoredOutcome]

  public init(_ outcomes: [StoredOutcome] = []) { all = outcomes }

  /// The approximate size in bytes, without the blobs.
  var size: Int { all.reduce(0) { $0 + 128 + ($1.packed?.rest.count ?? 0) } }

  /// The blobs in all outcomes.
  var blobs: [LocatedBlob] { all.flatMap { $0.packed?.blobs ?? [] } }

  var hasBlobs: Bool { all.contains { $0.packed?.blobs.isEmpty == false } }

  /// Returns the unexpired outcome of a key.
  func outcome(for key: IdempotencyDigest, at now: Timestamp) -> StoredOutcome? {
    all.last { $0.key == key }.flatMap { now < $0.expiresAt ? $0 : nil }
  }

  mutating func append(_ outcome: StoredOutcome) {
    all.removeAll { $0.expiresAt <= outcome.storedAt }
    if all.count == Self.countLimit { all.removeFirst() }
    all.append(outcome)
    for index in all.indices.dropLast() {
      guard size > Self.byteLimit || hasBlobs && blobs.distinctSize > Blob.totalLimit else { break }
      all[index].packed = nil
    }
  }

  // MARK: - Stored form

  func write(to out: inout ByteWriter) { out.append(list: all) { $0.write(to: &$1) } }

  init(reading input: inout ByteReader) throws(ValueError) {
    self.init(try input.list(StoredOutcome.init(reading:)))
  }

  func writeOffsets(to out: inout ByteWriter) {
    for outcome in all { outcome.writeOffsets(to: &out) }
  }

  /// Reads the offsets of the blobs, and inserts these.
  mutating func insert(_ blobs: SessionBlobs, reading input: inout ByteReader) throws(ValueError) {
    for index in all.indices { try all[index].insert(blobs, reading: &input) }
  }
}

extension StoredOutcome {
  func writeOffsets(to out: inout ByteWriter) { out.append(offsetsOf: packed?.blobs ?? []) }

  mutating func insert(_ blobs: SessionBlobs, reading input: inout ByteReader) throws(ValueError) {
    let located = try input.inserting(blobs, in: packed ?? SplitBytes([]))
    if packed != nil { packed = located }
  }

  func write(to out: inout ByteWriter) {
    out.append(sized: key.bytes)
    out.append(sized: fingerprint.bytes)
    out.append(varint: revision)
    out.append(sized: packed?.rest ?? [])
    out.append(storedAt)
    out.append(expiresAt)
  }

  init(reading input: inout ByteReader) throws(ValueError) {
    self.init(
      key: try input.sized(IdempotencyDigest.init(bytes:)), fingerprint: try input.sized(Digest256.init(bytes:)),
      revision: try input.varint(), packed: try input.sizedSplitBytes(), storedAt: try input.timestamp(),
      expiresAt: try input.timestamp())
  }
}

/// The outcome of the creation of a session with an `Idempotency-Key`. The outcome is stored together with the session.
public struct CreationOutcome: Sendable {
  public let key: IdempotencyDigest
  /// The digest of the request. A different request with the same key is a conflict.
  public let fingerprint: Digest256
  /// The session's ID, encrypted with the idempotency key.
  public let sealedID: SealedSessionID
  /// The session as created.
  public let session: StoredSession
  public let storedAt: Timestamp
  /// The time from which the key can be used again.
  public let expiresAt: Timestamp
}

/// The result of looking up a creation by its idempotency key.
public enum CreationLookup: Sendable {
  case live(CreationOutcome)
  /// A tombstone: the session has ended, and only the digest of the request is kept. From `expiresAt` the key can be
  /// used again.
  case gone(fingerprint: Digest256, expiresAt: Timestamp)
  case unknown
}

/// The stored form of a creation's outcome, beside its key:
///
///     format, fingerprint, sealed ID, stored at, expires at, session's key, app, created at, expires at, version,
///     content
///
/// Numbers are LEB128 varints. Texts and byte strings are preceded by their length. When the session ends, the content
/// is truncated after the fingerprint, because the rest contains inputs of a session that is no longer accessible.
extension CreationOutcome {
  private static let format: UInt8 = 1

  /// The size in bytes of a tombstone's content: the format, and the fingerprint with its length.
  public static let tombstoneSize = 34

  /// The content as bytes.
  public var content: [UInt8] {
    var out = ByteWriter(pooled: 4096)
    out.append(Self.format)
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

  /// Decodes an outcome from ``content``.
  ///
  /// - Throws: `ValueError` if the content is malformed.
  public init(key: IdempotencyDigest, content: [UInt8]) throws(ValueError) {
    var input = ByteReader(content)
    let format = try input.byte()
    guard format == Self.format else { throw ValueError(.unsupported(format), offset: 0) }
    self.key = key
    fingerprint = try input.sized(Digest256.init(bytes:))
    sealedID = try input.sized(SealedSessionID.init(bytes:))
    (storedAt, expiresAt) = (try input.timestamp(), try input.timestamp())
    session = try StoredSession(
      key: try input.sized(SessionKey.init(bytes:)), app: try input.sizedText(), createdAt: try input.timestamp(),
      expiresAt: try input.timestamp(), version: SessionVersion(rawValue: Int64(bitPattern: try input.varint())),
      content: try input.sizedBytes())
    guard input.isAtEnd else { throw ValueError(.trailingBytes, offset: input.position) }
  }
}

extension CreationLookup {
  /// Decodes an outcome or its tombstone from stored content.
  ///
  /// - Throws: `ValueError` if the content is malformed.
  public init(key: IdempotencyDigest, content: [UInt8], expiresAt: Timestamp) throws(ValueError) {
    guard content.count == CreationOutcome.tombstoneSize else {
      self = .live(try CreationOutcome(key: key, content: content))
      return
    }
    var input = ByteReader(content)
    _ = try input.byte()
    self = .gone(fingerprint: try input.sized(Digest256.init(bytes:)), expiresAt: expiresAt)
  }
}

/// The digest of an idempotency key and its scope: one session, or the creation of sessions by one owner.
public struct IdempotencyDigest: DigestIdentity {
  public let digest: Digest256

  public init(_ digest: Digest256) { self.digest = digest }

  init(_ key: String, of session: SessionKey) { self.init(key, parts: [session.bytes]) }

  /// The digest for the creation of a session.
  ///
  /// - Parameter owner: the owner of the session. Each owner has a key space of its own.
  init(_ key: String, creationBy owner: SessionOwner?) {
    self.init(key, parts: [[]] + (owner.map { [$0.bytes] } ?? []))
  }

  private init(_ key: String, parts: [[UInt8]]) {
    digest = Digest256(ofParts: [Array("usher outcome".utf8)] + parts + [Array(key.utf8)])
  }

  /// The first 64 bits.
  public var number: Int64 { Int64(bitPattern: digest.first) }
}
