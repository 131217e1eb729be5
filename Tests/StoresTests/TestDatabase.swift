import Foundation

/// A database of its own for one test, on the server that `TEST_POSTGRES` names; `script/postgres` starts one.
enum TestDatabase {
  /// `postgres://USER@HOST:PORT/DATABASE`
  static let server = ProcessInfo.processInfo.environment["TEST_POSTGRES"]

  /// The URL of a new database.
  static func create() throws -> String {
    let name = "usher_\(UUID().uuidString.lowercased().filter { $0 != "-" })"
    try psql("CREATE DATABASE \(name)")
    let server = server ?? ""
    return server[..<server.lastIndex(of: "/")!] + "/\(name)"
  }

  static func drop(_ url: String) {
    try? psql("DROP DATABASE \(url.split(separator: "/").last!) WITH (FORCE)")
  }

  /// Has the server do something, in the database of this URL if one is given.
  static func psql(_ sql: String, in url: String? = nil) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["psql", "-q", "-v", "ON_ERROR_STOP=1", "-c", sql, url ?? server ?? ""]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}
