/// The tables of a database, and the migrations that create them. Times are in milliseconds since 1970.
///
/// - The number of a session is the first 64 bits of its key.
/// - The row of an ended session is its tombstone: `content` is null, and `expires_at` says when the tombstone is
///   removed.
/// - The owner of a session without a principal is empty.
/// - No index contains a column that an action changes, so that PostgreSQL can rewrite a row within its page.
/// - The server keeps no statistics of columns with typed text, because samples of them would outlast the erasure of a
///   session.
/// - `earlier` holds the previous versions of a session, the newest first. The versions tell a writer that lost its
///   connection whether its write was executed.
/// - A row of `usher_definition` has the files of a flow. `used_at` is the time of its last use for new sessions.
///   `definition` of a session or of a detached effect is the digest of the files that it uses; null for an app in
///   Swift, and after the end of the session. The reference keeps a definition from being removed while a session
///   begins with it.
/// - A creation under an idempotency key has the number of its session. The row is truncated and removed together with
///   the session.
/// - A row of `usher_part` is a part of a session that its `content` lacks: a large value under its SHA-256.
/// - A row of `usher_work` is a piece of a session's pending work. `due_at` is the time from which it may be claimed:
///   the end of the lease, if it is claimed, and the maximum, if it is stuck or waits for a signal. `lease` is 0
///   without a lease. `queue` names the group of effects that share a limit (`WorkQueue`); empty for events. The app is
///   that of the session, and its version that at the time of the request, so that claims skip the work of others
///   without reading the sessions. `signal` is the key under which the work waits for signals. `address` identifies
///   work that waits for signals, because each signal gives it another id; null for other work. `queue_size` belongs to
///   signals, not to `queue`: the size in bytes of the signals that wait for the work. `detached` is the content of a
///   detached effect, which stays when the session ends and has the owner of the session; a compensation waits for that
///   end, so its `due_at` is the maximum until then. `trace` is the trace of the request. `wait` is the reason why the
///   event waits, an `EventWait.Reason`, and `waits_since` the time since when.
/// - A row of `usher_queued_signal` is a signal that waits for the work with its address, in the order of the positions.
///   `delivery` is the same for its repetitions. A statement that changes the signals of work updates the row of the work
///   first, which locks it. A trigger removes them together with the work: a query of the statement that removes the work
///   would not see a signal that has arrived meanwhile.
/// - A row of `usher_signal` is a signal that was received under a key. `receivers` is null until the signal has been
///   delivered. `event` and `held_until` are null unless the signal is held.
/// - `usher_secret` has one row: 32 random bytes, with which addresses for signals are made.
/// - A process that changes a session in `usher_watch` announces the change on the channel `usher`. The table is
///   unlogged, because processes renew their watches regularly.
enum PostgreSQLSchema {
  /// The migrations from each version of the schema to the next. Version 0 is a database without tables.
  static let steps = [
    """
    CREATE TABLE usher_definition (
      digest bytea PRIMARY KEY,
      app text NOT NULL,
      version int8 NOT NULL,
      source bytea NOT NULL,
      kept_since int8 NOT NULL,
      used_at int8 NOT NULL
    );
    CREATE TABLE usher_session (
      number int8 PRIMARY KEY,
      key bytea NOT NULL,
      app text NOT NULL,
      created_at int8 NOT NULL,
      expires_at int8 NOT NULL,
      ended bool NOT NULL DEFAULT false,
      version int8 NOT NULL,
      earlier int8[] NOT NULL DEFAULT '{}',
      content bytea,
      owner bytea NOT NULL DEFAULT '',
      definition bytea REFERENCES usher_definition
    ) WITH (fillfactor = 50, toast_tuple_target = 8160, autovacuum_vacuum_scale_factor = 0.02);
    ALTER TABLE usher_session ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS 0;
    CREATE INDEX usher_session_expiry ON usher_session (ended, expires_at);
    CREATE INDEX usher_session_created ON usher_session (created_at, number) WHERE NOT ended;
    CREATE INDEX usher_session_owner ON usher_session (owner) WHERE NOT ended AND owner <> '';
    CREATE INDEX usher_session_definition ON usher_session (definition) WHERE definition IS NOT NULL;
    CREATE TABLE usher_part (
      session int8 NOT NULL,
      key bytea NOT NULL,
      content bytea NOT NULL,
      PRIMARY KEY (session, key)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02);
    ALTER TABLE usher_part ALTER COLUMN content SET STORAGE EXTERNAL, ALTER COLUMN content SET STATISTICS 0;
    CREATE TABLE usher_creation (
      key bytea PRIMARY KEY,
      content bytea NOT NULL,
      expires_at int8 NOT NULL,
      session int8
    );
    ALTER TABLE usher_creation ALTER COLUMN content SET STATISTICS 0;
    CREATE INDEX usher_creation_expiry ON usher_creation (expires_at);
    CREATE INDEX usher_creation_session ON usher_creation (session);
    CREATE UNLOGGED TABLE usher_watch (
      number int8 PRIMARY KEY,
      until int8 NOT NULL
    );
    CREATE INDEX usher_watch_until ON usher_watch (until);
    CREATE TABLE usher_work (
      session int8 NOT NULL,
      id int8 NOT NULL,
      app text NOT NULL,
      due_at int8 NOT NULL,
      lease int8 NOT NULL DEFAULT 0,
      attempts int8 NOT NULL DEFAULT 0,
      claims int8 NOT NULL DEFAULT 0,
      error text,
      progress bytea,
      signal bytea,
      detached bytea,
      owner bytea,
      version int8 NOT NULL DEFAULT 1,
      trace text,
      queue text NOT NULL,
      definition bytea REFERENCES usher_definition,
      wait int8,
      waits_since int8,
      address int8,
      queue_size int8 NOT NULL DEFAULT 0,
      PRIMARY KEY (session, id)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02);
    ALTER TABLE usher_work
      ALTER COLUMN error SET STATISTICS 0, ALTER COLUMN trace SET STATISTICS 0,
      ALTER COLUMN progress SET STATISTICS 0, ALTER COLUMN detached SET STATISTICS 0;
    CREATE INDEX usher_work_due ON usher_work (queue, due_at);
    CREATE INDEX usher_work_owner ON usher_work (owner) WHERE owner IS NOT NULL;
    CREATE INDEX usher_work_signal ON usher_work (signal) WHERE signal IS NOT NULL;
    CREATE INDEX usher_work_definition ON usher_work (definition) WHERE definition IS NOT NULL;
    CREATE TABLE usher_queued_signal (
      session int8 NOT NULL,
      address int8 NOT NULL,
      position int8 GENERATED BY DEFAULT AS IDENTITY,
      delivery int8 NOT NULL,
      event bytea NOT NULL,
      PRIMARY KEY (session, address, position)
    ) WITH (autovacuum_vacuum_scale_factor = 0.02);
    ALTER TABLE usher_queued_signal ALTER COLUMN event SET STATISTICS 0;
    CREATE FUNCTION usher_remove_signals() RETURNS trigger LANGUAGE plpgsql AS '
      BEGIN
        DELETE FROM usher_queued_signal WHERE session = OLD.session AND address = OLD.address;
        RETURN NULL;
      END';
    CREATE TRIGGER usher_work_removed AFTER DELETE ON usher_work
      FOR EACH ROW WHEN (OLD.address IS NOT NULL) EXECUTE FUNCTION usher_remove_signals();
    CREATE TABLE usher_signal (
      key bytea NOT NULL,
      delivery int8 NOT NULL,
      receivers int8,
      arrived_at int8 NOT NULL,
      forget_at int8 NOT NULL,
      held_until int8,
      event bytea,
      PRIMARY KEY (key, delivery)
    );
    ALTER TABLE usher_signal ALTER COLUMN event SET STATISTICS 0;
    CREATE INDEX usher_signal_forget ON usher_signal (forget_at);
    CREATE INDEX usher_signal_held ON usher_signal (held_until) WHERE held_until IS NOT NULL;
    CREATE TABLE usher_secret (id int8 PRIMARY KEY, value bytea NOT NULL);
    """
  ]

