internal import Navigation
internal import Sessions
internal import Values

/// A change to many sessions of a session file, which leaves out those on damaged pages.
enum SQLiteSweep: Sendable {
  /// Replaces up to ``StoreLimits/sweepBatch`` expired sessions with tombstones.
  case endExpired(now: Timestamp, tombstoneLifetime: Int64)
  /// Removes up to ``StoreLimits/sweepBatch`` tombstones that are due, with the creations of their sessions.
  case removeTombstones(now: Timestamp)
}

/// The changes of transactions on one connection.
final class SQLiteBatch {
  let connection: SQLiteConnection
  private let cache: SessionCache
  var leases = SQLiteEventLeases()
  /// Whether the changes include one that a power failure must not undo: the claim of an effect, whose attempt the outside
  /// sees, a signal, which its sender does not repeat, or the secret, with which addresses are made.
  var mustBeDurable = false
  /// The updates of the cache that follow the commit of the current transaction.
  private var cacheUpdates: [(SessionCache) -> Void] = []

  init(_ connection: SQLiteConnection, _ cache: SessionCache) {
    self.connection = connection
    self.cache = cache
  }

  /// Runs the body in a transaction, and rolls back if it throws. The cache has its changes when this returns.
  func transaction<R>(_ body: () throws -> R) throws -> R {
    let (leases, mustBeDurable) = (leases, mustBeDurable)
    defer { cacheUpdates.removeAll(keepingCapacity: true) }
    do {
      let result = try connection.transaction(body)
      for update in cacheUpdates { update(cache) }
      return result
    } catch {
      (self.leases, self.mustBeDurable) = (leases, mustBeDurable)
      throw error
    }
  }

  // MARK: - Writes of one session

  /// Adds a session and the outcome of its creation. Returns false if a key is taken or the definition is not kept.
  func insert(_ session: StoredSession, _ outcome: CreationOutcome?) throws -> Bool {
    if let definition = session.definition, try !isKept(definition) { return false }
    return try session.withContent(.withoutParts) { content, parts in
      let rows = try connection.run(
        """
        INSERT INTO session (number, key, app, created_at, expires_at, version, content, owner, parts, definition)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """, .integer(session.key.number), .bytes(session.key.bytes), .text(session.app), session.createdAt.binding,
        session.expiresAt.binding, .integer(session.version.rawValue), .borrowed(content),
        .bytes(session.owner?.bytes), .integer(Int64(parts.count)), .bytes(session.definition?.bytes))
      guard rows == 1 else { return false }
      if let outcome, try !insert(outcome) {
        try connection.run("DELETE FROM session WHERE number = ?", .integer(session.key.number))
        return false
      }
      try add(parts.stored, to: session.key.number)
      if let work = session.firstWork { try add(work, of: session) }
      cacheUpdates.append { $0.insert(written: session) }
      return true
    }
  }

  /// Replaces a session. Returns false if it has been replaced or has ended, or the new definition is not kept.
  func replace(_ session: StoredSession, with next: StoredSession) throws -> Bool {
    if next.definition != session.definition, try !(next.definition.map { try isKept($0) } ?? false) { return false }
    let (number, old) = (session.key.number, session.parts(in: .withoutParts))
    let wasReplaced: Bool = try next.withContent(.withoutParts) { content, parts in
      let rows = try connection.run(
        "UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND version = ? AND ended = 0",
        .integer(next.version.rawValue), .borrowed(content), .integer(Int64(parts.count)), .integer(number),
        .integer(session.version.rawValue))
      guard rows == 1, old.count + parts.count > 0 else { return rows == 1 }
      let changes = parts.changes(since: old)
      for key in changes.removed {
        try connection.run("DELETE FROM part WHERE session = ? AND key = ?", .integer(number), .bytes(key))
      }
      try add(changes.added, to: number)
      return true
    }
    guard wasReplaced else { return false }
    if next.definition != session.definition {
      try connection.run(
        "UPDATE session SET definition = ? WHERE number = ?", .bytes(next.definition?.bytes), .integer(number))
    }
    // Most replacements leave the time and its index as they are.
    if next.expiresAt != session.expiresAt {
      try connection.run("UPDATE session SET expires_at = ? WHERE number = ?", next.expiresAt.binding, .integer(number))
    }
    if next.work != nil || session.work != nil || !next.detached.isEmpty { try replaceWork(of: session, with: next) }
    cacheUpdates.append { $0.update(written: next) }
    return true
  }

