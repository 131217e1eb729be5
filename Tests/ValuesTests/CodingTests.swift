import Foundation
import Testing
import Values

/// `Codable` types as values.
@Suite struct CodingTests {
  func roundTrip<T: Codable & Equatable>(
    _ value: T, _ json: String? = nil, _ location: SourceLocation = #_sourceLocation
  ) throws {
    let encoded = try Value(encoding: value)
    #expect(try Value(validating: encoded.bytes) == encoded, sourceLocation: location)
    #expect(try encoded.decode(T.self) == value, sourceLocation: location)
    if let json { #expect(encoded.description == json, sourceLocation: location) }
  }

  @Test func `structs, optionals and arrays round trip`() throws {
    try roundTrip(
      Order(id: 1, note: nil, lines: [Line(name: "a", price: 1.5)]),
      #"{"id":1,"note":null,"lines":[{"name":"a","price":1.5}]}"#)
    try roundTrip(Order(id: -1, note: "é", lines: []), #"{"id":-1,"note":"é","lines":[]}"#)
    try roundTrip(Empty(), "{}")
    try roundTrip([Empty(), Empty()], "[{},{}]")
    try roundTrip([1, nil, 3] as [Int?], "[1,null,3]")
    try roundTrip(Optional<Int>.none, "null")
    try roundTrip("text", "\"text\"")
    try roundTrip([[1], [], [2, 3]], "[[1],[],[2,3]]")
  }

  @Test func `every integer type is checked against its range`() throws {
    try roundTrip([Int64.min, .max])
    try roundTrip([Int8.min, .max])
    try roundTrip([UInt8.min, .max])
    try roundTrip([UInt32.max])
    try roundTrip(UInt64(Int64.max))
    try roundTrip(Widths())
    #expect(throws: ValueError.self) { try Value(encoding: UInt64(Int64.max) + 1) }
    #expect(throws: ValueError.self) { try Value(encoding: [UInt.max]) }
    #expect(throws: ValueError.self) { try Value(256).decode(UInt8.self) }
    #expect(throws: ValueError.self) { try Value(-1).decode(UInt.self) }
    #expect(throws: ValueError.self) { try Value(1.5).decode(Int.self) }
    #expect(throws: ValueError.self) { try Value("1").decode(Int.self) }
  }

  @Test func `floating-point numbers are finite, and decoded from integers too`() throws {
    try roundTrip([1.5, -0.0, 1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
    try roundTrip([Float(1.1), .greatestFiniteMagnitude])
    #expect(try Value(3).decode(Double.self) == 3)
    #expect(try Value(-3).decode(Float.self) == -3)
    #expect(throws: ValueError.self) { try Value(1e300).decode(Float.self) }
    for bad in [Double.nan, .infinity, -.infinity] {
      #expect(throws: ValueError.self) { try Value(encoding: bad) }
      #expect(throws: ValueError.self) { try Value(encoding: ["a": bad]) }
      #expect(throws: ValueError.self) { try Value(encoding: Float(bad)) }
    }
  }

  @Test func `enums with associated values round trip`() throws {
    try roundTrip(Step.start, #"{"start":{}}"#)
    try roundTrip(Step.pay(amount: 5, "EUR"), #"{"pay":{"amount":5,"_1":"EUR"}}"#)
    try roundTrip([Step.nested([.start, .pay(amount: 1, "x")]), .start])
    try roundTrip([Color.red, .blue], #"["red","blue"]"#)
    #expect(throws: ValueError.self) { try (["stop": [:]] as Value).decode(Step.self) }
    #expect(throws: ValueError.self) { try Value("green").decode(Color.self) }
  }

  @Test func `equal dictionaries and sets have the same bytes in any order`() throws {
    var random = ValueGenerator(seed: 3)
    let numbers = (0..<300).map { _ in random.below(100_000) }
    for size in [0, 1, 2, 5, 23, 24, 300] {
      let some = numbers.prefix(size)
      let forward = Dictionary(some.map { ("k\($0)", $0) }, uniquingKeysWith: { $1 })
      var backward: [String: Int] = Dictionary(minimumCapacity: 4_000)
      for number in some.reversed() { backward["k\(number)"] = number }
      try roundTrip(forward)
      #expect(try Value(encoding: forward) == Value(encoding: backward))
      #expect(
        try Value(encoding: forward).members.map(\.key)
          == forward.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      var set = Set<Int>(minimumCapacity: 4_000)
      for number in some.reversed() { set.insert(number) }
      try roundTrip(set)
      #expect(try Value(encoding: set) == Value(encoding: Set(some)))
      let pairs = Dictionary(some.map { (Line(name: "l", price: Double($0)), $0) }, uniquingKeysWith: { $1 })
      try roundTrip(pairs)
      try roundTrip(["a": Set(some), "b": []])
    }
    try roundTrip(["": 1, "é": 2], #"{"":1,"é":2}"#)
    try roundTrip([3: "c", 1: "a", 2: "b"], #"{"1":"a","2":"b","3":"c"}"#)
    try roundTrip(["z": ["b": 1, "a": 2], "y": ["d": 3, "c": 4]], #"{"y":{"c":4,"d":3},"z":{"a":2,"b":1}}"#)
    try roundTrip(Set(["b", "a", "ccc"]), #"["a","b","ccc"]"#)
  }

  @Test func `keys are found in any order, and unknown keys are ignored`() throws {
    let value: Value = ["lines": [], "extra": ["deep": [1, 2]], "note": .null, "id": 4]
    #expect(try value.decode(Order.self) == Order(id: 4, note: nil, lines: []))
    let wide = Value.object((0..<30).map { ("k\($0)", Value($0)) })
    let read = try wide.decode([String: Int].self)
    #expect(read.count == 30 && read["k29"] == 29)
  }

  @Test func `a value inside a type round trips, also with the coders of Foundation`() throws {
    try roundTrip(["a": [1, 1.5, "x"], "b": .null] as [String: Value])
    let json = try JSONEncoder().encode(["a": [1, 1.5, "x", .null, true, ["k": 1]] as Value])
    #expect(try JSONDecoder().decode([String: Value].self, from: json) == ["a": [1, 1.5, "x", .null, true, ["k": 1]]])
  }

  @Test func `random values never crash a decoder`() throws {
    var random = ValueGenerator(seed: 4)
    for _ in 0..<20_000 {
      let value = random.value(depth: 2)
      _ = try? value.decode(Order.self)
      _ = try? value.decode(Step.self)
      _ = try? value.decode([String: Widths].self)
      _ = try? value.decode(Interleaved.self)
      _ = try? value.decode(Derived.self)
      #expect(try value.decode(Value.self) == value)
    }
  }
}

struct Line: Codable, Hashable {
  var name: String
  var price: Double
}
struct Order: Codable, Hashable {
  var id: Int
  var note: String?
  var lines: [Line]
}
struct Empty: Codable, Hashable {}
enum Color: String, Codable { case red, blue }

indirect enum Step: Codable, Equatable {
  case start
  case pay(amount: Int, String)
  case nested([Step])
}

struct Widths: Codable, Equatable {
  var a: Int8 = -1, b: Int16 = -300, c: Int32 = 70_000, d: Int64 = 5_000_000_000
  var e: UInt8 = 255, f: UInt16 = 65_535, g: UInt32 = 4_000_000_000, h: UInt64 = 9, i: UInt = 8
  var j: Float = 0.5, k: Double = 0.25, l = true, m: Bool?, n: Int8?, o: Double? = 1.5
}
