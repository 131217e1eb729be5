import CPostgreSQL
import Foundation

/// Databases of single tests, on the server in `TEST_POSTGRES`. `script/support/postgres` starts such a server.
enum TestDatabase {
  /// The location of the server, as `postgres://USER@HOST:PORT/DATABASE`.
  static let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"]

  /// Creates a database, and returns its URL.
  static func create() throws -> String {
    let name = "usher_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try execute("CREATE DATABASE \(name)")
    let server = server ?? ""
    return server[..<server.lastIndex(of: "/")!] + "/\(name)"
  }

  static func drop(_ url: String) {
    try? execute("DROP DATABASE \(url.split(separator: "/").last!) WITH (FORCE)")
  }

  /// Executes statements in a database, by default in the one in `TEST_POSTGRES`.
  static func execute(_ sql: String, in url: String? = nil) throws { try TestConnection(url).execute(sql) }

  /// Returns whether a file of a database has a text.
  static func hasFile(containing text: String, in url: String) throws -> Bool {
    let connection = try TestConnection(url)
    try connection.execute("CHECKPOINT")
    let count = try connection.text(
      """
      SELECT count(*) FROM pg_class WHERE pg_relation_filepath(oid) IS NOT NULL AND relkind IN ('r', 'i', 't')
      AND position('\(text)'::bytea IN pg_read_binary_file(pg_relation_filepath(oid))) > 0
      """)
    return count != "0"
  }

  /// Terminates most of the connections to a database, chosen at random.
  static func terminateConnections(to url: String) throws {
    try execute(
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.7
      """, in: url)
  }
}

/// A connection to a test database through libpq. The tests do not run `psql`, because Foundation's `Process` sometimes
/// crashes when several threads start programs.
final class TestConnection {
  struct Failure: Error, CustomStringConvertible { let description: String }

  private let raw: OpaquePointer

  /// - Parameter url: The database, or nil for the one in `TEST_POSTGRES`.
  init(_ url: String? = nil) throws {
    if let fault = cpostgresql_load() { throw Failure(description: String(cString: fault)) }
    guard let raw = PQconnectdb(url ?? TestDatabase.server ?? "") else { throw Failure(description: "Out of memory.") }
    self.raw = raw
    guard PQstatus(raw) == CONNECTION_OK else { throw Failure(description: String(cString: PQerrorMessage(raw))) }
    PQsetNoticeProcessor(raw, { _, _ in }, nil)
  }

  deinit { PQfinish(raw) }

  /// Returns the first column of the first row, or an empty text if there is no row.
  func text(_ sql: String) throws -> String {
    let result = try result(sql)
    defer { PQclear(result) }
    return PQntuples(result) == 0 ? "" : String(cString: PQgetvalue(result, 0, 0))
  }

  /// Executes statements in one transaction.
  func execute(_ sql: String) throws { PQclear(try result(sql)) }

  /// Returns all rows of a table in PostgreSQL's binary format.
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