  /// The timeout of one migration. Long, because it may scan all sessions and would start again after a timeout.
  private static let timeout = Duration.seconds(1800)

  /// The advisory lock for migrations. Its number is arbitrary, and only this service uses it.
  private static let lock = PostgreSQLStatement("SELECT pg_advisory_xact_lock(504891303282)")

  /// Migrates the tables to the newest version. The first process migrates; the others wait for it. If the tables are
  /// up to date, the right to use them suffices.
  ///
  /// - Throws: ``StoreOpeningError`` if a newer version of the service has migrated them, or a ``PostgreSQLError``.
  static func migrate(
    _ connection: PostgreSQLConnection, through steps: [String] = steps, deadline: Deadline
  ) throws {
    let version: Int
    do throws(PostgreSQLError) {
      version = try storedVersion(connection, deadline)
    } catch {
      guard case .refused("42P01", _) = error else { throw error }
      try connection.run(
        [
          lock, PostgreSQLStatement("CREATE TABLE IF NOT EXISTS usher_schema (version int8 NOT NULL)"),
          PostgreSQLStatement("INSERT INTO usher_schema SELECT 0 WHERE NOT EXISTS (SELECT FROM usher_schema)"),
        ], deadline: deadline)
      version = try storedVersion(connection, deadline)
    }
    guard version <= steps.count else {
      throw StoreOpeningError(newerSchema: version, supported: steps.count, of: "The database")
    }
    for (number, step) in steps.enumerated().dropFirst(version) {
      // Check again under the lock, because another process may have migrated meanwhile.
      let migration = PostgreSQLStatement(
        """
        DO $$ BEGIN
          IF (SELECT version FROM usher_schema) = \(number) THEN
            EXECUTE $step$\(step)$step$;
            UPDATE usher_schema SET version = \(number + 1);
          END IF;
        END $$
        """)
      try connection.run([lock, migration], deadline: max(deadline, .now + timeout))
    }
  }

  private static func storedVersion(
    _ connection: PostgreSQLConnection, _ deadline: Deadline
  ) throws(PostgreSQLError) -> Int {
    try connection.run("SELECT max(version) FROM usher_schema", deadline: deadline)[0].number(0)
  }
}
