internal import Glibc
internal import Sessions

/// The removal of deleted content from the files of a database. PostgreSQL keeps deleted rows in its files, and
/// `VACUUM FULL` rewrites a table without those that no transaction can see any more.
struct PostgreSQLPurge {
  let location: String
  /// The maximum time to wait for transactions that can see deleted rows.
  var patience = Duration.seconds(300)

  /// The maximum time to rewrite the tables: long enough for hundreds of gigabytes.
  private static let timeout = Duration.seconds(3600)

  /// Rewrites the tables. Blocks meanwhile; each table is locked while it is rewritten.
  ///
  /// - Throws: ``StoreError/unavailable(_:)``, if a transaction does not end in time or the server refuses.
  func run() throws(StoreError) {
    let deadline = Deadline.now + Self.timeout
    do throws(PostgreSQLError) {
      let connection = try PostgreSQLConnection(location, deadline: deadline)
      if try waitForReaders(on: connection, until: .now + patience) {
        for table in ["session", "creation", "work", "queued_signal", "signal", "part"] {
          _ = try connection.run("VACUUM FULL usher_\(table)", deadline: deadline)
        }
        return
      }
    } catch {
      throw .unavailable("The tables cannot be rewritten: \(error.message)")
    }
    throw .unavailable(
      "Deleted content stays in the tables, because a transaction, a replication slot or a standby server may still "
        + "read it. End that, and purge again.")
  }

  /// Waits until no transaction can see the rows that were deleted before the call. Returns false if the time is over.
  private func waitForReaders(
    on connection: PostgreSQLConnection, until deadline: Deadline
  ) throws(PostgreSQLError) -> Bool {
    let own = try connection.run("SELECT pg_current_xact_id()::xid::text", deadline: deadline)[0].text(0)
    while true {
      // Transactions that write are in the snapshot. Others have a snapshot of their own.
      let rows = try connection.run(
        """
        SELECT FROM pg_stat_activity
        WHERE (datname = current_database() OR datname IS NULL) AND age(backend_xmin) >= age($1::text::xid)
          AND pid <> pg_backend_pid()
        UNION ALL SELECT FROM pg_replication_slots WHERE age(xmin) >= age($1::text::xid)
        UNION ALL SELECT WHERE age(pg_snapshot_xmin(pg_current_snapshot())::xid) >= age($1::text::xid)
        """, .text(own), deadline: .now + .seconds(60))
      if rows.isEmpty { return true }
      if deadline.hasPassed { return false }
      usleep(20_000)
    }
  }
}
