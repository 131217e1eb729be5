/// Writing items (RFC 8949 section 3), heads in their shortest form.
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

  /// How many bytes follow the first one of a head.
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

  /// Changes the count of the array or map whose head is at `at`. Returns by how many bytes the head grew; all that
  /// follows it has moved by as much.
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
