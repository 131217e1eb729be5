import CMicroHTTPD

/// Checks that the strings which the library made of a head lie one after the other, as they were received.
///
/// Releases 0.9.75 and 0.9.76 parse in place, so each header name starts two bytes, once CR LF and zeros now, behind the value before it.
/// Where it does not, a NUL byte cut a string short, a line was folded into the name before, or a line ended in a
/// bare LF: heads that a proxy in front may read differently, and that cannot be told from sound ones otherwise.
struct HeadLayout {
  private let target: Range<UInt>?
  private var expected: UInt
  private var isIntact: Bool
  private let isKnown = HeadLayout.isKnown

  /// Release 1.0 refuses such heads itself. Any other one may keep its strings elsewhere, so nothing is checked.
  private static let isKnown = HTTPLibrary.current.lineChecks == .service

  /// - Parameter target: the addresses of the target in the request line.
  init(version: UnsafePointer<CChar>, target: Range<UInt>?) {
    self.target = target
    expected = UInt(bitPattern: version) + 10  // "HTTP/1.1" CR LF
    isIntact = target.map { $0.upperBound + 1 } == UInt(bitPattern: version) && Self.isLineEnd(version + 8)
  }

  /// Whether one blank, and nothing else, lies between the method and the target.
  func begins(with method: UnsafePointer<CChar>, length: Int) -> Bool {
    !isKnown || target?.lowerBound == UInt(bitPattern: method) + UInt(length) + 1
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
    return Self.isLineEnd(valueStart + value.count)
  }

  /// Whether the head, which starts with the method, ends with the empty line behind the last header.
  func ends(at method: UnsafePointer<CChar>, size: Int) -> Bool {
    guard isKnown else { return true }
    guard isIntact, UInt(bitPattern: method) + UInt(size) == expected + 2,
      let end = UnsafePointer<UInt8>(bitPattern: expected)
    else { return false }
    return Self.isLineEnd(end)
  }

  /// Whether both bytes were made zeros: behind a byte that was one before there may be anything, such as the last of a line that ends
  /// in a bare LF. The library makes one of a colon, too, at the start of a line, which it takes for the last of the head.
  private static func isLineEnd<Byte: FixedWidthInteger>(_ place: UnsafePointer<Byte>) -> Bool {
    !isKnown || place[0] == 0 && place[1] == 0
  }
}
