internal import CPostgreSQL
internal import Sessions
internal import Values

/// A statement with its parameters.
struct PostgreSQLStatement: Sendable {
  let sql: String
  let parameters: [PostgreSQLParameter]
  /// The replacement that the statement makes, if it may share a statement with others.
  var replacement: PostgreSQLReplacement?
  /// Further statements of the same transaction, whose results are of no interest.
  var following: [PostgreSQLStatement] = []

  init(_ sql: String, _ parameters: [PostgreSQLParameter]) {
    self.sql = sql
    self.parameters = parameters
  }

  init(_ sql: String, _ parameters: PostgreSQLParameter...) { self.init(sql, parameters) }
}

/// A parameter of a statement.
enum PostgreSQLParameter: Sendable {
  case integer(Int64)
  /// Nil is the value null.
  case bytes([UInt8]?)
  case text(String)
  case integers([Int64])
  case byteStrings([[UInt8]?])
  case texts([String])

  var type: Oid {
    switch self {
    case .integer: Self.integer
    case .bytes: Self.bytes
    case .text: Self.text
    case .integers: 1016
    case .byteStrings: 1001
    case .texts: 1009
    }
  }

  private static let integer: Oid = 20
  private static let bytes: Oid = 17
  private static let text: Oid = 25

  var isNull: Bool { if case .bytes(nil) = self { true } else { false } }

  /// Appends the value in PostgreSQL's binary format, which the server's `*send` functions define.
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .integer(let number): withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    case .bytes(let value): bytes += value ?? []
    case .text(let text): bytes += text.utf8
    case .integers(let numbers): Self.append(numbers.map { .integer($0) }, of: Self.integer, to: &bytes)
    case .byteStrings(let values): Self.append(values.map { .bytes($0) }, of: Self.bytes, to: &bytes)
    case .texts(let texts): Self.append(texts.map { .text($0) }, of: Self.text, to: &bytes)
    }
  }

  /// Appends an array: its number of dimensions, whether it has nulls, the type of its elements, its length, its lowest
  /// index, and each element after its size.
  private static func append(_ elements: [PostgreSQLParameter], of type: Oid, to bytes: inout [UInt8]) {
    func append(_ number: Int32) { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
    append(1)
    append(elements.contains(where: \.isNull) ? 1 : 0)
    append(Int32(type))
    append(Int32(elements.count))
    append(1)
    for element in elements {
      let start = bytes.count
      append(-1)
      if element.isNull { continue }
      element.append(to: &bytes)
      withUnsafeBytes(of: Int32(bytes.count - start - 4).bigEndian) {
        bytes.replaceSubrange(start..<(start + 4), with: $0)
      }
    }
  }
}

/// The result of a statement.
final class PostgreSQLRows {
  fileprivate let raw: OpaquePointer

  /// Takes ownership of libpq's result.
  ///
  /// - Throws: the server's error, if that is the result.
  init(_ raw: OpaquePointer) throws(PostgreSQLError) {
    self.raw = raw
    if [PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY].contains(PQresultStatus(raw)) { return }
    let state = PQresultErrorField(raw, 67 /* PG_DIAG_SQLSTATE, 'C' */).map { String(cString: $0) } ?? ""
    let message = PostgreSQLError.singleLine(String(cString: PQresultErrorMessage(raw)))
    // Class 08 is a connection exception; class 57P is a server that is shutting down or starting up.
    let isLost = state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P")
    throw isLost ? .connectionLost(message) : .refused(state: state, message)
  }

  deinit { PQclear(raw) }

  /// The number of rows that the statement has changed.
  var changedCount: Int { Int(String(cString: PQcmdTuples(raw))) ?? 0 }
}

extension PostgreSQLRows: RandomAccessCollection {
  var startIndex: Int { 0 }
  var endIndex: Int { Int(PQntuples(raw)) }

  subscript(index: Int) -> PostgreSQLRow { PostgreSQLRow(result: self, index: Int32(index)) }
}

/// A row of a result. The statements decide the types of the columns.
struct PostgreSQLRow: StoredRow {
  fileprivate let result: PostgreSQLRows
  fileprivate let index: Int32

  func isNull(_ column: Int) -> Bool { PQgetisnull(result.raw, index, Int32(column)) == 1 }

  func bytes(_ column: Int) -> [UInt8] { Array(value(column)) }

  /// The bytes of a value in libpq's result.
  private func value(_ column: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(
      start: PQgetvalue(result.raw, index, Int32(column)), count: Int(PQgetlength(result.raw, index, Int32(column))))
  }

  /// Returns the elements of a `bytea[]`; none for null.
  func byteStrings(_ column: Int) -> [[UInt8]] {
    let bytes = bytes(column)
    func number(at offset: Int) -> Int {
      Int(bytes.withUnsafeBytes { Int32(bigEndian: $0.loadUnaligned(fromByteOffset: offset, as: Int32.self)) })
    }
    // After the number of dimensions, whether there are nulls, the type, the length and the lowest index.
    var next = 20
    var elements: [[UInt8]] = []
    while next < bytes.count {
      let start = next + 4
      next = start + number(at: next)
      elements.append(Array(bytes[start..<next]))
    }
    return elements
  }

  /// Returns the value of an `int8`, `int4` or `bool` column.
  func integer(_ column: Int) -> Int64 {
    let bytes = value(column)
    let isNegative = bytes.count > 1 && bytes[0] & 0x80 != 0
    return bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
  }

  func text(_ column: Int) -> String { String(decoding: value(column), as: UTF8.self) }

  func optionalInteger(_ column: Int) -> Int64? { isNull(column) ? nil : integer(column) }

  func optionalText(_ column: Int) -> String? { isNull(column) ? nil : text(column) }

  func optionalBytes(_ column: Int) -> [UInt8]? { isNull(column) ? nil : bytes(column) }
}