  /// Replaces a session with a tombstone. Returns false if it has been replaced or has ended.
  func delete(_ session: StoredSession, forgetAt: Timestamp) throws -> Bool {
    let rows = try connection.run(
      """
      UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ? AND version = ? AND ended = 0
      """, forgetAt.binding, .integer(session.key.number), .integer(session.version.rawValue))
    guard rows == 1 else { return false }
    try truncateCreation(of: session.key.number)
    try removeParts(of: session.key.number)
    if session.work != nil { try removeWork(of: session.key.number) }
    cacheUpdates.append { $0.remove(session.key) }
    return true
  }

  // MARK: - Changes of many sessions

  /// Replaces up to ``StoreLimits/sweepBatch`` sessions that meet a condition with tombstones, and returns their keys.
  func endSessions(
    where condition: String, _ binding: SQLiteConnection.Binding, _ forgetAt: Timestamp
  ) throws -> [SessionKey] {
    let sessions = try connection.rows(
      "SELECT number, key FROM session WHERE \(condition) LIMIT ?",
      [binding, .integer(Int64(StoreLimits.sweepBatch))]
    ) { row in (number: try row.integer(0), key: SessionKey(bytes: try row.bytes(1))) }
    for session in sessions {
      try removeRows(of: session.number)
      try connection.run(
        "UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ?", forgetAt.binding,
        .integer(session.number))
    }
    let keys = sessions.compactMap(\.key)
    cacheUpdates.append { cache in for key in keys { cache.remove(key) } }
    return keys
  }

  /// Applies a sweep, and returns the number of its sessions.
  func apply(_ sweep: SQLiteSweep) throws -> Int {
    try sessions(dueFor: sweep, limit: StoreLimits.sweepBatch).reduce(0) { $0 + (try apply(sweep, to: $1)) }
  }

  /// Returns the numbers of the sessions that a sweep applies to, from an index.
  func sessions(dueFor sweep: SQLiteSweep, limit: Int) throws -> [Int64] {
    let (condition, now) =
      switch sweep {
      case .endExpired(let now, _): ("ended = 0", now)
      case .removeTombstones(let now):
        ("ended = 1 AND NOT EXISTS (SELECT 1 FROM work WHERE session = position)", now)
      }
    return try connection.rows(
      "SELECT number FROM session WHERE \(condition) AND expires_at <= ? ORDER BY expires_at LIMIT ?",
      [now.binding, .integer(Int64(limit))]
    ) { try $0.integer(0) }
  }

  /// Applies a sweep to one session.
  func apply(_ sweep: SQLiteSweep, to number: Int64) throws -> Int {
    switch sweep {
    case .endExpired(_, let tombstoneLifetime):
      try removeRows(of: number)
      return try connection.run(
        "UPDATE session SET ended = 1, content = NULL, expires_at = expires_at + ? WHERE number = ?",
        .integer(tombstoneLifetime * 1000), .integer(number))
    case .removeTombstones:
      try connection.run("DELETE FROM creation WHERE session = ?", .integer(number))
      return try connection.run("DELETE FROM session WHERE number = ?", .integer(number))
    }
  }

  // MARK: - Parts and creations

  private func add(_ parts: [SessionPart], to number: Int64) throws {
    for part in parts {
      try connection.run(
        "INSERT INTO part (session, key, content) VALUES (?, ?, ?)", .integer(number), .bytes(part.key),
        .bytes(part.content))
    }
  }

  /// Removes what other tables have of an ended session.
  func removeRows(of number: Int64) throws {
    try truncateCreation(of: number)
    try removeParts(of: number)
    try removeWork(of: number)
  }

  /// Removes the parts of an ended session.
  private func removeParts(of number: Int64) throws {
    // Most sessions have none. Their rows are in memory by now, and the table of the parts need not be read.
    try connection.run(
      "DELETE FROM part WHERE session = (SELECT number FROM session WHERE number = ? AND parts > 0)", .integer(number))
  }

  private func insert(_ outcome: CreationOutcome) throws -> Bool {
    try connection.run(
      """
      INSERT INTO creation (key, content, expires_at, session) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE
      SET content = excluded.content, expires_at = excluded.expires_at, session = excluded.session
      WHERE creation.expires_at <= ?
      """, .bytes(outcome.key.bytes), .bytes(outcome.content), outcome.expiresAt.binding,
      .integer(outcome.session.key.number), outcome.storedAt.binding) == 1
  }

  /// Reduces the session's creation to the fingerprint of its request.
  private func truncateCreation(of number: Int64) throws {
    try connection.run(
      "UPDATE creation SET content = substr(content, 1, ?) WHERE session = ?",
      .integer(Int64(CreationOutcome.tombstoneSize)), .integer(number))
  }
}
