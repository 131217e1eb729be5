import Testing

@testable import Stores

/// The connection to a database file: values, errors, and transactions.
@Suite struct SQLiteConnectionTests {
  private let file: TemporarySessionFile
  private let connection: SQLiteConnection

  init() throws {
    file = try TemporarySessionFile()
    connection = try SQLiteConnection(file.path)
    try connection.execute("CREATE TABLE item (id INTEGER PRIMARY KEY, value)")
  }

  private func insert(_ value: SQLiteConnection.Binding) throws {
    try connection.run("INSERT INTO item (value) VALUES (?)", value)
  }

  @Test func `values are read as they were written`() throws {
    let values: [SQLiteConnection.Binding] = [
      .integer(.min), .text("a\u{0}é"), .bytes([0, 255]), .bytes([]), .bytes(nil),
    ]
    for value in values { try insert(value) }
    let rows = try connection.rows("SELECT value FROM item ORDER BY id") { row in
      (row.optionalInteger(0), row.optionalText(0), row.optionalBytes(0))
    }
    #expect(rows.map(\.0) == [.min, nil, nil, nil, nil])
    #expect(rows.map(\.1) == [nil, "a\u{0}é", nil, nil, nil])
    #expect(rows.map(\.2) == [nil, nil, [0, 255], [], nil])
  }

  @Test func `a column of another type is an error`() throws {
    try insert(.text("7"))
    let error = #expect(throws: SQLiteError.self) {
      try connection.first("SELECT value FROM item") { try $0.integer(0) }
    }
    #expect(error?.isCorruption == true)
    #expect(error?.description == "column 0 of a row has the wrong type (SQLite 11).")
    #expect(throws: SQLiteError.self) { try connection.first("SELECT 7") { try $0.text(0) } }
    #expect(throws: SQLiteError.self) { try connection.first("SELECT NULL") { try $0.bytes(0) } }
  }

  @Test func `a statement with a fault is an error, and the connection works on`() throws {
    let error = #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO absent VALUES (1)") }
    #expect(error?.message == "no such table: absent" && error?.isCorruption == false)
    try insert(.integer(1))
    #expect(throws: SQLiteError.self) { try connection.run("INSERT INTO item (id, value) VALUES (1, 2)") }
    #expect(throws: SQLiteError.self) { try connection.number("") }
    #expect(try connection.number("SELECT value FROM item") == 1)
  }

  @Test func `a transaction that fails changes nothing`() throws {
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try connection.transaction {
        try insert(.integer(1))
        throw Failure()
      }
    }
    try connection.transaction { try insert(.integer(2)) }
    #expect(try connection.rows("SELECT value FROM item") { try $0.integer(0) } == [2])
  }

  @Test func `a query goes on while many others are composed`() throws {
    for number in Int64(0)..<3 { try insert(.integer(number)) }
    let sums = try connection.rows("SELECT value FROM item ORDER BY id") { row in
      for number in 0..<200 { _ = try connection.first("SELECT \(number)") { try $0.integer(0) } }
      return try row.integer(0)
    }
    #expect(sums == [0, 1, 2])
  }

  @Test func `a connection for reading changes nothing, and a missing file is an error`() throws {
    let reader = try SQLiteConnection(file.path, .readOnly)
    #expect(throws: SQLiteError.self) { try reader.run("INSERT INTO item (value) VALUES (1)") }
    #expect(try reader.number("SELECT count(*) FROM item") == 0)
    #expect(throws: SQLiteError.self) { try SQLiteConnection(file.path + "-missing", .readOnly) }
  }
}
