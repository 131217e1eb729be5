import Testing
import Values

/// The parts of a value.
@Suite struct ValueReadingTests {
  let sample: Value = [
    "id": 1, "big": 5_000_000_000, "low": -7, "ratio": 1.5, "ok": true, "no": .null, "tags": ["a", "b"],
  ]

  @Test func `scalars have a value of their own kind only`() {
    #expect(sample["id"]?.int == 1)
    #expect(sample["id"]?.double == 1)
    #expect(sample["id"]?.text == nil)
    #expect(sample["big"]?.int == 5_000_000_000)
    #expect(sample["low"]?.int == -7)
    #expect(sample["ratio"]?.double == 1.5)
    #expect(sample["ratio"]?.int == nil)
    #expect(sample["ok"]?.bool == true)
    #expect(sample["no"]?.isNull == true)
    #expect(sample["no"]?.bool == nil)
    #expect(sample["none"] == nil)
    #expect(sample["tags"]?["a"] == nil)
    #expect(Value("").text == "")
  }

  @Test func `elements and members keep their order and share the buffer`() {
    #expect(sample["tags"]?.elements.map(\.text) == ["a", "b"])
    #expect(sample.members.map(\.key) == ["id", "big", "low", "ratio", "ok", "no", "tags"])
    #expect(Array(sample.members)[6].value == ["a", "b"])
    #expect(Array(sample.elements).isEmpty)
    #expect(Array(Value(1).members).isEmpty)
    let whole = sample.bytes.withUnsafeBytes { $0.baseAddress! }
    let part = sample["tags"]!.bytes.withUnsafeBytes { $0.baseAddress! }
    #expect(part > whole && part < whole + sample.bytes.count)
  }

  @Test func `a value of data has at most 64 levels, and a key once`() throws {
    var value: Value = 1
    for depth in 0..<Value.maximumDepth {
      #expect(value.depth == depth)
      value = depth.isMultiple(of: 2) ? try Value(elements: [1, value]) : try Value(members: [("a", 1), ("b", value)])
    }
    let deepest = value
    #expect(throws: ValueError.self) { try Value(elements: [deepest]) }
    #expect(throws: ValueError.self) { try Value(members: [("a", deepest)]) }
    let document: Value = .object([("a", .array([deepest]))])
    #expect(document.depth == Value.maximumDepth + 2 && document["a"].map { Array($0.elements) } == [deepest])
    #expect(throws: ValueError.self) { try Value(validating: document.bytes) }
    #expect(throws: ValueError.self) { try Value(members: [("a", 1), ("a", 2)]) }
    #expect(try Value(elements: [1, "a"]) == [1, "a"])
    #expect(try Value(members: [("a", 1)]) == ["a": 1])
  }

  @Test func `every value has its kind`() {
    let kinds: [(Value, Value.Kind)] = [
      (.null, .null), (true, .boolean), (-1, .integer), (0.5, .double), ("", .text), ([], .array), ([:], .map),
    ]
    for (value, kind) in kinds { #expect(value.kind == kind) }
  }

  @Test func `equality and hash depend on the bytes alone`() {
    let cut = (["x": ["a": 1]] as Value)["x"]!
    #expect(cut == ["a": 1])
    #expect(Set([cut, ["a": 1]]).count == 1)
    #expect((["a": 1, "b": 2] as Value) != ["b": 2, "a": 1])
    #expect(Value(1) != Value(1.0))
    #expect(Value(finite: .nan) == nil)
  }
}
