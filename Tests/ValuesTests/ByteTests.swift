import Testing
import Values

@Suite struct ByteTests {
  @Test func `what is written is read back`() throws {
    var writer = ByteWriter()
    let numbers: [UInt64] = [0, 1, 127, 128, 16_383, 16_384, 1 << 35, .max - 1, .max]
    for number in numbers { writer.append(varint: number) }
    writer.append(littleEndian: UInt32(0x0102_0304))
    writer.append(littleEndian: Int64.min)
    writer.append("é日")
    writer.append(encoded: ["a": [1, 2]])
    writer.append(7 as UInt8)
    var reader = ByteReader(writer.finish())
    for number in numbers { #expect(try reader.varint() == number) }
    #expect(try reader.littleEndian(UInt32.self) == 0x0102_0304)
    #expect(try reader.littleEndian(Int64.self) == .min)
    #expect(try reader.text(5) == "é日")
    #expect(try reader.value() == ["a": [1, 2]])
    #expect(try Array(reader.slice(1)) == [7])
    try reader.finish()
    #expect(throws: ValueError.self) { try reader.byte() }
  }

  @Test(arguments: [Int64.min, -1_000, -10, -1, 0, 9, 10, 99, 100, 12_345, .max])
  func `decimal integers are written as Swift writes them`(number: Int64) {
    var writer = ByteWriter()
    writer.append(decimal: number)
    #expect(String(decoding: writer.finish(), as: UTF8.self) == "\(number)")
  }

  @Test(arguments: [0, 9, 10, 9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max])
  func `numbers of up to 20 digits are written whole`(number: UInt64) {
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
  func `a varint that is cut off, too long or not the shortest is refused`(bytes: [UInt8], reason: ValueError.Reason) {
    var reader = ByteReader(bytes)
    let error = #expect(throws: ValueError.self) { try reader.varint() }
    #expect(error?.reason == reason)
  }

  @Test func `a read beyond the end is refused and moves nothing`() {
    var reader = ByteReader([1, 2, 3][1...])
    #expect(throws: ValueError.self) { try reader.slice(3) }
    #expect(throws: ValueError.self) { try reader.slice(-1) }
    #expect(throws: ValueError.self) { try reader.slice(.max) }
    #expect(throws: ValueError.self) { try reader.littleEndian(UInt32.self) }
    #expect(throws: ValueError.self) { try reader.text(.max) }
    #expect(throws: ValueError.self) { try reader.finish() }
    #expect(reader.position == 0)
    #expect(reader.remaining == 2)
  }

  @Test func `random bytes never crash a reader`() {
    var random = Generator(seed: 5)
    for _ in 0..<20_000 {
      var reader = ByteReader((0..<random.below(20)).map { _ in UInt8(truncatingIfNeeded: random.next()) })
      while !reader.isAtEnd {
        let before = reader.position
        switch random.below(4) {
        case 0: _ = try? reader.varint()
        case 1: _ = try? reader.value()
        case 2: _ = try? reader.text(random.below(8))
        default: _ = try? reader.littleEndian(UInt16.self)
        }
        if reader.position == before { break }
      }
    }
  }
}
