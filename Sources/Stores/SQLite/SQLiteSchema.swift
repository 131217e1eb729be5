/// The tables of a session file. Times are milliseconds since 1970; the owner is null for a session that belongs to nobody.
///
/// A session has the first 64 bits of its key as its row's number, so that it is found without a second index. One that has
/// ended has no content, and what was its expiry says when it is forgotten. No index knows what an action changes. A creation under an
/// idempotency key knows the number of its session, with which its content is cut and with which it is forgotten.
enum SQLiteSchema {
  /// "USHR": tells the files of this service from others (sqlite.org, "Database File Format", application id).
  static let applicationID = 0x5553_4852

  /// What leads from each version of the tables to the next; version 0 is an empty file.
  static let steps = [
    """
    CREATE TABLE session (
      number INTEGER PRIMARY KEY,
      key BLOB NOT NULL,
      app TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      ended INTEGER NOT NULL DEFAULT 0,
      version INTEGER NOT NULL,
      content BLOB
    );
    CREATE INDEX session_expiry ON session (ended, expires_at);
    CREATE TABLE creation (
      key BLOB PRIMARY KEY,
      content BLOB NOT NULL,
      expires_at INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE INDEX creation_expiry ON creation (expires_at);
    """,
    "CREATE INDEX session_created ON session (created_at, number) WHERE NOT ended",
    """
    ALTER TABLE session ADD COLUMN owner BLOB;
    CREATE INDEX session_owner ON session (owner) WHERE NOT ended AND owner IS NOT NULL;
    """,
    """
    ALTER TABLE creation ADD COLUMN session INTEGER;
    CREATE INDEX creation_session ON creation (session);
    """,
  ]
}
