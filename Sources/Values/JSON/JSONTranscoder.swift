/// The pass of ``JSONParser`` over a text: it reads JSON and writes CBOR.
struct JSONTranscoder: ~Copyable {
  let base: UnsafePointer<UInt8>
  let end: Int
  var at = 0
  var out: ByteWriter

  private let maximumDepth: Int

  init(base: UnsafePointer<UInt8>, end: Int, depth: Int) {
    self.base = base
    self.end = end
    maximumDepth = depth
    // CBOR needs more bytes than JSON only for fractional numbers and long strings.
    self.out = ByteWriter(capacity: end + 16)
  }

  mutating func run() throws(JSONError) -> Value {
    if end >= 3, base[0] == 0xEF, base[1] == 0xBB, base[2] == 0xBF { throw JSONError(.byteOrderMark, offset: 0) }
    skipSpace()
    try value(depth: 0)
    skipSpace()
    guard at == end else { throw JSONError(.trailingBytes, offset: at) }
    return Value(unchecked: out.copy())
  }

  /// Converts the value at the cursor, which lies inside `depth` containers.
  private mutating func value(depth: Int) throws(JSONError) {
    guard at < end else { throw JSONError(.truncated, offset: at) }
    switch base[at] {
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "{"): try object(depth: depth)
    case UInt8(ascii: "["): try array(depth: depth)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
    case UInt8(ascii: "t"): try keyword("true", CBOR.trueByte)
    case UInt8(ascii: "f"): try keyword("false", CBOR.falseByte)
    case UInt8(ascii: "n"): try keyword("null", CBOR.nullByte)
    default: throw JSONError(.unexpected(base[at]), offset: at)
    }
  }

  private mutating func object(depth: Int) throws(JSONError) {
    guard depth < maximumDepth else { throw JSONError(.tooDeep, offset: at) }
    let (from, head) = (at, out.count)
    var (count, filter, mayRepeat) = (0, KeyFilter(), false)
    out.append(CBOR.emptyMap)
    at &+= 1
    skipSpace()
    if at < end, base[at] == UInt8(ascii: "}") {
      at &+= 1
      return
    }
    repeat {
      skipSpace()
      guard at < end else { throw JSONError(.truncated, offset: at) }
      guard base[at] == UInt8(ascii: "\"") else { throw JSONError(.unexpected(base[at]), offset: at) }
      let size = try string()
      if filter.insert(out.start + (out.count - size), count: size) { mayRepeat = true }
      skipSpace()
      guard at < end else { throw JSONError(.truncated, offset: at) }
      guard base[at] == UInt8(ascii: ":") else { throw JSONError(.unexpected(base[at]), offset: at) }
      at &+= 1
      skipSpace()
      try value(depth: depth &+ 1)
      count &+= 1
    } while try hasAnother(until: UInt8(ascii: "}"))
    _ = out.setCount(count, ofContainerAt: head)
    if mayRepeat, let key = DuplicateKeys.first(out.start, map: head) {
      throw JSONError(.duplicateKey(key), offset: from)
    }
  }

  private mutating func array(depth: Int) throws(JSONError) {
    guard depth < maximumDepth else { throw JSONError(.tooDeep, offset: at) }
    let head = out.count
    var count = 0
    out.append(CBOR.array << 5)
    at &+= 1
    skipSpace()
    if at < end, base[at] == UInt8(ascii: "]") {
      at &+= 1
      return
    }
    repeat {
      skipSpace()
      try value(depth: depth &+ 1)
      count &+= 1
    } while try hasAnother(until: UInt8(ascii: "]"))
    _ = out.setCount(count, ofContainerAt: head)
  }

  /// Moves past a comma and returns true, or past the closing bracket and returns false.
  @inline(__always)
  private mutating func hasAnother(until close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard at < end else { throw JSONError(.truncated, offset: at) }
    let byte = base[at]
    guard byte == UInt8(ascii: ",") || byte == close else { throw JSONError(.unexpected(byte), offset: at) }
    at &+= 1
    return byte != close
  }

  private mutating func keyword(_ word: StaticString, _ byte: UInt8) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard at < end else { throw JSONError(.truncated, offset: at) }
      guard base[at] == word.utf8Start[index] else { throw JSONError(.unexpected(base[at]), offset: at) }
      at &+= 1
    }
    out.append(byte)
  }

  @inline(__always)
  mutating func skipSpace() {
    while at < end {
      let byte = base[at]
      guard byte <= 0x20, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      at &+= 1
    }
  }
}
