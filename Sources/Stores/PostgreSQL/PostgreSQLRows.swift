internal import CPostgreSQL

/// What came back of a statement.
final class PostgreSQLRows {
  private let raw: OpaquePointer

  init(_ raw: OpaquePointer) throws(PostgreSQLError) {
    self.raw = raw
    switch PQresultStatus(raw) {
    case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: return
    default: break
    }
    let state = PQresultErrorField(raw, 67 /* PG_DIAG_SQLSTATE, 'C' */).map { String(cString: $0) } ?? ""
    let message = PostgreSQLError.sentence(String(cString: PQresultErrorMessage(raw)))
    // Connection exceptions, and a server that is going down or not up yet.
    let isLost = state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P")
    throw isLost ? .connectionLost(message) : .refused(state: state, message)
  }

  deinit { PQclear(raw) }

  var count: Int { Int(PQntuples(raw)) }

  /// Rows that a statement has changed.
  var changed: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }

  func isNull(_ row: Int, _ column: Int) -> Bool { PQgetisnull(raw, Int32(row), Int32(column)) == 1 }

  func bytes(_ row: Int, _ column: Int) -> [UInt8] {
    Array(
      UnsafeRawBufferPointer(
        start: PQgetvalue(raw, Int32(row), Int32(column)), count: Int(PQgetlength(raw, Int32(row), Int32(column)))))
  }

  /// An `int8`, `int4` or `bool`.
  func integer(_ row: Int, _ column: Int) -> Int64 {
    let bytes = bytes(row, column)
    let isNegative = bytes.count > 1 && bytes[0] & 0x80 != 0
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }
}
