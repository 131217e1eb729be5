import CMicroHTTPD
import Glibc

/// What the head of a request says about its body, and whether the head can be trusted at all.
///
/// The library accepts heads that a proxy in front may read differently, which is how requests are smuggled
/// (RFC 9112, section 11.2). Everything ambiguous is refused here instead.
struct RequestHead {
  /// Why the request is refused; nil for a sound one.
  private(set) var refusal: Refusal?
  /// The announced length of the body; nil when it is chunked.
  private(set) var contentLength: Int? = 0
  /// The client waits for a word before it sends the body (RFC 9110, section 10.1.1).
  private(set) var expectsContinue = false
  private(set) var names = HeaderNames()

  private var hosts = 0
  private var contentLengths = 0
  private var transferEncodings = 0
  private var layout: HeadLayout

  /// Looks at every header once. The method, target and version are those of the library's callbacks.
  init(
    connection: OpaquePointer,
    method: UnsafePointer<CChar>,
    version: UnsafePointer<CChar>,
    target: Range<UInt>?
  ) {
    layout = HeadLayout(version: version, target: target)
    withUnsafeMutablePointer(to: &self) { head in
      _ = MHD_get_connection_values_n(
        connection, .HEADER_KIND,
        { context, _, name, nameSize, value, valueSize in
          let head = context!.assumingMemoryBound(to: RequestHead.self)
          head.pointee.note(name: Field(name, nameSize), value: Field(value, valueSize))
          return head.pointee.refusal == nil ? .YES : .NO
        }, head)
    }
    guard refusal == nil else { return }
    checkRequestLine(method: method, version: version)
    if !layout.ends(at: method, size: cmhd_head_size(connection)) { refuse("The head holds hidden bytes.") }
  }

  typealias Field = UnsafeBufferPointer<UInt8>

  private mutating func note(name: Field, value: Field) {
    guard HTTPBytes.isToken(name) else { return refuse("A header name holds a byte that is not allowed.") }
    guard HTTPBytes.isFieldValue(value) else { return refuse("A header value holds a control character.") }
    guard layout.follows(name: name, value: value) else {
      return refuse("A header line is folded, hides bytes, or does not end in CR LF.")
    }
    names.insert(name)
    switch name.count {
    case 4 where HTTPBytes.equal(name, "host"):
      hosts += 1
    case 6 where HTTPBytes.equal(name, "expect"):
      expectsContinue = true
    case 14 where HTTPBytes.equal(name, "content-length"):
      contentLengths += 1
      guard let length = HTTPBytes.length(HTTPBytes.trimmed(value)) else {
        return refuse("Content-Length is not a number.")
      }
      contentLength = length
    case 17 where HTTPBytes.equal(name, "transfer-encoding"):
      transferEncodings += 1
      contentLength = nil
      // Blanks behind it are there still, and make it a coding that the library does not know.
      if !HTTPBytes.equal(value, "chunked") { refusal = .unsupportedTransferEncoding }
    default:
      break
    }
    if contentLengths + transferEncodings > 1 {
      refuse(
        transferEncodings == 0
          ? "Content-Length is repeated." : "The length of the body is given in more than one way.")
    } else if hosts > 1 {
      refuse("Host is repeated.")
    }
  }

  private mutating func checkRequestLine(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
    let methodLength = strlen(method)
    let isToken = method.withMemoryRebound(to: UInt8.self, capacity: methodLength) {
      HTTPBytes.isToken(Field(start: $0, count: methodLength))
    }
    guard isToken else { return refuse("The method holds a byte that is not allowed.") }
    guard layout.begins(with: method, length: methodLength) else {
      return refuse("The method is not followed by one blank and the target.")
    }
    let isOld = strcmp(version, "HTTP/1.0") == 0
    if hosts == 0 && !isOld { refuse("Host is missing.") }
    // RFC 9112, section 6.1: HTTP/1.0 has no transfer codings, so the framing cannot be right.
    if transferEncodings > 0 && isOld { refuse("Transfer-Encoding needs HTTP/1.1.") }
  }

  private mutating func refuse(_ detail: String) {
    refusal = .badRequest(detail: detail)
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate init(_ text: UnsafePointer<CChar>?, _ size: Int) {
    self.init(start: UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self), count: text == nil ? 0 : size)
  }
}

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
