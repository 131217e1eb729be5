internal import CPostgreSQL
internal import Sessions

/// A parameter of a statement in PostgreSQL's binary format, which the server's `*send` functions define.
struct PostgreSQLParameter {
  let type: Oid
  let bytes: [UInt8]

  static func integer(_ number: Int64) -> PostgreSQLParameter {
    PostgreSQLParameter(type: 20, bytes: bigEndian(number))
  }

  static func bytes(_ bytes: [UInt8]) -> PostgreSQLParameter { PostgreSQLParameter(type: 17, bytes: bytes) }

  static func text(_ text: String) -> PostgreSQLParameter { PostgreSQLParameter(type: 25, bytes: Array(text.utf8)) }

  // MARK: - Rows

  /// Whether a table of so many rows consists of plain values instead of arrays. PostgreSQL plans a statement with short
  /// arrays again for each execution, which takes 0.2 ms, several times as long as the execution of a single row.
  private static func isSingle(_ rows: Int) -> Bool { rows == 1 }

  /// The SQL of a table of parameters, each of which is a column.
  static func table(rows: Int, columns: Int) -> String {
    let parameters = (1...columns).map { "$\($0)" }.joined(separator: ", ")
    return isSingle(rows) ? "(SELECT \(parameters))" : "unnest(\(parameters))"
  }

  /// A column of ``table(rows:columns:)``.
  static func integers(_ numbers: [Int64]) -> PostgreSQLParameter { column(20, 1016, numbers.map { bigEndian($0) }) }

  /// A column of ``table(rows:columns:)``.
  static func byteStrings(_ strings: [[UInt8]]) -> PostgreSQLParameter { column(17, 1001, strings) }

  /// A column of ``table(rows:columns:)``.
  static func texts(_ texts: [String]) -> PostgreSQLParameter { column(25, 1009, texts.map { Array($0.utf8) }) }

  private static func column(_ element: Int32, _ array: Oid, _ items: [[UInt8]]) -> PostgreSQLParameter {
    if isSingle(items.count) { return PostgreSQLParameter(type: Oid(element), bytes: items[0]) }
    // An array of one dimension with the lower bound 1 and without nulls.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(items.reduce(20) { $0 + 4 + $1.count })
    for number in [1, 0, element, Int32(items.count), 1] { bytes += bigEndian(number) }
    for item in items {
      bytes += bigEndian(Int32(item.count))
      bytes += item
    }
    return PostgreSQLParameter(type: array, bytes: bytes)
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}

/// The result of a statement.
final class PostgreSQLRows {
  private let raw: OpaquePointer

  /// Takes ownership of libpq's result.
  ///
  /// - Throws: the server's error, if that is the result.
  init(_ raw: OpaquePointer) throws(PostgreSQLError) {
    self.raw = raw
    switch PQresultStatus(raw) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return
    default: break
    }
    let state = PQresultErrorField(raw, 67 /* PG_DIAG_SQLSTATE, 'C' */).map { String(cString: $0) } ?? ""
    let message = PostgreSQLError.singleLine(String(cString: PQresultErrorMessage(raw)))
    // Class 08 is a connection exception; class 57P is a server that is shutting down or starting up.
    let isLost = state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P")
    throw isLost ? .connectionLost(message) : .refused(state: state, message)
  }

  deinit { PQclear(raw) }

  /// The number of rows that the statement has returned.
  var count: Int { Int(PQntuples(raw)) }

  /// The number of rows that the statement has changed.
  var changedCount: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }

  func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(raw, Int32(row), Int32(column)) == 1 }

  func bytes(_ row: Int, _ column: Int) -> [UInt8] {
    Array(
      UnsafeRawBufferPointer(
        start: PQgetvalue(raw, Int32(row), Int32(column)), count: Int(PQgetlength(raw, Int32(row), Int32(column)))))
  }

  /// Returns the value of an `int8`, `int4` or `bool` column.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    let isNegative = bytes.count > 1 && bytes[0] & 0x80 != 0
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

  func version(_ row: Int, _ column: Int) -> SessionVersion { SessionVersion(rawValue: integer(row, column)) }

  func owner(_ row: Int, _ column: Int) -> SessionOwner? { SessionOwner(bytes: bytes(row, column)) }

  func timestamp(_ row: Int, _ column: Int) -> Timestamp { Timestamp(milliseconds: integer(row, column)) }
}
