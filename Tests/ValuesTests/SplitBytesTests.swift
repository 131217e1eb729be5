import Testing

@testable import Values

/// Large values beside the bytes that refer to them.
@Suite struct SplitBytesTests {
  private static func text(_ size: Int, _ character: String = "x") -> Value {
    Value(String(repeating: character, count: size))
  }

  /// Rows of 10 bytes each.
  private static func rows(_ count: Int) -> Value { .array((0..<count).map { Value("row \(100_000 + $0)") }) }

  /// The sizes of the blobs in a value, and the size of the rest.
  private func sizes(_ value: Value) -> (blobs: [Int], rest: Int) {
    let split = SplitBytes(Array(value.bytes), without: value.blobs)
    #expect(split.whole == Array(value.bytes) && split.count == value.size)
    #expect(split == SplitBytes(rest: split.rest, blobs: split.blobs))
    return (split.blobs.map(\.blob.bytes.count), split.rest.count)
  }

  @Test func `only a value of more than 4 KiB is a blob`() {
    #expect(sizes(Self.text(4093)) == ([], 4096))
    #expect(sizes(Self.text(4094)) == ([4097], 0))
    #expect(sizes(Value(1)) == ([], 1))
    #expect(sizes(Self.rows(900)) == ([], Self.rows(900).size) || Self.rows(900).size > 4096)
  }

  @Test func `a blob is as small a part as possible`() {
    let list = Self.rows(5000)
    let screen: Value = .object([("title", "Catalogue"), ("products", list), ("selected", 7)])
    #expect(sizes(screen).blobs == [list.size] && sizes(screen).rest == screen.size - list.size)
    let nested: Value = ["a": ["b": [1, Self.text(5000), 2], "c": Self.text(6000, "y")]]
    #expect(sizes(nested).blobs == [5003, 6003])
    #expect(nested.blobs.map { $0.blob.bytes.last } == [UInt8(ascii: "x"), UInt8(ascii: "y")])
  }

  @Test func `many small parts form one blob, with the large parts among them`() {
    #expect(sizes(Self.rows(5000)) == ([Self.rows(5000).size], 0))
    let mixed: Value = .array((0..<600).map { $0 == 300 ? Self.text(9000) : Value("row \(100_000 + $0)") })
    #expect(sizes(mixed) == ([mixed.size], 0))
    let few: Value = .array((0..<300).map { $0 == 150 ? Self.text(9000) : Value("row \(100_000 + $0)") })
    #expect(sizes(few) == ([9003], few.size - 9003))
  }

  @Test func `a value within a larger buffer has the same blobs`() throws {
    let list = Self.rows(1000)
    let part = try #require((["a": [0, list]] as Value)["a"])
    #expect(part.blobs == ([0, list] as Value).blobs)
  }

  @Test func `bytes are appended around the blobs`() {
    let value: Value = ["a": Self.text(5000), "b": 1, "c": Self.text(5000)]
    var split = SplitBytes([1, 2])
    Array(value.bytes).withUnsafeBytes { split.append($0, value.blobs) }
    [UInt8(3)].withUnsafeBytes { split.append($0) }
    Array(value.bytes).withUnsafeBytes { split.append($0, value.blobs) }
    #expect(split.whole == [1, 2] + value.bytes + [3] + value.bytes)
    #expect(split.blobs.count == 4 && split.count == split.whole.count)
  }

  @Test(arguments: [[-1], [4], [0, 0], [2, 1], [Int.max]])
  func `blobs in impossible places are refused`(offsets: [Int]) {
    let blobs = offsets.map { LocatedBlob(offset: $0, blob: Blob([7, 8])) }
    #expect(SplitBytes(rest: [1, 2, 3], blobs: blobs) == nil)
  }

  @Test func `blobs at the start, next to each other and at the end have a place`() {
    let blobs = [0, 2, 7].map { LocatedBlob(offset: $0, blob: Blob([7, 8])) }
    #expect(SplitBytes(rest: [1, 2, 3], blobs: blobs)?.whole == [7, 8, 7, 8, 1, 2, 3, 7, 8])
  }
}
