internal import Foundation

/// The tables of a session file, and the migrations that create them. Times are in milliseconds since 1970.
///
/// - The number of a session is the first 64 bits of its key. `position` is its rank in the order of the creations, by
///   which the rows of sessions and of their work are stored. Sessions that were created together often change together,
///   and a commit then writes each page once for many of them.
/// - The row of an ended session is its tombstone: `content` is null, and `expires_at` says when the tombstone is
///   removed. The tombstone stays while work is left.
/// - The owner of a session without a principal is null.
/// - No index contains a column that an action changes.
/// - `parts` is the number of a session's rows in `part`, which `content` lacks. An action writes only the parts that
///   it adds. A session of few entries has no parts.
/// - A row of `work` is a piece of the pending work of the session with that `position`. `due_at` is the time from
///   which it may be claimed: the end of the lease, if it is claimed, and the maximum, if it is stuck or waits for a
///   signal. `lease` is 0 without a lease. `queue` names the group of effects that share a limit (`WorkQueue`); empty
///   for events. The app is that of the session, and its version that at the time of the request, so that claims skip
///   the work of others in the index. `signal` is the key under which the work waits for signals. `address` identifies
///   work that waits for signals, because each signal gives it another id; null for other work. `queue_size` belongs to
///   signals, not to `queue`: the size in bytes of the signals that wait for the work. `detached` is the content of a
///   detached effect, which stays when the session ends and has the owner of the session. `trace` is the trace of the
///   request. `wait` is the reason why the event waits, an `EventWait.Reason`, and `waits_since` the time since when.
/// - A row of `queued_signal` is a signal that waits for the work with its address, in the order of the positions.
///   `delivery` is the same for its repetitions. A trigger removes it together with the work.
/// - A row of `signal` is a signal that was received under a key, with its content while it is held.
/// - `secret` has one row: 32 random bytes, with which addresses for signals are made.
/// - A row of `definition` has the files of a flow. `used_at` is the time of its last use for new sessions.
///   `definition` of a session or of a detached effect is the digest of the files that it uses; null for an app in
///   Swift.
/// - A creation under an idempotency key has the number of its session. The row is truncated and removed together with
///   the session.
enum SQLiteSchema {
  /// "USHR", which marks a file as a session file (sqlite.org, "Database File Format", application ID).
  static let applicationID = 0x5553_4852

