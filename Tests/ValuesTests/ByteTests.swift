import Testing
import Values

/// Bytes: varints, integers and texts that are written and read.
@Suite struct ByteTests {
  @Test func `a reader reads the bytes of a writer`() throws {
    var writer = ByteWriter()
    let numbers: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 35, .max - 1, .max]
    for number in numbers { writer.append(varint: number) }
    writer.append(littleEndian: UInt32(0x0102_0304))
    writer.append("é日")
    writer.append(encoded: ["a": [1, 2]])
    writer.append(7 as UInt8)
    var reader = ByteReader(writer.finish())
    for number in numbers { #expect(try reader.varint() == number) }
    #expect(try reader.withBytes(4) { $0[0] == 4 && $0[3] == 1 })
    #expect(try reader.text(5) == "é日")
    #expect(try reader.value() == ["a": [1, 2]])
    #expect(try reader.byte() == 7)
    #expect(reader.isAtEnd)
    #expect(throws: ValueError.self) { try reader.byte() }
  }

  @Test(arguments: [Int64.min, -1_000, -10, -1, 0, 9, 10, 99, 100, 12_345, .max])
  func `decimal integers have the digits of Swift's description`(number: Int64) {
    var writer = ByteWriter()
    writer.append(decimal: number)
    #expect(String(decoding: writer.finish(), as: UTF8.self) == "\(number)")
  }

  @Test(arguments: [0, 9, 10, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max])
  func `unsigned integers are written with up to 20 digits`(number: UInt64) {
    var writer = ByteWriter()
    writer.append(decimal: number)
    #expect(String(decoding: writer.finish(), as: UTF8.self) == "\(number)")
  }

  @Test(
    arguments: [
      ([0x80], ValueError.Reason.truncated), ([0x80, 0x00], .notShortest), ([0xFF, 0x80, 0x00], .notShortest),
      ([UInt8](repeating: 0xFF, count: 9) + [0x02], .varintTooLong),
      ([UInt8](repeating: 0xFF, count: 11), .varintTooLong),
    ] as [([UInt8], ValueError.Reason)])
  func `a varint that is truncated, too long or not the shortest is refused`(bytes: [UInt8], reason: ValueError.Reason)
  {
    var reader = ByteReader(bytes)
    let error = #expect(throws: ValueError.self) { try reader.varint() }
    #expect(error?.reason == reason)
  }

  @Test func `a read beyond the end throws, and does not move the position`() {
    var reader = ByteReader([1, 2])
    for count in [3, -1, .max] {
      #expect(throws: ValueError.self) { try reader.skip(count) }
      #expect(throws: ValueError.self) { try reader.text(count) }
      #expect(throws: ValueError.self) { try reader.withBytes(count) { $0.count } }
    }
    #expect(reader.position == 0)
    #expect(reader.remaining == 2)
  }

  @Test func `random bytes never crash a reader`() {
    var random = ValueGenerator(seed: 5)
    for _ in 0..<20_000 {
      var reader = ByteReader((0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      while !reader.isAtEnd {
        let before = reader.position
        switch random.below(4) {
        case 0: _ = try? reader.varint()
        case 1: _ = try? reader.value()
        case 2: _ = try? reader.text(random.below(8))
        default: _ = try? reader.withBytes(2) { $0.count }
        }
        if reader.position == before { break }
      }
    }
  }
}
