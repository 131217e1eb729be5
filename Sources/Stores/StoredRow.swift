internal import Navigation
internal import Sessions
internal import Values

/// A row of a query of either database. The columns count from 0.
protocol StoredRow {
  /// The error for a column of another type.
  associatedtype Failure: Error

  func integer(_ column: Int) throws(Failure) -> Int64
  func text(_ column: Int) throws(Failure) -> String
  func bytes(_ column: Int) throws(Failure) -> [UInt8]
  /// Returns nil for null.
  func optionalInteger(_ column: Int) -> Int64?
  func optionalText(_ column: Int) -> String?
  func optionalBytes(_ column: Int) -> [UInt8]?
}

extension StoredRow {
  func number(_ column: Int) throws(Failure) -> Int { Int(try integer(column)) }

  func time(_ column: Int) throws(Failure) -> Timestamp { Timestamp(milliseconds: try integer(column)) }

  func version(_ column: Int) throws(Failure) -> SessionVersion { SessionVersion(rawValue: try integer(column)) }

  func workID(_ column: Int) throws(Failure) -> WorkID { WorkID(UInt32(clamping: try integer(column))) }

  func owner(_ column: Int) -> SessionOwner? { optionalBytes(column).flatMap { SessionOwner(bytes: $0) } }

  /// Returns the reason why an event waits, from a column and the one behind it.
  func eventWait(_ column: Int) -> EventWait? {
    EventWait(reason: optionalInteger(column), since: optionalInteger(column + 1))
  }
}

extension ListedSession {
  /// The columns are the key, `app`, `created_at`, `expires_at`, `version`, `content` and `owner`. The content may be
  /// unreadable.
  init<Row: StoredRow>(_ key: SessionKey, _ row: Row, _ parts: [SessionPart]) throws(Row.Failure) {
    self.init(
      key: key, owner: row.owner(6), app: try row.text(1), createdAt: try row.time(2), expiresAt: try row.time(3),
      version: try row.version(4), content: row.optionalBytes(5) ?? [], parts: parts)
  }
}

extension KeptDefinition {
  /// The columns are `app`, `version` and `source`.
  init<Row: StoredRow>(_ digest: DefinitionDigest, _ row: Row) throws(Row.Failure) {
    self.init(digest: digest, app: try row.text(0), version: try row.number(1), source: try row.bytes(2))
  }
}

extension ListedDefinition {
  /// The columns are the digest, `app`, `version`, `kept_since`, `used_at` and the number of sessions.
  init<Row: StoredRow>(_ digest: DefinitionDigest, _ row: Row) throws(Row.Failure) {
    self.init(
      digest: digest, app: try row.text(1), version: try row.number(2), keptSince: try row.time(3),
      usedAt: try row.time(4), sessions: try row.number(5))
  }
}

extension QueuedSignal {
  /// The columns are `delivery` and `event`.
  init<Row: StoredRow>(_ row: Row) throws(Row.Failure) {
    self.init(delivery: SignalDelivery(UInt64(bitPattern: try row.integer(0))), event: try row.bytes(1))
  }
}

extension WorkStatus {
  /// The columns are `id`, `attempts`, `error`, `due_at`, `progress`, `wait` and `waits_since`.
  init<Row: StoredRow>(_ row: Row) throws(Row.Failure) {
    self.init(
      id: try row.workID(0), attempts: try row.number(1), error: row.optionalText(2), dueAt: try row.time(3),
      progress: row.optionalBytes(4), wait: row.eventWait(5))
  }
}

extension WorkCount {
  /// The columns are the numbers of pending and stuck work and of held signals, the earliest due time, and the number of
  /// blocked events.
  init<Row: StoredRow>(_ row: Row) throws(Row.Failure) {
    let dueSince = row.optionalInteger(3).map { Timestamp(milliseconds: $0) }
    self.init(
      pending: try row.number(0), stuck: try row.number(1), blocked: try row.number(4),
      heldSignals: try row.number(2), dueSince: dueSince == .never ? nil : dueSince)
  }
}
