internal import Foundation
internal import Navigation
internal import Sessions
internal import Values

/// A change to a session file.
enum SQLiteChange: Sendable {
  case insert(StoredSession, CreationOutcome?)
  case replace(StoredSession, next: StoredSession)
  case delete(StoredSession, forgetAt: Timestamp)
  /// Replaces up to ``StoreLimits/sweepBatch`` sessions of an owner with tombstones.
  case endOwned(SessionOwner, forgetAt: Timestamp)
  /// Replaces up to ``StoreLimits/sweepBatch`` sessions of a definition with tombstones.
  case endDefined(DefinitionDigest, forgetAt: Timestamp)
  /// Replaces up to ``StoreLimits/sweepBatch`` expired sessions with tombstones.
  case endExpired(now: Timestamp, tombstoneLifetime: Int64)
  /// Removes up to ``StoreLimits/sweepBatch`` tombstones that are due, with the creations of their sessions.
  case removeTombstones(now: Timestamp)
  /// Removes up to ``StoreLimits/sweepBatch`` expired creations.
  case removeCreations(now: Timestamp)
  /// Claims due work.
  case claim(WorkSearch)
  case renew(Duration, ClaimedWork, now: Timestamp)
  case report(WorkReport, ClaimedWork, now: Timestamp)
  case discard(ClaimedWork)
  case deliver([UInt8], WorkID, SessionKey, now: Timestamp, replacing: Bool)
  case deliverKeyed(KeyedSignal, now: Timestamp)
  case settle(ClaimedWork, [UInt8], now: Timestamp)
  /// Removes the content of up to ``StoreLimits/sweepBatch`` signals that are not held any more.
  case releaseSignals(now: Timestamp)
  /// Removes up to ``StoreLimits/sweepBatch`` signals whose repetitions need not be recognised any more.
  case removeSignals(now: Timestamp)
  case retry(WorkID, SessionKey, now: Timestamp)
  case keep([KeptDefinition], now: Timestamp)
  /// Removes the definitions that nothing needs and that were not used since a time.
  case removeDefinitions(unusedSince: Timestamp)
  /// Rewrites the file without deleted content, outside of a transaction.
  case purge
  /// Keeps a secret, unless the file has one.
  case keepSecret([UInt8])
  /// Writes without changing anything, to check that the file can be written.
  case probe
}

/// The result of a change.
enum SQLiteAnswer: Sendable {
  /// The number of rows that were changed.
  case rows(Int)
  case work([ClaimedWork])
  /// The keys of the sessions that have ended.
  case ended([SessionKey])
  case keyedDelivery(KeyedDelivery)

  /// The number of rows; 0 for any other answer.
  var rows: Int { if case .rows(let count) = self { count } else { 0 } }
}

/// The changes of transactions on one connection.
final class SQLiteBatch {
  let connection: SQLiteConnection
  var leases = SQLiteEventLeases()

  init(_ connection: SQLiteConnection) { self.connection = connection }

  /// Runs the body in a transaction, and rolls back if it throws.
  func transaction<R>(_ body: () throws -> R) throws -> R {
    let leases = leases
    do {
      return try connection.transaction(body)
    } catch {
      self.leases = leases
      throw error
    }
  }

  func apply(_ change: SQLiteChange) throws -> SQLiteAnswer {
    switch change {
    case .claim(let search): .work(try claim(search))
    case .endOwned(let owner, let forgetAt): .ended(try endSessions(of: owner, forgetAt))
    case .endDefined(let digest, let forgetAt): .ended(try endSessions(definedBy: digest, forgetAt))
    case .deliverKeyed(let signal, let now): .keyedDelivery(try deliver(signal, at: now))
    default: .rows(try write(change))
    }
  }

  private func endSessions(of owner: SessionOwner, _ forgetAt: Timestamp) throws -> [SessionKey] {
    let sessions = try keys("owner = ? AND owner IS NOT NULL AND NOT ended", .bytes(owner.bytes))
    try removeDetached(of: owner)
    return try end(sessions, forgetAt)
  }

