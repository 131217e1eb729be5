/// The heads of CBOR items (RFC 8949 section 3). The functions trust the bytes: `CBORValidator` looked at them before,
/// or this module wrote them.
enum CBOR {
  static let unsigned: UInt8 = 0
  static let negative: UInt8 = 1
  static let text: UInt8 = 3
  static let array: UInt8 = 4
  static let map: UInt8 = 5
  static let simple: UInt8 = 7

  /// A map without members, and the head that is patched when members follow.
  static let emptyMap: UInt8 = 0xA0

  static let falseByte: UInt8 = 0xF4
  static let trueByte: UInt8 = 0xF5
  static let nullByte: UInt8 = 0xF6
  static let doubleByte: UInt8 = 0xFB

  /// The first bytes of an item: its major type, the argument and where what belongs to it starts.
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

  /// Where the item at `at` ends.
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

  /// How many arrays and maps are nested in each other at most in the item at `at`, itself counted.
  static func levels(_ base: UnsafePointer<UInt8>, _ at: Int) -> Int {
    var position = at
    return levels(base, &position)
  }

  private static func levels(_ base: UnsafePointer<UInt8>, _ at: inout Int) -> Int {
    let head = head(base, at)
    guard head.major == array || head.major == map else {
      at = skip(base, at)
      return 0
    }
    at = head.next
    var deepest = 0
    for _ in 0..<(head.major == map ? head.count * 2 : head.count) { deepest = max(deepest, levels(base, &at)) }
    return deepest + 1
  }

  /// The text at `at`, without its head.
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
