internal import CSQLite
internal import Values

/// A connection to a database file. Only one thread uses it at a time, so SQLite takes no lock of its own for it.
final class SQLiteConnection: @unchecked Sendable {
  /// A value for a parameter of a statement.
  enum Binding {
    /// Nil is the value null.
    case integer(Int64?)
    case text(String?)
    case bytes([UInt8]?)
    /// Bytes that SQLite does not copy. The bytes must stay in memory at one address until the statement has run.
    case borrowed(UnsafeRawBufferPointer)
  }

  enum Access {
    case readOnly
    case readWrite
  }

  /// The modes of a checkpoint (sqlite.org, "sqlite3_wal_checkpoint_v2").
  struct Checkpoint {
    fileprivate let mode: Int32
    static let passive = Checkpoint(mode: SQLITE_CHECKPOINT_PASSIVE)
    static let restart = Checkpoint(mode: SQLITE_CHECKPOINT_RESTART)
    static let truncate = Checkpoint(mode: SQLITE_CHECKPOINT_TRUNCATE)
  }

  /// The number of composed statements that are kept. The rest of them depend on the number of apps.
  private static let composedLimit = 64

  private var handle: OpaquePointer?
  /// The compiled statements by the address of their text, whose hash would cost more than a row.
  private var literal: [UnsafePointer<UInt8>: OpaquePointer] = [:]
  private var composed: [String: OpaquePointer] = [:]