  /// Returns the numbers and keys of the sessions that meet a condition.
  func keys(
    _ condition: String, _ binding: SQLiteConnection.Binding
  ) throws -> [(number: Int64, key: SessionKey?)] {
    try connection.rows(
      "SELECT number, key FROM session WHERE \(condition) LIMIT ?",
      [binding, .integer(Int64(StoreLimits.sweepBatch))]
    ) { row in (try row.integer(0), SessionKey(bytes: try row.bytes(1))) }
  }

  /// Ends sessions, and returns their keys.
  func end(_ sessions: [(number: Int64, key: SessionKey?)], _ forgetAt: Timestamp) throws -> [SessionKey] {
    for session in sessions {
      try removeRows(of: session.number)
      try connection.run(
        "UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ?", forgetAt.binding,
        .integer(session.number))
    }
    return sessions.compactMap(\.key)
  }

  /// Applies a change that only writes, and returns the number of rows that it has changed.
  private func write(_ change: SQLiteChange) throws -> Int {
    switch change {
    case .insert(let session, let outcome):
      if let definition = session.definition, try !isKept(definition) { return 0 }
      let rows = try insert(session, outcome)
      if rows == 1, let work = session.firstWork { try add(work, of: session) }
      return rows
    case .replace(let session, let next):
      if next.definition != session.definition, try !(next.definition.map { try isKept($0) } ?? false) { return 0 }
      let rows = try replace(session, with: next)
      if rows == 1, next.definition != session.definition { try setDefinition(of: next) }
      if rows == 1, next.work != nil || session.work != nil || !next.detached.isEmpty {
        try replaceWork(of: session, with: next)
      }
      return rows
    case .delete(let session, let forgetAt):
      let rows = try connection.run(
        """
        UPDATE session SET ended = 1, content = NULL, expires_at = ? WHERE number = ? AND version = ? AND ended = 0
        """, forgetAt.binding, .integer(session.key.number), .integer(session.version.rawValue))
      if rows == 1 {
        try truncateCreation(of: session.key.number)
        try removeParts(of: session.key.number)
        if session.work != nil { try removeWork(of: session.key.number) }
      }
      return rows
    case .endExpired, .removeTombstones:
      return try sessions(dueFor: change, limit: StoreLimits.sweepBatch).reduce(0) { $0 + (try apply(change, to: $1)) }
    case .removeCreations(let now):
      return try connection.run(
        "DELETE FROM creation WHERE key IN (SELECT key FROM creation WHERE expires_at <= ? LIMIT ?)", now.binding,
        .integer(Int64(StoreLimits.sweepBatch)))
    case .renew(let lease, let work, let now): return try renew(lease, of: work, at: now)
    case .report(let report, let work, let now): return try self.report(report, on: work, at: now)
    case .discard(let work): return try discard(work)
    case .deliver(let event, let work, let session, let now, let replacing):
      return try deliver(event, to: work, of: session, at: now, replacing)
    case .settle(let work, let signals, let now): return try settle(work, with: signals, at: now)
    case .releaseSignals(let now): return try releaseSignals(at: now)
    case .removeSignals(let now): return try removeSignals(at: now)
    case .retry(let work, let session, let now): return try retry(work, of: session, at: now)
    case .keepSecret(let secret):
      return try connection.run("INSERT OR IGNORE INTO secret (id, value) VALUES (1, ?)", .bytes(secret))
    case .keep(let definitions, let now): return try definitions.reduce(0) { $0 + (try keep($1, at: now)) }
    case .removeDefinitions(let time): return try removeDefinitions(unusedSince: time)
    case .claim, .endOwned, .endDefined, .deliverKeyed, .purge: return 0
    case .probe:
      try connection.execute("PRAGMA user_version = \(SQLiteSchema.steps.count)")
      return 0
    }
  }

