@testable import MicroHTTP

/// Reads the requests of a connection as RFC 9112 has them, in the plainest way and without the code that is to be checked.
/// It stops at the first that is not sound, is incomplete, or is the last of its connection.
struct StrictReader {
  private var rest: ArraySlice<UInt8>
  private var isLast = false
  /// Whether a line ended in what cannot be told from CR LF, which need not be accepted.
  private var isOdd = false

  static func requests(in bytes: [UInt8]) -> [WireRequest] {
    var reader = StrictReader(rest: bytes[...])
    var requests: [WireRequest] = []
    while !reader.isLast, let request = reader.request() { requests.append(request) }
    return requests
  }

  private mutating func request() -> WireRequest? {
    // Empty lines before a request are to be ignored (section 2.2); to the library they may end in a bare LF, or begin with a zero.
    // Release 1.0 refuses them.
    while let first = rest.first, first == 10 || first == 0 || first == 13 && rest.dropFirst().first == 10 {
      rest = rest.drop { $0 != 10 }.dropFirst()
      isOdd = true
    }
    let start = rest.count
    guard let line = line()?.split(separator: 0x20, omittingEmptySubsequences: false), line.count == 3,
      let method = token(line[0]), let target = target(line[1]), target != "*" || method == "OPTIONS"
    else { return nil }
    let version = String(decoding: line[2], as: UTF8.self)
    guard version.hasPrefix("HTTP/1."), version.utf8.count == 8, ("0"..."9").contains(version.last!) else { return nil }
    guard let fields = fields(), let body = body(fields, isOld: version == "HTTP/1.0") else { return nil }
    let options = fields.filter { $0.name == "connection" }.flatMap { field in
      field.value.lowercased().split { ", \t".contains($0) }
    }
    isLast = isLast || options.contains("close") || version == "HTTP/1.0" && !options.contains("keep-alive")
    // The library refuses blanks behind a length, and does not read them behind a coding.
    let isPlain = !isOdd && start - rest.count < 2000 && fields.count < 20 && !fields.contains { $0.isPadded }
    return WireRequest(method: method, target: target, body: body, isPlain: isPlain)
  }

  /// Up to the next CR LF, without it; nil where a byte before it is no part of a line. The library puts zeros in the place of both,
  /// so that a zero before the LF cannot be told from a CR; and of a colon at the start of a line, so that one alone before the LF
  /// cannot either, and that a bare LF and a colon cannot be told from CR LF.
  private mutating func line() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 10), end > rest.startIndex else { return nil }
    let isColon = end - rest.startIndex == 1 && rest[end - 1] == UInt8(ascii: ":")
    if !isColon, rest[end - 1] != 13, rest[end - 1] != 0, rest[(end + 1)...].first == UInt8(ascii: ":") {
      defer { (rest, isOdd) = (rest[(end + 2)...], true) }
      return plain(rest[..<end])
    }
    guard isColon || rest[end - 1] == 13 || rest[end - 1] == 0 else { return nil }
    isOdd = isOdd || isColon || rest[end - 1] == 0
    let line = rest[rest.startIndex..<(end - 1)]
    rest = rest[(end + 1)...]
    return plain(line)
  }

  /// Nil where there is a control character in it.
  private func plain(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    line.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 9 } ? line : nil
  }

  private func token(_ bytes: ArraySlice<UInt8>) -> String? {
    let others = Array("!#$%&'*+-.^_`|~".utf8)
    let isToken = bytes.allSatisfy { byte in
      others.contains(byte) || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    return isToken && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
  }

  private func target(_ bytes: ArraySlice<UInt8>) -> String? {
    let text = Array(bytes) + [0]
    return text.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { RequestTarget.parse($0.baseAddress!, length: buffer.count - 1) }
    }
  }

  private typealias Field = (name: String, value: String, isPadded: Bool)

  private mutating func fields() -> [Field]? {
    var fields: [Field] = []
    while let line = line() {
      if line.isEmpty { return fields }
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")), let name = token(line[..<colon]) else { return nil }
      let value = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 9 }
      let end = value.lastIndex { $0 != 0x20 && $0 != 9 } ?? value.startIndex - 1
      fields.append((name.lowercased(), String(decoding: value[...end], as: UTF8.self), end + 1 < value.endIndex))
    }
    return nil
  }

  /// Nil where the length is told in no or more than one way, or the body is not there.
  private mutating func body(_ fields: [Field], isOld: Bool) -> [UInt8]? {
    let hosts = fields.count { $0.name == "host" }
    guard hosts == 1 || isOld && hosts == 0 else { return nil }
    let lengths = fields.filter { $0.name == "content-length" }.map(\.value)
    let codings = fields.filter { $0.name == "transfer-encoding" }.map { $0.value.lowercased() }
    guard lengths.count + codings.count <= 1 else { return nil }
    if let coding = codings.first { return coding == "chunked" && !isOld ? chunks() : nil }
    guard let length = lengths.first else { return [] }
    guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(length),
      count <= rest.count
    else { return nil }
    return take(count)
  }

  private mutating func take(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  private mutating func chunks() -> [UInt8]? {
    var body: [UInt8] = []
    while let line = chunkLine() {
      let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 9 }
      // After blanks there may be an extension, and nothing else (section 7.1.1).
      let behind = line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 9 }
      // Release 1.0 refuses extensions, and blanks in their place.
      isOdd = isOdd || line.count > digits.count
      guard behind.isEmpty || behind.first == UInt8(ascii: ";"), !digits.contains(UInt8(ascii: "+")),
        !digits.contains(UInt8(ascii: "-")),
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size <= rest.count
      else { return nil }
      guard size > 0 else { return trailers() ? body : nil }
      body += take(size)
      guard let end = chunkLine(), end.isEmpty else { return nil }
    }
    return nil
  }

  /// A bare LF is enough in the framing of chunks, where the library has it so.
  private mutating func chunkLine() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 10) else { return nil }
    let line = rest[..<end]
    rest = rest[(end + 1)...]
    isOdd = isOdd || line.last != 13
    return line.last == 13 ? line.dropLast() : line
  }

  /// Nobody reads them. The connection ends with them, because the library takes a line with a colon or a NUL byte at its start for the last.
  private mutating func trailers() -> Bool {
    while let line = chunkLine() {
      if line.isEmpty { return true }
      isLast = true
      isOdd = true
      if line.first == UInt8(ascii: ":") || line.first == 0 { return true }
    }
    return false
  }
}
