internal import CPostgreSQL

/// A value of a statement in PostgreSQL's binary form (the server's `*send` functions define it).
struct PostgreSQLParameter {
  let type: Oid
  let bytes: [UInt8]

  static func integer(_ number: Int64) -> PostgreSQLParameter {
    PostgreSQLParameter(type: 20, bytes: bigEndian(number))
  }

  static func bytes(_ bytes: [UInt8]) -> PostgreSQLParameter { PostgreSQLParameter(type: 17, bytes: bytes) }

  static func text(_ text: String) -> PostgreSQLParameter { PostgreSQLParameter(type: 25, bytes: Array(text.utf8)) }

  static func integers(_ numbers: [Int64]) -> PostgreSQLParameter {
    array(of: 20, as: 1016, numbers.map { bigEndian($0) })
  }

  static func byteStrings(_ strings: [[UInt8]]) -> PostgreSQLParameter { array(of: 17, as: 1001, strings) }

  static func texts(_ texts: [String]) -> PostgreSQLParameter { array(of: 25, as: 1009, texts.map { Array($0.utf8) }) }

  /// One dimension, from 1, without nulls.
  private static func array(of element: Int32, as type: Oid, _ items: [[UInt8]]) -> PostgreSQLParameter {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(items.reduce(20) { $0 + 4 + $1.count })
    for number in [1, 0, element, Int32(items.count), 1] { bytes += bigEndian(number) }
    for item in items {
      bytes += bigEndian(Int32(item.count))
      bytes += item
    }
    return PostgreSQLParameter(type: type, bytes: bytes)
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.bigEndian) { Array($0) }
  }
}
