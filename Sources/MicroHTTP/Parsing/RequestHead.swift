import CMicroHTTPD
import Glibc

/// The validated head of a request, with its announcements about the body.
///
/// The library accepts heads that a proxy in front may read differently, which allows request smuggling (RFC 9112,
/// section 11.2). This type refuses every ambiguous head.
struct RequestHead {
  /// The reason to refuse the request; nil for a valid head.
  private(set) var refusal: Refusal?
  /// The announced length of the body; nil for a chunked body.
  private(set) var contentLength: Int? = 0
  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1).
  private(set) var expectsContinue = false
  private(set) var names = HeaderNameFilter()

  private var hosts = 0
  private var contentLengths = 0
  private var transferEncodings = 0
  private var layout: HeadLayout

  /// Visits every header once. The method, the target and the version are those of the library's callbacks.
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
          head.pointee.visit(name: HTTPSyntax.Bytes(name, nameSize), value: HTTPSyntax.Bytes(value, valueSize))
          return head.pointee.refusal == nil ? .YES : .NO
        }, head)
    }
    guard refusal == nil else { return }
    validateRequestLine(method: method, version: version)
    if !layout.ends(at: method, size: cmhd_head_size(connection)) { refuse("The head contains hidden bytes.") }
  }

  private mutating func visit(name: HTTPSyntax.Bytes, value: HTTPSyntax.Bytes) {
    guard HTTPSyntax.isToken(name) else { return refuse("A header name contains an invalid character.") }
    guard HTTPSyntax.isFieldValue(value) else { return refuse("A header value contains a control character.") }
    guard layout.follows(name: name, value: value) else {
      return refuse("A header line is folded, contains hidden bytes, or does not end in CR LF.")
    }
    names.insert(name)
    switch name.count {
    case 4 where HTTPSyntax.equal(name, "host"):
      hosts += 1
    case 6 where HTTPSyntax.equal(name, "expect"):
      expectsContinue = true
    case 14 where HTTPSyntax.equal(name, "content-length"):
      contentLengths += 1
      guard let length = HTTPSyntax.length(HTTPSyntax.trimmed(value)) else {
        return refuse("Content-Length is not a number.")
      }
      contentLength = length
    case 17 where HTTPSyntax.equal(name, "transfer-encoding"):
      transferEncodings += 1
      contentLength = nil
      // The library keeps trailing blanks, and does not recognize a coding that has them.
      if !HTTPSyntax.equal(value, "chunked") { refusal = .unsupportedTransferEncoding }
    default:
      break
    }
    if contentLengths + transferEncodings > 1 {
      refuse(
        transferEncodings == 0
          ? "Content-Length is repeated." : "The request specifies the length of its body in more than one way.")
    } else if hosts > 1 {
      refuse("Host is repeated.")
    }
  }

  private mutating func validateRequestLine(method: UnsafePointer<CChar>, version: UnsafePointer<CChar>) {
    let methodLength = strlen(method)
    let isToken = method.withMemoryRebound(to: UInt8.self, capacity: methodLength) {
      HTTPSyntax.isToken(HTTPSyntax.Bytes(start: $0, count: methodLength))
    }
    guard isToken else { return refuse("The method contains an invalid character.") }
    guard layout.begins(with: method, length: methodLength) else {
      return refuse("The method and the target are not separated by exactly one blank.")
    }
    let isHTTP10 = strcmp(version, "HTTP/1.0") == 0
    if hosts == 0 && !isHTTP10 { refuse("Host is missing.") }
    // RFC 9112, section 6.1: HTTP/1.0 has no transfer codings, so the framing must be faulty.
    if transferEncodings > 0 && isHTTP10 { refuse("Transfer-Encoding requires HTTP/1.1.") }
  }

  private mutating func refuse(_ detail: String) {
    refusal = .badRequest(detail: detail)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Creates the bytes of a text of the library; nil is an empty text.
  init(_ text: UnsafePointer<CChar>?, _ size: Int) {
    self.init(start: UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self), count: text == nil ? 0 : size)
  }
}

/// A check that the strings of a head are contiguous in the library's memory, as they were received.
///
/// Releases 0.9.75 and 0.9.76 parse in place. Each header name starts two bytes after the previous value: at the
/// position of CR LF, which the library has replaced by zeros. At a different position, a NUL byte has cut a string
/// short, a line was folded into the previous name, or a line ended in a bare LF. A proxy in front may read such a head
/// differently, and no other check can detect it.
struct HeadLayout {
  private let target: Range<UInt>?
  private var expected: UInt
  private var isIntact: Bool
  private let isKnown = HeadLayout.isKnown

  /// Release 1.0 refuses such heads itself. Other releases may keep their strings elsewhere, so the check is off.
  private static let isKnown = HTTPLibrary.current.lineChecks == .service

  /// - Parameter target: the addresses of the target in the request line.
  init(version: UnsafePointer<CChar>, target: Range<UInt>?) {
    self.target = target
    expected = UInt(bitPattern: version) + 10  // "HTTP/1.1" CR LF
    isIntact = target.map { $0.upperBound + 1 } == UInt(bitPattern: version) && Self.isLineEnd(version + 8)
  }

  /// Returns whether the method and the target are separated by exactly one blank.
  func begins(with method: UnsafePointer<CChar>, length: Int) -> Bool {
    !isKnown || target?.lowerBound == UInt(bitPattern: method) + UInt(length) + 1
  }

  /// Returns whether this header directly follows the previous one.
  mutating func follows(name: HTTPSyntax.Bytes, value: HTTPSyntax.Bytes) -> Bool {
    guard isKnown else { return true }
    guard let nameStart = name.baseAddress, let valueStart = value.baseAddress, isIntact,
      UInt(bitPattern: nameStart) == expected
    else { return false }
    // Only a colon and blanks may separate the name from its value. A name at the expected position has its value on the
    // same line.
    let gap = nameStart + name.count + 1
    guard valueStart >= gap, UnsafeBufferPointer(start: gap, count: valueStart - gap).allSatisfy(HTTPSyntax.isBlank)
    else { return false }
    expected = UInt(bitPattern: valueStart) + UInt(value.count) + 2
    return Self.isLineEnd(valueStart + value.count)
  }

  /// Returns whether the head, which starts with the method, ends with the empty line after the last header.
  func ends(at method: UnsafePointer<CChar>, size: Int) -> Bool {
    guard isKnown else { return true }
    guard isIntact, UInt(bitPattern: method) + UInt(size) == expected + 2,
      let end = UnsafePointer<UInt8>(bitPattern: expected)
    else { return false }
    return Self.isLineEnd(end)
  }

  /// Returns whether both bytes are zeros.
  ///
  /// A zero may stand for one byte alone, as at the end of a line with a bare LF, and any byte may follow it. The
  /// library also replaces a colon at the start of a line, which it takes for the last line of the head.
  private static func isLineEnd<Byte: FixedWidthInteger>(_ bytes: UnsafePointer<Byte>) -> Bool {
    !isKnown || bytes[0] == 0 && bytes[1] == 0
  }
}
