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