  /// Opens a file, which is created if it does not exist and may be written.
  ///
  /// - Parameters:
  ///   - path: an absolute path, because SQLite may take a relative one for a URI.
  ///   - patience: the milliseconds to wait for a lock of another connection.
  init(_ path: String, _ access: Access = .readWrite, patience: Int32 = 10_000) throws(SQLiteError) {
    let flags = access == .readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &handle, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let error = failure(code)
      close()
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, patience)
  }

  deinit { close() }

  /// Closes the connection. The last connection to a file moves SQLite's log into it.
  func close() {
    for statement in literal.values { sqlite3_finalize(statement) }
    for statement in composed.values { sqlite3_finalize(statement) }
    (literal, composed) = ([:], [:])
    sqlite3_close_v2(handle)
    handle = nil
  }

  // MARK: - Statements

  /// Runs statements without parameters, and ignores their rows.
  func execute(_ sql: String) throws(SQLiteError) { try require(sqlite3_exec(handle, sql, nil, nil, nil)) }

  /// Runs a statement, and returns the number of rows that it has changed.
  @discardableResult
  func run(_ sql: StaticString, _ bindings: Binding...) throws(SQLiteError) -> Int {
    let statement = try bound(compiled(sql), bindings)
    defer { reset(statement) }
    try require(sqlite3_step(statement), SQLITE_DONE)
    return Int(sqlite3_changes(handle))
  }

  /// Returns the number in the only column of the first row; nil without a row, and for null.
  func number(_ sql: StaticString, _ bindings: Binding...) throws(SQLiteError) -> Int64? {
    let statement = try bound(compiled(sql), bindings)
    defer { reset(statement) }
    guard try step(statement) else { return nil }
    return SQLiteRow(statement: statement).optionalInteger(0)
  }

  /// Returns what `read` makes of each row.
  func rows<R>(_ sql: String, _ bindings: [Binding] = [], _ read: (SQLiteRow) throws -> R) throws -> [R] {
    let statement = try bound(compiled(sql), bindings)
    defer { reset(statement) }
    var results: [R] = []
    while try step(statement) { results.append(try read(SQLiteRow(statement: statement))) }
    return results
  }

  /// Returns what `read` makes of the first row; nil without a row.
  func first<R>(_ sql: String, _ bindings: [Binding] = [], _ read: (SQLiteRow) throws -> R) throws -> R? {
    let statement = try bound(compiled(sql), bindings)
    defer { reset(statement) }
    return try step(statement) ? try read(SQLiteRow(statement: statement)) : nil
  }

  private func compiled(_ sql: StaticString) throws(SQLiteError) -> OpaquePointer {
    if let known = literal[sql.utf8Start] { return known }
    let statement = try compile("\(sql)")
    literal[sql.utf8Start] = statement
    return statement
  }

  private func compiled(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    if let known = composed[sql] { return known }
    if composed.count >= Self.composedLimit {
      // A query around this one may still run.
      for (sql, statement) in composed where sqlite3_stmt_busy(statement) == 0 {
        sqlite3_finalize(statement)
        composed[sql] = nil
      }
    }
    let statement = try compile(sql)
    composed[sql] = statement
    return statement
  }

  private func compile(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    var statement: OpaquePointer?
    try require(sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw SQLiteError(code: SQLITE_MISUSE, message: "the statement is empty") }
    return statement
  }

  private func bound(_ statement: OpaquePointer, _ bindings: [Binding]) throws(SQLiteError) -> OpaquePointer {
    for (index, binding) in bindings.enumerated() {
      let code = bind(binding, at: Int32(index) + 1, of: statement)
      guard code == SQLITE_OK else {
        reset(statement)
        throw failure(code)
      }
    }
    return statement
  }

  private func bind(_ binding: Binding, at index: Int32, of statement: OpaquePointer) -> Int32 {
    switch binding {
    case .integer(let number?): return sqlite3_bind_int64(statement, index, number)
    case .text(var text?):
      return text.withUTF8 { csqlite_bind_text(statement, index, UnsafeRawPointer($0.baseAddress), Int32($0.count)) }
    case .bytes(let bytes?):
      return bytes.withUnsafeBytes { csqlite_bind_blob(statement, index, $0.baseAddress, Int32($0.count)) }
    case .integer(nil), .text(nil), .bytes(nil): return sqlite3_bind_null(statement, index)
    case .borrowed(let raw): return sqlite3_bind_blob(statement, index, raw.baseAddress, Int32(raw.count), nil)
    }
  }

  private func step(_ statement: OpaquePointer) throws(SQLiteError) -> Bool {
    let code = sqlite3_step(statement)
    if code == SQLITE_ROW { return true }
    try require(code, SQLITE_DONE)
    return false
  }

  private func reset(_ statement: OpaquePointer) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  // MARK: - Transactions and the log

  /// Runs the body in a transaction, and rolls back if it throws.
  func transaction<R>(_ body: () throws -> R) throws -> R {
    try run("BEGIN IMMEDIATE")
    do {
      let result = try body()
      try run("COMMIT")
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Runs the body with the content of one commit. The transaction ends with a rollback, because a commit fails after a
  /// read of a damaged page.
  func snapshot<R>(_ body: () throws -> R) throws -> R {
    try run("BEGIN DEFERRED")
    defer { rollBack() }
    return try body()
  }

  private func rollBack() {
    // SQLite may have rolled back by itself.
    if sqlite3_get_autocommit(handle) == 0 { _ = try? run("ROLLBACK") }
  }

  func checkpoint(_ kind: Checkpoint) throws(SQLiteError) {
    try require(sqlite3_wal_checkpoint_v2(handle, nil, kind.mode, nil, nil))
  }

  /// Has the callback receive the number of pages in the log after each commit.
  func observeLog(
    _ context: UnsafeMutableRawPointer,
    _ callback: @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32
  ) {
    _ = sqlite3_wal_hook(handle, callback, context)
  }

  /// Has SQLite keep the file at the log's path when it closes the last connection.
  func keepLog() {
    var flag: Int32 = 1
    _ = sqlite3_file_control(handle, nil, SQLITE_FCNTL_PERSIST_WAL, &flag)
  }

  private func require(_ code: Int32, _ expected: Int32 = SQLITE_OK) throws(SQLiteError) {
    if code != expected { throw failure(code) }
  }

  private func failure(_ code: Int32) -> SQLiteError {
    SQLiteError(code: code, message: handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory")
  }
}

/// A row of a query, which is valid while `read` runs. On a damaged page, a column may have any type.
struct SQLiteRow: StoredRow {
  fileprivate let statement: OpaquePointer

  /// - Throws: ``SQLiteError`` for a column of another type.
  func integer(_ column: Int) throws(SQLiteError) -> Int64 { try require(optionalInteger(column), column) }

  func text(_ column: Int) throws(SQLiteError) -> String { try require(optionalText(column), column) }

  func bytes(_ column: Int) throws(SQLiteError) -> [UInt8] { try require(optionalBytes(column), column) }

  /// Returns nil for null and for another type.
  func optionalInteger(_ column: Int) -> Int64? {
    type(column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, Int32(column)) : nil
  }

  func optionalText(_ column: Int) -> String? {
    guard type(column) == SQLITE_TEXT else { return nil }
    return String(decoding: value(sqlite3_column_text(statement, Int32(column)), column), as: UTF8.self)
  }

  func optionalBytes(_ column: Int) -> [UInt8]? {
    type(column) == SQLITE_BLOB ? [UInt8](value(sqlite3_column_blob(statement, Int32(column)), column)) : nil
  }

  private func type(_ column: Int) -> Int32 { sqlite3_column_type(statement, Int32(column)) }

  private func value(_ start: UnsafeRawPointer?, _ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }

  private func require<Value>(_ value: Value?, _ column: Int) throws(SQLiteError) -> Value {
    guard let value else {
      throw SQLiteError(code: SQLITE_CORRUPT, message: "column \(column) of a row has the wrong type")
    }
    return value
  }
}

/// The failure of a call of SQLite.
struct SQLiteError: Error, CustomStringConvertible {
  /// The extended result code (sqlite.org, "Result and Error Codes").
  let code: Int32
  let message: String

  /// Whether content of the file is damaged.
  var isCorruption: Bool { code & 0xFF == SQLITE_CORRUPT }

  /// Whether a process ended while it wrote, and a connection for writing has to roll that back first.
  var needsRollback: Bool { code == SQLITE_READONLY | (3 << 8) }

  /// SQLite's message for the operator.
  var description: String { "\(message) (SQLite \(code))." }

  static func damaged(_ message: String) -> SQLiteError { SQLiteError(code: SQLITE_CORRUPT, message: message) }
}

extension Timestamp {
  var binding: SQLiteConnection.Binding { .integer(milliseconds) }
}
