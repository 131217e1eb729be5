/// The structure of CBOR items (RFC 8949, section 3).
///
/// The functions trust the bytes: ``CBORValidator`` has validated them, or this module has written them.
enum CBOR {
  static let unsigned: UInt8 = 0
  static let negative: UInt8 = 1
  static let text: UInt8 = 3
  static let array: UInt8 = 4
  static let map: UInt8 = 5
  static let simple: UInt8 = 7

  /// A map without members, and the head of a map whose count follows later.
  static let emptyMap: UInt8 = 0xA0

  static let falseByte: UInt8 = 0xF4
  static let trueByte: UInt8 = 0xF5
  static let nullByte: UInt8 = 0xF6
  static let doubleByte: UInt8 = 0xFB

  /// The first bytes of an item: the major type, the argument, and the position after them.
  struct Head {
    var major: UInt8
    var argument: UInt64
    var next: Int

    /// The argument as a length or count.
    var count: Int {
      @inline(__always) get { Int(truncatingIfNeeded: argument) }
    }
  }

  @inline(__always)
  static func head(_ base: UnsafePointer<UInt8>, _ at: Int) -> Head {
    let first = base[at]
    let info = first & 31
    if info < 24 { return Head(major: first >> 5, argument: UInt64(info), next: at &+ 1) }
    return longHead(base, at)
  }

  @inline(never)
  static func longHead(_ base: UnsafePointer<UInt8>, _ at: Int) -> Head {
    let size = 1 << Int(base[at] & 3)
    var argument: UInt64 = 0
    for offset in 1...size { argument = argument << 8 | UInt64(base[at &+ offset]) }
    return Head(major: base[at] >> 5, argument: argument, next: at &+ 1 &+ size)
  }

  /// Returns the end of the item at `at`.
  static func skip(_ base: UnsafePointer<UInt8>, _ at: Int) -> Int {
    var at = at
    var pending = 1
    while pending > 0 {
      let head = head(base, at)
      at = head.next
      pending &-= 1
      switch head.major {
      case text: at &+= head.count
      case array: pending &+= head.count
      case map: pending &+= head.count &* 2
      default: break
      }
    }
    return at
  }

  /// Returns the depth of the arrays and maps in the item at `at`; 0 for a scalar.
  static func depth(_ base: UnsafePointer<UInt8>, _ at: Int) -> Int {
    var position = at
    return depth(base, &position)
  }

  private static func depth(_ base: UnsafePointer<UInt8>, _ at: inout Int) -> Int {
    let head = head(base, at)
    guard head.major == array || head.major == map else {
      at = skip(base, at)
      return 0
    }
    at = head.next
    var deepest = 0
    for _ in 0..<(head.major == map ? head.count * 2 : head.count) { deepest = max(deepest, depth(base, &at)) }
    return deepest + 1
  }

  /// Returns the bytes of the text at `at`.
  @inline(__always)
  static func textBytes(_ base: UnsafePointer<UInt8>, _ at: Int) -> UnsafeBufferPointer<UInt8> {
    let head = head(base, at)
    return UnsafeBufferPointer(start: base + head.next, count: head.count)
  }

  @inline(__always)
  static func string(_ base: UnsafePointer<UInt8>, _ at: Int) -> String {
    String(decoding: textBytes(base, at), as: UTF8.self)
  }
}

/// Writing items (RFC 8949, section 3), with heads in their shortest form.
extension ByteWriter {
  var isEmptyMap: Bool { length == 1 && base.unsafelyUnwrapped[0] == CBOR.emptyMap }

  @inline(__always)
  mutating func head(_ major: UInt8, _ argument: UInt64) {
    if argument < 24 { return append(major << 5 | UInt8(truncatingIfNeeded: argument)) }
    if argument < 0x100 {
      let target = reserve(2)
      target[0] = major << 5 | 24
      target[1] = UInt8(truncatingIfNeeded: argument)
      length &+= 2
      return
    }
    longHead(major, argument)
  }

  @inline(never)
  private mutating func longHead(_ major: UInt8, _ argument: UInt64) {
    let extra = Self.extraHeadBytes(argument)
    _ = reserve(9)
    put(major, argument, extra: extra, at: length)
    length += 1 + extra
  }

  /// Returns the number of bytes of a head after its first.
  private static func extraHeadBytes(_ argument: UInt64) -> Int {
    argument < 24 ? 0 : argument <= 0xFF ? 1 : argument <= 0xFFFF ? 2 : argument <= 0xFFFF_FFFF ? 4 : 8
  }

  private func put(_ major: UInt8, _ argument: UInt64, extra: Int, at: Int) {
    let target = base.unsafelyUnwrapped + at
    if extra == 0 {
      target[0] = major << 5 | UInt8(truncatingIfNeeded: argument)
      return
    }
    target[0] = major << 5 | UInt8(24 + extra.trailingZeroBitCount)
    for offset in 0..<extra {
      target[extra - offset] = UInt8(truncatingIfNeeded: argument >> UInt64(offset * 8))
    }
  }

  /// Changes the count of the array or map at `at`. Returns the bytes by which its head grew, and everything after it
  /// moved.
  @inline(__always)
  mutating func setCount(_ count: Int, ofContainerAt at: Int) -> Int {
    if count < 24 {
      self[at] = self[at] & 0xE0 | UInt8(truncatingIfNeeded: count)
      return 0
    }
    return setLongCount(count, ofContainerAt: at)
  }

  @inline(never)
  private mutating func setLongCount(_ count: Int, ofContainerAt at: Int) -> Int {
    let old = CBOR.head(start, at)
    let extra = Self.extraHeadBytes(UInt64(count))
    let growth = at + 1 + extra - old.next
    if growth > 0 { insertGap(of: growth, at: old.next) }
    put(old.major, UInt64(count), extra: extra, at: at)
    return growth
  }

  @inline(__always)
  mutating func integer(_ number: Int64) {
    if number >= 0 {
      head(CBOR.unsigned, UInt64(bitPattern: number))
    } else {
      head(CBOR.negative, UInt64(bitPattern: ~number))
    }
  }

  mutating func double(_ number: Double) {
    let target = UnsafeMutableRawPointer(reserve(9))
    target.storeBytes(of: CBOR.doubleByte, as: UInt8.self)
    target.storeBytes(of: number.bitPattern.bigEndian, toByteOffset: 1, as: UInt64.self)
    length &+= 9
  }

  @inline(__always)
  mutating func boolean(_ flag: Bool) {
    append(flag ? CBOR.trueByte : CBOR.falseByte)
  }

  mutating func text(_ text: String) {
    var text = text
    text.withUTF8 { self.text($0.baseAddress, count: $0.count) }
  }

  @inline(__always)
  mutating func text(_ bytes: UnsafePointer<UInt8>?, count: Int) {
    head(CBOR.text, UInt64(truncatingIfNeeded: count))
    append(bytes, count: count)
  }
}
