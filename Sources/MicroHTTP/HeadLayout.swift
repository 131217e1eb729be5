import CMicroHTTPD

/// Checks that the strings which the library made of a head lie one after the other, as they were received.
///
/// Release 0.9.75 parses in place, so each header name starts two bytes, once CR LF, behind the value before it.
/// Where it does not, a NUL byte cut a string short, a line was folded into the name before, or a line ended in a
/// bare LF: heads that a proxy in front may read differently, and that cannot be told from sound ones otherwise.
struct HeadLayout {
  private var expected: UInt
  private var isIntact: Bool
  private let isKnown = HeadLayout.isKnown

  /// Other releases may keep their strings elsewhere; then nothing is checked.
  private static let isKnown = String(cString: MHD_get_version()) == "0.9.75"

  init(version: UnsafePointer<CChar>, targetEnd: UnsafePointer<CChar>?) {
    expected = UInt(bitPattern: version) + 10  // "HTTP/1.1" CR LF
    isIntact = UInt(bitPattern: targetEnd) + 1 == UInt(bitPattern: version)
  }

  /// Whether this header stands right behind the one before.
  mutating func follows(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Bool {
    guard isKnown else { return true }
    guard let nameStart = name.baseAddress, let valueStart = value.baseAddress, isIntact,
      UInt(bitPattern: nameStart) == expected
    else { return false }
    // Colon, then blanks only. A name that is where it belongs has its value in the same line.
    let gap = nameStart + name.count + 1
    guard valueStart >= gap, UnsafeBufferPointer(start: gap, count: valueStart - gap).allSatisfy(HTTPBytes.isBlank)
    else { return false }
    expected = UInt(bitPattern: valueStart) + UInt(value.count) + 2
    return true
  }

  /// Whether the head, which starts with the method, ends with the empty line behind the last header.
  func ends(at method: UnsafePointer<CChar>, size: Int) -> Bool {
    !isKnown || (isIntact && UInt(bitPattern: method) + UInt(size) == expected + 2)
  }
}
