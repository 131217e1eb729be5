internal import GRDB
internal import GRDBSQLite
internal import Values

/// Runs statements with directly bound values. GRDB's own way creates an array of boxed values for each run, which
/// costs a third of the time of a write.
final class SQLiteStatements {
  let connection: Database
  /// The compiled statements by the address of their text. GRDB's cache hashes the whole text for each run.
  private var compiled: [UnsafePointer<UInt8>: Statement] = [:]

  init(_ connection: Database) { self.connection = connection }

  /// A value for a parameter of a statement.
  enum Binding {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case null
    /// Bytes that SQLite does not copy. They must stay in place until the statement has run.
    case borrowed(UnsafeRawBufferPointer)
  }

  /// Runs a statement, and returns the number of rows that it has changed.
  func run(_ sql: StaticString, _ bindings: Binding...) throws -> Int {
    try withStatement(sql, bindings) { statement in
      try require(sqlite3_step(statement), SQLITE_DONE)
      return Int(sqlite3_changes(sqlite3_db_handle(statement)))
    }
  }

  /// Returns the number in the only column of the first row; nil without a row.
  func number(_ sql: StaticString, _ bindings: Binding...) throws -> Int64? {
    try withStatement(sql, bindings) { statement in
      let code = sqlite3_step(statement)
      if code == SQLITE_ROW { return sqlite3_column_int64(statement, 0) }
      try require(code, SQLITE_DONE)
      return nil
    }
  }

  private func withStatement<R>(
    _ sql: StaticString, _ bindings: [Binding], _ body: (OpaquePointer) throws -> R
  ) throws -> R {
    let statement = try compiled[sql.utf8Start]?.sqliteStatement ?? compile(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, binding) in bindings.enumerated() {
      try require(bind(binding, at: Int32(index) + 1, of: statement), SQLITE_OK)
    }
    return try body(statement)
  }

  private func compile(_ sql: StaticString) throws -> OpaquePointer {
    let statement = try connection.makeStatement(sql: "\(sql)")
    compiled[sql.utf8Start] = statement
    return statement.sqliteStatement
  }

  private func bind(_ binding: Binding, at index: Int32, of statement: OpaquePointer) -> Int32 {
    // SQLITE_TRANSIENT, which Swift does not import.
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch binding {
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .text(let text): return sqlite3_bind_text(statement, index, text, -1, copying)
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { raw in
        sqlite3_bind_blob(statement, index, raw.baseAddress, Int32(raw.count), copying)
      }
    case .null: return sqlite3_bind_null(statement, index)
    case .borrowed(let raw): return sqlite3_bind_blob(statement, index, raw.baseAddress, Int32(raw.count), nil)
    }
  }

  private func require(_ code: Int32, _ expected: Int32) throws {
    guard code != expected else { return }
    let message = String(cString: sqlite3_errmsg(connection.sqliteConnection))
    throw DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
  }
}

extension Timestamp {
  var binding: SQLiteStatements.Binding { .integer(milliseconds) }
}
