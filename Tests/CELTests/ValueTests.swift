import CEL
import Testing

struct ValueTests {
  @Test func `Keys of equal numbers are one key`() {
    var map = CEL.Map()
    map[.int(1)] = "int"
    map[.uint(1)] = "uint"
    map[.int(-1)] = "negative"
    map[.uint(.max)] = "largest"
    #expect(map.count == 3)
    #expect(map[.int(1)] == "uint")
    #expect(map.keys == [.int(1), .int(-1), .uint(.max)])
    #expect(CEL.Map.Key.int(1).hashValue == CEL.Map.Key.uint(1).hashValue)
  }

  @Test(arguments: [1, 8, 9, 40] as [Int64])
  func `A map of any size finds each of its keys, and no other one`(count: Int64) {
    var map = CEL.Map()
    for number in 0..<count { map[.int(number)] = .int(number) }
    for number in 0..<count { #expect(map[.int(number)] == .int(number)) }
    #expect(map[.int(count)] == nil)
    map[.int(0)] = "first"
    #expect(map.count == Int(count) && map[.int(0)] == "first")
  }

  @Test func `Literals of Swift are values`() throws {
    let value: CEL.Value = ["a": [1, 2.5, true, nil, "x"], "b": ["c": 1]]
    guard case .map(let map) = value else { throw Unexpected() }
    #expect(map["a"] == .list([.int(1), .double(2.5), .bool(true), .null, .string("x")]))
    #expect(map["missing"] == nil)
  }

  @Test func `The times of a timestamp and a duration have limits`() {
    #expect(CEL.Timestamp(seconds: 253_402_300_800) == nil)
    #expect(CEL.Timestamp(seconds: -62_135_596_801) == nil)
    #expect(CEL.Timestamp(seconds: 0, nanoseconds: 1_000_000_000) == nil)
    #expect(CEL.Timestamp(seconds: 0, nanoseconds: -1) == nil)
    #expect(CEL.Duration(seconds: .max) == nil)
    #expect(CEL.Duration(nanoseconds: .min).description == "-9223372036.854775808s")
    #expect(CEL.Timestamp("9999-12-31T23:59:59.999999999Z")?.description == "9999-12-31T23:59:59.999999999Z")
  }

  @Test func `Types can stand for other types`() {
    let order = CEL.ValueType.object(.init("order", ["id": .init(.string), "note": .optional(.string)]))
    let small = CEL.ValueType.object(.init("small", ["id": .init(.string)]))
    #expect(order.isAssignable(to: small))
    #expect(!small.isAssignable(to: .object(.init("large", ["id": .init(.string), "more": .init(.int)]))))
    #expect(small.isAssignable(to: .map(.string, .string)))
    #expect(!order.isAssignable(to: .map(.string, .string)))
    #expect(CEL.ValueType.int.isAssignable(to: .nullable(.int)))
    #expect(!CEL.ValueType.nullable(.int).isAssignable(to: .int))
    #expect(CEL.ValueType.list(.int).isAssignable(to: .list(.dyn)))
    #expect(!CEL.ValueType.int.isAssignable(to: .double))
  }
}
