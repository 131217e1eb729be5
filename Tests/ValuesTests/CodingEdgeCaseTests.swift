import Testing
import Values

/// Unusual types and errors of `Codable`.
@Suite struct CodingEdgeCaseTests {
  @Test func `nested containers can be filled in turn`() throws {
    let value = Interleaved(left: [1, 2, 3], right: ["x": 1, "y": 2], inner: [4])
    let encoded = try Value(encoding: [value, value])
    #expect(
      encoded.elements.map(\.description)[0] == #"{"left":[1,2,3],"right":{"x":1,"y":2},"last":true,"deep":[[4],{}]}"#)
    #expect(try Value(validating: encoded.bytes) == encoded)
    #expect(try encoded.decode([Interleaved].self) == [value, value])
  }

  @Test func `a nested container moves with the head of a map of more than 23 members`() throws {
    let encoded = try Value(encoding: ["outer": Wide()])
    #expect(try Value(validating: encoded.bytes) == encoded)
    #expect(encoded["outer"]?["nested"]?["a"]?.int == 1)
    #expect(encoded["outer"]?.count == 31)
  }

  @Test func `a class encodes its superclass in a nested map or in its own`() throws {
    let encoded = try Value(encoding: Derived(1, "x"))
    #expect(encoded.description == #"{"name":"x","super":{"id":1}}"#)
    let decoded = try encoded.decode(Derived.self)
    #expect(decoded.id == 1 && decoded.name == "x")
    #expect(try Value(encoding: Merged(2)).description == #"{"id":2,"more":3}"#)
  }

  @Test func `a single-value container adds nothing to its value`() throws {
    #expect(try Value(encoding: ["a": Wrapper(raw: Wrapper(raw: 5))]).description == #"{"a":5}"#)
    #expect(try Value(5).decode(Wrapper<Wrapper<Int>>.self).raw.raw == 5)
    #expect(try Value(encoding: Wrapper(raw: Set([2, 1]))).description == "[1,2]")
  }

  @Test func `a type that encodes nothing becomes an empty map`() throws {
    #expect(try Value(encoding: EncodingNothing()) == [:])
    #expect(try Value(encoding: [EncodingNothing()]) == [[:]])
  }

  @Test func `a duplicate key is refused`() {
    let error = #expect(throws: ValueError.self) { try Value(encoding: ["a": DuplicateKey()]) }
    #expect(error?.reason == .duplicateKey("k"))
    #expect(error?.path == [.key("a")])
  }

  @Test func `an error that a type catches leaves no bytes`() throws {
    #expect(try Value(encoding: ErrorCatching()).description == #"{"ok":1,"list":[2]}"#)
  }

  @Test func `the misuse of an encoder is refused`() {
    #expect(throws: ValueError.self) { try Value(encoding: Misuse.secondValue) }
    #expect(throws: ValueError.self) { try Value(encoding: Misuse.twoKinds) }
    #expect(throws: ValueError.self) { try Value(encoding: Misuse.outerInsideInner) }
  }

  @Test func `more than 64 levels are refused without a stack overflow`() throws {
    #expect(try Value(encoding: Chain(length: 63)).decode(Chain.self).length == 63)
    let error = #expect(throws: ValueError.self) { try Value(encoding: Chain(length: 5_000)) }
    #expect(error?.reason == .tooDeep)
  }

  @Test func `the levels of a value inside a type count as well`() throws {
    let deepest = try Value(validating: [UInt8](repeating: 0x81, count: 63) + [0xA0])
    #expect(try Value(encoding: deepest) == deepest)
    #expect(throws: ValueError.self) { try Value(encoding: [deepest]) }
    let deep = try Value(validating: [UInt8](repeating: 0x81, count: 61) + [0xA1, 0x61, 0x61, 0x80])
    #expect(try Value(validating: Value(encoding: ["a": deep]).bytes)["a"] == deep)
    #expect(throws: ValueError.self) { try Value(encoding: ["a": ["b": deep]]) }
  }

  @Test func `an error has the path to its place`() {
    let order: Value = ["id": 1, "lines": [["name": "a", "price": 1], ["name": "b", "price": "free"]]]
    let mismatch = #expect(throws: ValueError.self) { try order.decode(Order.self) }
    #expect(mismatch?.description == "lines[1].price: expected a number, found text")
    let missing = #expect(throws: ValueError.self) { try (["lines": []] as Value).decode(Order.self) }
    #expect(missing?.description == "the key \"id\" is missing")
    let color = #expect(throws: ValueError.self) {
      try (["a": ["red", "green"]] as Value).decode([String: [Color]].self)
    }
    #expect(color?.path == [.key("a"), .index(1)])
    let infinite = #expect(throws: ValueError.self) { try Value(encoding: [Line(name: "", price: .infinity)]) }
    #expect(infinite?.description == "[0].price: the number is not finite")
    let nested = #expect(throws: ValueError.self) { try Value(encoding: [Step.pay(amount: 1, "")].map(Failing.init)) }
    #expect(nested?.description == "[0].inner.deep: the number is out of the range of Int64")
    let own = #expect(throws: ValueError.self) { try (["a": 1] as Value).decode([String: Throwing].self) }
    #expect(own?.underlying is Throwing.OwnError)
  }
}

