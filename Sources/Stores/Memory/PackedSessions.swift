internal import Sessions
internal import Values

/// The parts of a session that the memory store searches.
struct SessionHeader: BitwiseCopyable {
  let key: SessionKey
  let version: SessionVersion
  let createdAt: Timestamp
  let expiresAt: Timestamp

  init(_ session: StoredSession) {
    (key, version) = (session.key, session.version)
    (createdAt, expiresAt) = (session.createdAt, session.expiresAt)
  }

  var cursor: SessionCursor { SessionCursor(createdAt: createdAt, number: key.number) }
}

/// Idle sessions of the memory store, as bytes.
///
/// A session is a record in one of 256 buckets: its header, owner, app and stored content. A bucket is one array of
/// exactly the size of its records. An object for each session, in a hash table, would take twice the memory.
struct PackedSessions {
  private var buckets = [[UInt8]](repeating: [], count: 256)
  private(set) var count = 0

  /// The session under a key, decoded at each call; nil if there is none.
  subscript(key: SessionKey) -> StoredSession? { record(of: key)?.session(in: buckets[Self.index(of: key)]) }

  func header(of key: SessionKey) -> SessionHeader? { record(of: key)?.fields.header }

  /// Calls `body` with the header of each session, and with a function that decodes the session.
  func forEach(_ body: (SessionHeader, () -> StoredSession) -> Void) {
    for bucket in buckets {
      for record in Self.records(in: bucket) { body(record.fields.header) { record.session(in: bucket) } }
    }
  }

  func sessions(of owner: SessionOwner) -> [StoredSession] {
    let bytes = owner.bytes
    return buckets.flatMap { bucket in
      Self.records(in: bucket).filter { $0.owner(in: bucket).elementsEqual(bytes) }.map { $0.session(in: bucket) }
    }
  }

  /// Adds a session, or replaces the one with its key.
  mutating func insert(_ session: StoredSession) {
    remove(session.key)
    let (index, owner) = (Self.index(of: session.key), session.owner?.bytes ?? [])
    session.withContent(.whole) { content, _ in
      let fields = PackedSession.Fields(
        header: SessionHeader(session), contentSize: UInt32(content.count), appSize: UInt8(session.app.utf8.count),
        ownerSize: UInt8(owner.count))
      buckets[index].reserveCapacity(buckets[index].count + fields.recordSize)
      withUnsafeBytes(of: fields) { buckets[index] += $0 }
      buckets[index] += owner
      buckets[index] += session.app.utf8
      buckets[index] += content
    }
    count += 1
  }

  mutating func remove(_ key: SessionKey) {
    guard let record = record(of: key) else { return }
    let bucket = buckets[Self.index(of: key)]
    var rest: [UInt8] = []
    rest.reserveCapacity(bucket.count - record.fields.recordSize)
    rest += bucket[..<record.start]
    rest += bucket[record.end...]
    buckets[Self.index(of: key)] = rest
    count -= 1
  }

  private static func index(of key: SessionKey) -> Int { Int(key.number & 255) }

  private func record(of key: SessionKey) -> PackedSession? {
    Self.records(in: buckets[Self.index(of: key)]).first { $0.fields.header.key == key }
  }

  private static func records(in bucket: [UInt8]) -> some Sequence<PackedSession> {
    sequence(state: 0) { start in
      guard start < bucket.count else { return nil }
      let record = PackedSession(in: bucket, at: start)
      start = record.end
      return record
    }
  }
}

/// A record of a bucket.
private struct PackedSession {
  /// The fixed part of a record. Owner, app and content follow it.
  struct Fields: BitwiseCopyable {
    let header: SessionHeader
    let contentSize: UInt32
    let appSize: UInt8
    /// 0 without an owner.
    let ownerSize: UInt8

    var recordSize: Int { MemoryLayout<Self>.size + Int(ownerSize) + Int(appSize) + Int(contentSize) }
  }

  let start: Int
  let fields: Fields

  init(in bucket: [UInt8], at start: Int) {
    self.start = start
    fields = bucket.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: Fields.self) }
  }

  var end: Int { start + fields.recordSize }

  /// Returns the bytes of the owner; none without an owner.
  func owner(in bucket: [UInt8]) -> ArraySlice<UInt8> {
    let start = start + MemoryLayout<Fields>.size
    return bucket[start..<start + Int(fields.ownerSize)]
  }

  func session(in bucket: [UInt8]) -> StoredSession {
    let (header, content) = (fields.header, end - Int(fields.contentSize))
    let app = content - Int(fields.appSize)
    // This process encoded the content.
    return try! StoredSession(
      key: header.key, owner: SessionOwner(bytes: Array(owner(in: bucket))),
      app: String(decoding: bucket[app..<content], as: UTF8.self), createdAt: header.createdAt,
      expiresAt: header.expiresAt, version: header.version, content: Array(bucket[content..<end]))
  }
}
