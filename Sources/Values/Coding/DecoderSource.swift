#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The bytes that a decoder and its containers read, by position in the buffer of the root. It takes two words.
struct DecoderSource {
  let root: Value

  @inline(__always)
  func head(at: Int) -> CBOR.Head {
    root.withBase { CBOR.head($0, at) }
  }

  @inline(__always)
  func skip(_ at: Int) -> Int {
    root.withBase { CBOR.skip($0, at) }
  }

  @inline(__always)
  func isNull(at: Int) -> Bool {
    root.withBase { $0[at] == CBOR.nullByte }
  }

  /// Returns the item at `at` as a value that shares the buffer.
  func value(at: Int) -> Value {
    Value(unchecked: root.storage, start: at, end: skip(at))
  }

  /// Decodes the item at `at`, and the most common types without their `init(from:)`.
  @inline(__always)
  func item<Item: Decodable>(_ type: Item.Type, at: Int) throws -> Item {
    if Item.self == String.self { return unsafeBitCast(try text(at: at), to: Item.self) }
    if Item.self == Int.self { return unsafeBitCast(try integer(at: at, as: Int.self), to: Item.self) }
    if Item.self == Bool.self { return unsafeBitCast(try boolean(at: at), to: Item.self) }
    if Item.self == Value.self { return unsafeBitCast(value(at: at), to: Item.self) }
    if Item.self == Date.self { return unsafeBitCast(try date(at: at), to: Item.self) }
    return try Item(from: ItemDecoder(source: self, start: at))
  }

  @inline(__always)
  func boolean(at: Int) throws -> Bool {
    let byte = root.withBase { $0[at] }
    guard byte == CBOR.trueByte || byte == CBOR.falseByte else { throw mismatch("a boolean", at: at) }
    return byte == CBOR.trueByte
  }

  @inline(__always)
  func text(at: Int) throws -> String {
    let head = head(at: at)
    guard head.major == CBOR.text else { throw mismatch("text", at: at) }
    return root.withBase { base in
      String(decoding: UnsafeBufferPointer(start: base + head.next, count: head.count), as: UTF8.self)
    }
  }

  @inline(__always)
  func integer<Number: FixedWidthInteger>(at: Int, as type: Number.Type) throws -> Number {
    let head = head(at: at)
    guard head.major <= CBOR.negative else { throw mismatch("an integer", at: at) }
    let bits = Int64(bitPattern: head.argument)
    guard let number = Number(exactly: head.major == CBOR.negative ? ~bits : bits) else {
      throw ValueError(.outOfRange("\(type)"), path: path(to: at))
    }
    return number
  }

  func double(at: Int) throws -> Double {
    let head = head(at: at)
    switch head.major {
    case CBOR.unsigned: return Double(head.argument)
    case CBOR.negative: return Double(~Int64(bitPattern: head.argument))
    default:
      guard root.withBase({ $0[at] }) == CBOR.doubleByte else { throw mismatch("a number", at: at) }
      return Double(bitPattern: head.argument)
    }
  }

  func float(at: Int) throws -> Float {
    let number = Float(try double(at: at))
    guard number.isFinite else { throw ValueError(.outOfRange("Float"), path: path(to: at)) }
    return number
  }

  @inline(never)
  func date(at: Int) throws -> Date {
    guard head(at: at).major == CBOR.text, let seconds = RFC3339.secondsSince1970(try text(at: at)) else {
      throw mismatch("a date", at: at)
    }
    return Date(timeIntervalSince1970: seconds)
  }
}

extension DecoderSource {
  func mismatch(_ expected: String, at: Int) -> ValueError {
    ValueError(.mismatch(expected: expected, found: value(at: at).kind.phrase), path: path(to: at))
  }

  func codingPath(to position: Int) -> [any CodingKey] {
    path(to: position).map(PathKey.init)
  }

  /// Returns the path from the root to the item at `position`, by a walk from the root. Decoding itself keeps no path.
  func path(to position: Int) -> [ValueError.Step] {
    var path: [ValueError.Step] = []
    var at = Int(root.start)
    while at < position {
      let head = head(at: at)
      let isMap = head.major == CBOR.map
      guard isMap || head.major == CBOR.array else { return path }
      var next = head.next
      for index in 0..<head.count {
        let key = next
        let item = isMap ? skip(key) : key
        next = skip(item)
        guard next > position || index == head.count - 1 else { continue }
        path.append(isMap ? .key(root.withBase { CBOR.string($0, key) }) : .index(index))
        at = item
        break
      }
      if at < head.next { return path }
    }
    return path
  }
}

extension Value.Kind {
  var phrase: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .double: "a fractional number"
    case .text: "text"
    case .array: "an array"
    case .map: "a map"
    }
  }
}

/// The coding key of a step of a path.
struct PathKey: CodingKey {
  static let `super` = PathKey(.key("super"))

  let step: ValueError.Step

  init(_ step: ValueError.Step) { self.step = step }
  init?(stringValue: String) { self.step = .key(stringValue) }
  init?(intValue: Int) { self.step = .index(intValue) }

  var stringValue: String {
    switch step {
    case .key(let key): key
    case .index(let index): "Index \(index)"
    }
  }

  var intValue: Int? { if case .index(let index) = step { index } else { nil } }
}

extension ValueError.Step {
  init(_ key: any CodingKey) {
    self = key.intValue.map { .index($0) } ?? .key(key.stringValue)
  }
}
