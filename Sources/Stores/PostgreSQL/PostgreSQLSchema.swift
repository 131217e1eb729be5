/// The tables of a database. Times are milliseconds since 1970; the owner is empty for a session that belongs to nobody.
///
/// A session has the first 64 bits of its key as its number. One that has ended has no content, and what was its expiry says when it
/// is forgotten. No index knows what an action changes, so a row is rewritten in its page. The earlier versions, the newest first,
/// tell a writer that was cut off whether its write was done.
///
/// A creation under an idempotency key knows the number of its session, with which its content is cut and with which it is forgotten.
///
/// Whoever changes a session that is watched says so to the channel `usher`. What is watched is said again and again, so that it
/// need not outlast a crash.
enum PostgreSQLSchema {
  /// What leads from each version of the tables to the next; version 0 has none.
  static let steps = [
    """
    CREATE TABLE usher_session (
      number int8 PRIMARY KEY,
      key bytea NOT NULL,
      app text NOT NULL,
      created_at int8 NOT NULL,
      expires_at int8 NOT NULL,
      ended bool NOT NULL DEFAULT false,
      version int8 NOT NULL,
      earlier int8[] NOT NULL DEFAULT '{}',
      content bytea
    ) WITH (fillfactor = 50, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02);
    ALTER TABLE usher_session ALTER COLUMN content SET STORAGE EXTERNAL;
    CREATE INDEX usher_session_expiry ON usher_session (ended, expires_at);
    CREATE TABLE usher_creation (
      key bytea PRIMARY KEY,
      content bytea NOT NULL,
      expires_at int8 NOT NULL
    );
    CREATE INDEX usher_creation_expiry ON usher_creation (expires_at);
    """,
    """
    CREATE UNLOGGED TABLE usher_watch (
      number int8 PRIMARY KEY,
      until int8 NOT NULL
    );
    CREATE INDEX usher_watch_until ON usher_watch (until);
    """,
    "CREATE INDEX usher_session_created ON usher_session (created_at, number) WHERE NOT ended",
    """
    ALTER TABLE usher_session ADD COLUMN owner bytea NOT NULL DEFAULT '';
    CREATE INDEX usher_session_owner ON usher_session (owner) WHERE NOT ended AND owner <> '';
    """,
    """
    ALTER TABLE usher_creation ADD COLUMN session int8;
    CREATE INDEX usher_creation_session ON usher_creation (session);
    """,
  ]

  /// A step looks at every session that there is, and one that is given up begins anew.
  private static let timeForStep = Duration.seconds(1800)

  /// "usher" as a number: the lock is this service's own.
  private static let lock = "SELECT pg_advisory_xact_lock(504891303282)"

  /// Brings the tables up to date. Whichever process comes first does it; the others wait for that. Where they are, nothing but the
  /// right to use them is needed.
  static func migrate(_ connection: PostgreSQLConnection, deadline: Deadline) throws {
    let version: Int
    do throws(PostgreSQLError) {
      version = try storedVersion(connection, deadline)
    } catch {
      guard case .refused("42P01", _) = error else { throw error }
      try connection.runScript(
        """
        BEGIN;
        \(lock);
        CREATE TABLE IF NOT EXISTS usher_schema (version int8 NOT NULL);
        INSERT INTO usher_schema SELECT 0 WHERE NOT EXISTS (SELECT FROM usher_schema);
        COMMIT
        """, deadline: deadline)
      version = try storedVersion(connection, deadline)
    }
    guard version <= steps.count else {
      throw StoreOpeningError(
        "The database was last used by a newer version of this service (its tables have version \(version), the newest known "
          + "here is \(steps.count)). It was left as it is.")
    }
    for (number, step) in steps.enumerated().dropFirst(version) {
      // Looked at again under the lock: another may have done the step meanwhile.
      try connection.runScript(
        """
        BEGIN;
        \(lock);
        DO $$ BEGIN
          IF (SELECT version FROM usher_schema) = \(number) THEN
            EXECUTE $step$\(step)$step$;
            UPDATE usher_schema SET version = \(number + 1);
          END IF;
        END $$;
        COMMIT
        """, deadline: max(deadline, .now + timeForStep))
    }
  }

  private static func storedVersion(
    _ connection: PostgreSQLConnection, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    let rows = try connection.run("SELECT max(version) FROM usher_schema", deadline: deadline)
    return Int(rows.integer(0, 0))
  }
}
