import Testing
import Values

/// CBOR items (RFC 8949) that are accepted or refused.
@Suite struct ValueValidationTests {
  @Test(arguments: [
    "00", "17", "1818", "18ff", "190100", "1a00010000", "1b0000000100000000", "1b7fffffffffffffff", "20", "3818",
    "3b7fffffffffffffff", "60", "6161", "62c3a9", "80", "81f6", "a0", "a1616101", "a26161016162 02", "f4", "f5", "f6",
    "fb3ff8000000000000", "fb8000000000000000", "a1 60 a1 60 80",
  ])
  func `an item in its shortest form is accepted`(hex: String) throws {
    #expect(Array(try Value(validating: bytes(hex: hex)).bytes) == bytes(hex: hex))
  }

  @Test(arguments: [
    ("", ValueError.Reason.truncated), ("18", .truncated), ("19ff", .truncated), ("61", .truncated),
    ("81", .truncated), ("a161", .truncated), ("a1616 1".replacing(" ", with: ""), .truncated), ("fb00", .truncated),
    ("1800", .notShortest), ("1817", .notShortest), ("1900ff", .notShortest), ("1a0000ffff", .notShortest),
    ("1b00000000ffffffff", .notShortest), ("7801 61", .notShortest), ("9800", .notShortest),
    ("1b8000000000000000", .outOfRange("Int64")), ("3bffffffffffffffff", .outOfRange("Int64")),
    ("40", .unsupported(0x40)), ("c000", .unsupported(0xC0)), ("9fff", .unsupported(0x9F)),
    ("bfff", .unsupported(0xBF)),
    ("7fff", .unsupported(0x7F)), ("f7", .unsupported(0xF7)), ("f93c00", .unsupported(0xF9)),
    ("fa3f800000", .unsupported(0xFA)), ("ff", .unsupported(0xFF)), ("1c", .unsupported(0x1C)),
    ("fb7ff0000000000000", .notFinite), ("fb7ff8000000000000", .notFinite),
    ("0000", .trailingBytes), ("a10101", .keyNotText), ("a2616101616102", .duplicateKey("a")),
    ("61ff", .invalidText), ("62c080", .invalidText), ("63eda080", .invalidText), ("64f4908080", .invalidText),
    ("7b1000000000000000", .truncated), ("9b1000000000000000", .truncated), ("bb1000000000000000", .truncated),
    ("9bffffffffffffffff", .truncated), ("bb7fffffffffffffff", .truncated), ("7bffffffffffffffff", .truncated),
  ])
  func `any other item is refused with the reason`(hex: String, reason: ValueError.Reason) {
    let error = #expect(throws: ValueError.self) { try Value(validating: bytes(hex: hex)) }
    #expect(error?.reason == reason)
  }

  @Test func `64 levels are accepted, and 65 are refused`() throws {
    let arrays = [UInt8](repeating: 0x81, count: 64)
    #expect(try Value(validating: arrays + [0xF6]).kind == .array)
    #expect(try Value(validating: arrays.dropLast() + [0xA0]).kind == .array)
    #expect(throws: ValueError.self) { try Value(validating: arrays + [0x80]) }
  }

  @Test func `a duplicate key is refused in a map of any size`() throws {
    for size in [2, 12, 13, 24, 300, 5_000] {
      var members = (0..<size).map { ("key\($0)", Value($0)) }
      var map = Array(Value.object(members).bytes)
      #expect(try Value(validating: map).count == size)
      members[size - 1].0 = "key0"
      let names = Value.array(members.map { Value($0.0) })
      // Assembles the map from bytes, because `Value.object` refuses duplicate keys.
      let head =
        map.count
        - Value.object((0..<size).map { ("key\($0)", Value($0)) }).members.reduce(0) {
          $0 + $1.keyValue.bytes.count + $1.value.bytes.count
        }
      map.removeSubrange(head...)
      for (name, member) in zip(names.elements, members) { map += Array(name.bytes) + Array(member.1.bytes) }
      let error = #expect(throws: ValueError.self) { try Value(validating: map) }
      #expect(error?.reason == .duplicateKey("key0"))
    }
  }

  @Test func `every truncation of a value is refused`() {
    var random = ValueGenerator(seed: 11)
    for _ in 0..<500 {
      let value = Array(random.value().bytes)
      for count in 0..<value.count {
        #expect(throws: ValueError.self) { try Value(validating: value[..<count]) }
      }
    }
  }

  @Test func `random and corrupted bytes never crash, and accepted bytes are readable`() throws {
    let seed: UInt64 = 12
    var random = ValueGenerator(seed: seed)
    for round in 0..<200_000 {
      var input: [UInt8]
      if round % 2 == 0 {
        input = (0..<random.below(24)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      } else {
        input = Array(random.value(depth: 3).bytes)
        input[random.below(input.count)] ^= UInt8(1 << random.below(8))
      }
      guard let value = try? Value(validating: input) else { continue }
      #expect(Array(value.bytes) == input, "seed \(seed), round \(round)")
      _ = try JSONParser.parse(value.json)
      _ = try? value.decode([String: [Int?]].self)
      #expect(try Value(encoding: value) == value)
    }
  }
}