  /// The migrations from each version of the schema to the next. Version 0 is an empty file.
  static let steps = [
    """
    CREATE TABLE session (
      position INTEGER PRIMARY KEY,
      number INTEGER NOT NULL UNIQUE,
      key BLOB NOT NULL,
      app TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      ended INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL,
      content BLOB,
      owner BLOB,
      parts INTEGER NOT NULL DEFAULT 0,
      definition BLOB
    );
    CREATE INDEX session_expiry ON session (ended, expires_at, number);
    CREATE INDEX session_created ON session (created_at, number) WHERE NOT ended;
    CREATE INDEX session_owner ON session (owner) WHERE NOT ended AND owner IS NOT NULL;
    CREATE INDEX session_definition ON session (definition) WHERE NOT ended AND definition IS NOT NULL;
    CREATE TABLE part (
      session INTEGER NOT NULL,
      key BLOB NOT NULL,
      content BLOB NOT NULL,
      PRIMARY KEY (session, key)
    ) WITHOUT ROWID;
    CREATE TABLE creation (
      key BLOB PRIMARY KEY,
      content BLOB NOT NULL,
      expires_at INTEGER NOT NULL,
      session INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX creation_expiry ON creation (expires_at);
    CREATE INDEX creation_session ON creation (session);
    CREATE TABLE work (
      session INTEGER NOT NULL,
      id INTEGER NOT NULL,
      app TEXT NOT NULL,
      due_at INTEGER NOT NULL,
      lease INTEGER NOT NULL DEFAULT 0,
      attempts INTEGER NOT NULL DEFAULT 0,
      claims INTEGER NOT NULL DEFAULT 0,
      error TEXT,
      progress BLOB,
      signal BLOB,
      detached BLOB,
      owner BLOB,
      version INTEGER NOT NULL DEFAULT 1,
      trace TEXT,
      queue TEXT NOT NULL DEFAULT '',
      definition BLOB,
      wait INTEGER,
      waits_since INTEGER,
      address INTEGER,
      queue_size INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (session, id)
    ) WITHOUT ROWID;
    CREATE INDEX work_due ON work (queue, due_at, app, version);
    CREATE INDEX work_owner ON work (owner) WHERE owner IS NOT NULL;
    CREATE INDEX work_signal ON work (signal) WHERE signal IS NOT NULL;
    CREATE INDEX work_definition ON work (definition) WHERE definition IS NOT NULL;
    CREATE TABLE queued_signal (
      session INTEGER NOT NULL,
      address INTEGER NOT NULL,
      position INTEGER NOT NULL,
      delivery INTEGER NOT NULL,
      event BLOB NOT NULL,
      PRIMARY KEY (session, address, position)
    ) WITHOUT ROWID;
    CREATE TRIGGER work_removed AFTER DELETE ON work WHEN old.address IS NOT NULL BEGIN
      DELETE FROM queued_signal WHERE session = old.session AND address = old.address;
    END;
    CREATE TABLE signal (
      key BLOB NOT NULL,
      delivery INTEGER NOT NULL,
      receivers INTEGER NOT NULL,
      arrived_at INTEGER NOT NULL,
      forget_at INTEGER NOT NULL,
      held_until INTEGER,
      event BLOB,
      PRIMARY KEY (key, delivery)
    ) WITHOUT ROWID;
    CREATE INDEX signal_forget ON signal (forget_at);
    CREATE INDEX signal_held ON signal (held_until) WHERE held_until IS NOT NULL;
    CREATE TABLE definition (
      digest BLOB PRIMARY KEY,
      app TEXT NOT NULL,
      version INTEGER NOT NULL,
      source BLOB NOT NULL,
      kept_since INTEGER NOT NULL,
      used_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE secret (id INTEGER PRIMARY KEY, value BLOB NOT NULL);
    """
  ]

  /// Migrates the tables to the newest version in one transaction.
  static func migrate(_ connection: SQLiteConnection, through steps: [String] = steps) throws {
    let version = try version(of: connection)
    guard version < steps.count else { return }
    try connection.transaction {
      for step in steps[version...] { try connection.execute(step) }
      try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(steps.count)")
    }
  }

  /// Checks, without writing, that a file is empty or a session file of a known version.
  ///
  /// - Throws: ``StoreOpeningError`` if it is neither.
  static func requireSessionFile(_ path: String) throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    let head = try file.read(upToCount: 16) ?? Data()
    try file.close()
    // A power failure before the first page was complete leaves zeros, which SQLite repairs from its journal.
    if head.allSatisfy({ $0 == 0 }) { return }
    guard head == Data("SQLite format 3\0".utf8) else {
      throw StoreOpeningError(
        "\(path) is damaged or is not a session file: it does not begin with SQLite's header. "
          + "The file is unchanged. Restore a backup, or name another file.")
    }
    do {
      try requireSessionFile(path, .readOnly)
    } catch let error as SQLiteError where error.needsRollback {
      // A process ended while it created the file. SQLite has to roll that back before the file can be read.
      try requireSessionFile(path, .readWrite)
    }
  }

  private static func requireSessionFile(_ path: String, _ access: SQLiteConnection.Access) throws {
    let connection = try SQLiteConnection(path, access, patience: 0)
    defer { connection.close() }
    let mark = try connection.number("PRAGMA application_id")
    // A process that ended before it created the tables leaves an empty database.
    let isEmpty = try connection.number("SELECT count(*) FROM sqlite_schema") == 0
    guard mark == Int64(applicationID) || isEmpty else {
      throw StoreOpeningError(
        "\(path) is a database of another program. The file is unchanged. Name another file for the sessions.")
    }
    let version = try version(of: connection)
    guard version <= steps.count else {
      throw StoreOpeningError(newerSchema: version, supported: steps.count, of: "The session file \(path)")
    }
  }

  private static func version(of connection: SQLiteConnection) throws -> Int {
    Int(try connection.number("PRAGMA user_version") ?? 0)
  }
}
