import CPostgreSQL
import Foundation

/// A database of its own for one test, on the server that `TEST_POSTGRES` names; `script/support/postgres` starts one.
enum TestDatabase {
  /// `postgres://USER@HOST:PORT/DATABASE`
  static let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"]

  /// The URL of a new database.
  static func create() throws -> String {
    let name = "usher_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try execute("CREATE DATABASE \(name)")
    let server = server ?? ""
    return server[..<server.lastIndex(of: "/")!] + "/\(name)"
  }

  static func drop(_ url: String) {
    try? execute("DROP DATABASE \(url.split(separator: "/").last!) WITH (FORCE)")
  }

  /// Runs statements, in the database of this URL if one is given.
  static func execute(_ sql: String, in url: String? = nil) throws { try TestConnection(url).execute(sql) }
}

/// A connection to a test database. Libpq makes it in this process: Foundation's `Process` crashes now and then where several threads
/// start programs.
final class TestConnection {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let raw: OpaquePointer

  /// - Parameter url: of a database; nil for the one that `TEST_POSTGRES` names.
  init(_ url: String? = nil) throws {
    guard let raw = PQconnectdb(url ?? TestDatabase.server ?? "") else { throw Failure(description: "No memory.") }
    self.raw = raw
    guard PQstatus(raw) == CONNECTION_OK else { throw Failure(description: String(cString: PQerrorMessage(raw))) }
    PQsetNoticeProcessor(raw, { _, _ in }, nil)
  }

  deinit { PQfinish(raw) }

  /// The first column of the first row; empty where there is none.
  func text(_ sql: String) throws -> String {
    let result = try result(sql)
    defer { PQclear(result) }
    return PQntuples(result) == 0 ? "" : String(cString: PQgetvalue(result, 0, 0))
  }

  /// Runs statements; several are one transaction.
  func execute(_ sql: String) throws { PQclear(try result(sql)) }

  /// All rows of a table in PostgreSQL's binary form.
  func dump(_ table: String) throws -> [UInt8] {
    PQclear(try result("COPY \(table) TO STDOUT WITH (FORMAT binary)"))
    var dump: [UInt8] = []
    var row: UnsafeMutablePointer<CChar>?
    while true {
      let count = PQgetCopyData(raw, &row, 0)
      guard count > 0, let bytes = row else { break }
      dump += UnsafeRawBufferPointer(start: bytes, count: Int(count))
      PQfreemem(bytes)
    }
    return dump
  }

  private func result(_ sql: String) throws -> OpaquePointer {
    let result = PQexec(raw, sql)
    guard let result, [PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_COPY_OUT].contains(PQresultStatus(result)) else {
      PQclear(result)
      throw Failure(description: "\(sql): \(String(cString: PQerrorMessage(raw)))")
    }
    return result
  }
}