  /// Returns the numbers of the sessions that a sweep's change applies to, from an index.
  func sessions(dueFor change: SQLiteChange, limit: Int) throws -> [Int64] {
    switch change {
    case .endExpired(let now, _): try numbers("ended = 0 AND expires_at <= ?", now, limit)
    case .removeTombstones(let now):
      try numbers(
        "ended = 1 AND expires_at <= ? AND NOT EXISTS (SELECT 1 FROM work WHERE session = place)", now, limit)
    default: []
    }
  }

  private func numbers(_ condition: String, _ now: Timestamp, _ limit: Int) throws -> [Int64] {
    try connection.rows(
      "SELECT number FROM session WHERE \(condition) ORDER BY expires_at LIMIT ?",
      [now.binding, .integer(Int64(limit))]
    ) { try $0.integer(0) }
  }

  /// Applies a sweep's change to one session.
  func apply(_ change: SQLiteChange, to number: Int64) throws -> Int {
    switch change {
    case .endExpired(_, let tombstoneLifetime):
      try removeRows(of: number)
      return try connection.run(
        "UPDATE session SET ended = 1, content = NULL, expires_at = expires_at + ? WHERE number = ?",
        .integer(tombstoneLifetime * 1000), .integer(number))
    case .removeTombstones:
      try connection.run("DELETE FROM creation WHERE session = ?", .integer(number))
      return try connection.run("DELETE FROM session WHERE number = ?", .integer(number))
    default:
      return 0
    }
  }

  private func insert(_ session: StoredSession, _ outcome: CreationOutcome?) throws -> Int {
    try session.withContent(.withoutParts) { content, parts in
      let rows = try connection.run(
        """
        INSERT INTO session (number, key, app, created_at, expires_at, version, content, owner, parts, definition)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO NOTHING
        """, .integer(session.key.number), .bytes(session.key.bytes), .text(session.app), session.createdAt.binding,
        session.expiresAt.binding, .integer(session.version.rawValue), .borrowed(content),
        session.owner.map { .bytes($0.bytes) } ?? .null, .integer(Int64(parts.count)),
        session.definition.map { .bytes($0.bytes) } ?? .null)
      if rows == 1, let outcome, try insert(outcome) == 0 {
        try connection.run("DELETE FROM session WHERE number = ?", .integer(session.key.number))
        return 0
      }
      if rows == 1 { try add(parts.stored, to: session.key.number) }
      return rows
    }
  }

  private func replace(_ session: StoredSession, with next: StoredSession) throws -> Int {
    let (number, old) = (session.key.number, session.parts(in: .withoutParts))
    return try next.withContent(.withoutParts) { content, parts in
      let rows = try connection.run(
        "UPDATE session SET version = ?, content = ?, parts = ? WHERE number = ? AND version = ? AND ended = 0",
        .integer(next.version.rawValue), .borrowed(content), .integer(Int64(parts.count)), .integer(number),
        .integer(session.version.rawValue))
      guard rows == 1, old.count + parts.count > 0 else { return rows }
      let changes = parts.changes(since: old)
      for key in changes.removed {
        try connection.run("DELETE FROM part WHERE session = ? AND key = ?", .integer(number), .bytes(key))
      }
      try add(changes.added, to: number)
      return rows
    }
  }

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

  private func insert(_ outcome: CreationOutcome) throws -> Int {
    try connection.run(
      """
      INSERT INTO creation (key, content, expires_at, session) VALUES (?, ?, ?, ?)
      ON CONFLICT DO UPDATE
      SET content = excluded.content, expires_at = excluded.expires_at, session = excluded.session
      WHERE creation.expires_at <= ?
      """, .bytes(outcome.key.bytes), .bytes(outcome.content), outcome.expiresAt.binding,
      .integer(outcome.session.key.number), outcome.storedAt.binding)
  }

  /// Reduces the session's creation to the fingerprint of its request.
  private func truncateCreation(of number: Int64) throws {
    try connection.run(
      "UPDATE creation SET content = substr(content, 1, ?) WHERE session = ?",
      .integer(Int64(CreationOutcome.tombstoneSize)), .integer(number))
  }
}
