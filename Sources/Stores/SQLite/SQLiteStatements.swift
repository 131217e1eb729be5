internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Sessions

/// Runs statements with the values bound directly. The library's own way makes an array of boxed values for each run, which
/// costs a third of what a write takes in all.
struct SQLiteStatements {
  let connection: Database

  /// A value of a statement.
  enum Binding {
    case integer(Int64)
    case text(String)
    case bytes([UInt8])
    case null
    /// Bytes that stay in place while the statement runs.
    case lent(UnsafeRawBufferPointer)
  }

  /// How many rows the statement changed.
  func run(_ sql: String, _ bindings: Binding...) throws -> Int {
    let statement = try connection.cachedStatement(sql: sql).sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (place, binding) in bindings.enumerated() {
      try require(bind(binding, at: Int32(place) + 1, of: statement), SQLITE_OK)
    }
    try require(sqlite3_step(statement), SQLITE_DONE)
    return connection.changesCount
  }

  private func bind(_ binding: Binding, at place: Int32, of statement: OpaquePointer) -> Int32 {
    let copying = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch binding {
    case .integer(let number): return sqlite3_bind_int64(statement, place, number)
    case .text(let text): return sqlite3_bind_text(statement, place, text, -1, copying)
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { raw in
        sqlite3_bind_blob(statement, place, raw.baseAddress, Int32(raw.count), copying)
      }
    case .null: return sqlite3_bind_null(statement, place)
    case .lent(let raw): return sqlite3_bind_blob(statement, place, raw.baseAddress, Int32(raw.count), nil)
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