struct Key: CodingKey, ExpressibleByStringLiteral {
  var stringValue: String
  var intValue: Int? { nil }
  init(stringLiteral: String) { stringValue = stringLiteral }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

struct Interleaved: Codable, Equatable {
  var left: [Int], right: [String: Int], inner: [Int]

  init(left: [Int], right: [String: Int], inner: [Int]) { (self.left, self.right, self.inner) = (left, right, inner) }

  func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    var first = map.nestedUnkeyedContainer(forKey: "left")
    var second = map.nestedContainer(keyedBy: Key.self, forKey: "right")
    try map.encode(true, forKey: "last")
    var deep = map.nestedUnkeyedContainer(forKey: "deep")
    var deeper = deep.nestedUnkeyedContainer()
    _ = deep.nestedContainer(keyedBy: Key.self)
    var keys = right.sorted { $0.key < $1.key }[...]
    for number in left {
      try first.encode(number)
      if let next = keys.popFirst() { try second.encode(next.value, forKey: Key(stringValue: next.key)) }
    }
    for number in inner { try deeper.encode(number) }
  }

  init(from decoder: any Decoder) throws {
    let map = try decoder.container(keyedBy: Key.self)
    var list = try map.nestedUnkeyedContainer(forKey: "left")
    left = []
    while !list.isAtEnd { left.append(try list.decode(Int.self)) }
    let nested = try map.nestedContainer(keyedBy: Key.self, forKey: "right")
    right = [:]
    for key in nested.allKeys { right[key.stringValue] = try nested.decode(Int.self, forKey: key) }
    var deep = try map.nestedUnkeyedContainer(forKey: "deep")
    var deeper = try deep.nestedUnkeyedContainer()
    inner = [try deeper.decode(Int.self)]
  }
}

struct Wide: Encodable {
  func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    var nested = map.nestedContainer(keyedBy: Key.self, forKey: "nested")
    for index in 0..<30 { try map.encode(index, forKey: Key(stringValue: "key\(index)")) }
    try nested.encode(1, forKey: "a")
  }
}

class Base: Codable {
  let id: Int
  init(_ id: Int) { self.id = id }
}

final class Derived: Base {
  let name: String
  init(_ id: Int, _ name: String) {
    self.name = name
    super.init(id)
  }
  override func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    try map.encode(name, forKey: "name")
    try super.encode(to: map.superEncoder())
  }
  required init(from decoder: any Decoder) throws {
    let map = try decoder.container(keyedBy: Key.self)
    name = try map.decode(String.self, forKey: "name")
    try super.init(from: map.superDecoder())
  }
}

final class Merged: Base {
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var map = encoder.container(keyedBy: Key.self)
    try map.encode(3, forKey: "more")
  }
}

struct Wrapper<Raw: Codable>: Codable {
  var raw: Raw
  init(raw: Raw) { self.raw = raw }
  init(from decoder: any Decoder) throws { raw = try decoder.singleValueContainer().decode(Raw.self) }
  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(raw)
  }
}

struct EncodingNothing: Encodable {
  func encode(to encoder: any Encoder) throws {}
}

struct DuplicateKey: Encodable {
  func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    try map.encode(1, forKey: "k")
    try map.encode(2, forKey: "k")
  }
}

struct ErrorCatching: Encodable {
  func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    try? map.encode(Double.nan, forKey: "bad")
    try? map.encode([1, .infinity], forKey: "worse")
    try map.encode(1, forKey: "ok")
    var list = map.nestedUnkeyedContainer(forKey: "list")
    try? list.encode([UInt64.max])
    try list.encode(2)
  }
}

enum Misuse: Encodable {
  case secondValue, twoKinds, outerInsideInner

  struct Inner: Encodable {
    let outer: any Encoder
    func encode(to encoder: any Encoder) throws {
      var mine = encoder.container(keyedBy: Key.self)
      try mine.encode(1, forKey: "mine")
      var theirs = outer.container(keyedBy: Key.self)
      try theirs.encode(1, forKey: "theirs")
    }
  }

  func encode(to encoder: any Encoder) throws {
    switch self {
    case .secondValue:
      var container = encoder.singleValueContainer()
      try container.encode(1)
      try container.encode(2)
    case .twoKinds:
      _ = encoder.container(keyedBy: Key.self)
      var list = encoder.unkeyedContainer()
      try list.encode(1)
    case .outerInsideInner:
      var map = encoder.container(keyedBy: Key.self)
      try map.encode(Inner(outer: encoder), forKey: "inner")
    }
  }
}

final class Chain: Codable {
  let next: Chain?
  init(length: Int) { next = length > 0 ? Chain(length: length - 1) : nil }
  var length: Int { next.map { $0.length + 1 } ?? 0 }
}

struct Failing: Encodable {
  let step: Step
  func encode(to encoder: any Encoder) throws {
    var map = encoder.container(keyedBy: Key.self)
    var inner = map.nestedContainer(keyedBy: Key.self, forKey: "inner")
    try inner.encode(UInt64.max, forKey: "deep")
  }
}

struct Throwing: Decodable {
  struct OwnError: Error {}
  init(from decoder: any Decoder) throws { throw OwnError() }
}
