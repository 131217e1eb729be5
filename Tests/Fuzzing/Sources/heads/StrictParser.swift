@testable import MicroHTTP

/// A plain parser of the requests of a connection according to RFC 9112, independent of the code under test. It stops
/// at the first request that is malformed, incomplete, or the last of its connection.
struct StrictParser {
  private var rest: ArraySlice<UInt8>
  private var isLast = false
  /// Whether the connection has contained bytes that the library may accept or refuse, such as an ambiguous line
  /// ending.
  private var isOdd = false

  static func requests(in bytes: [UInt8]) -> [WireRequest] {
    var parser = StrictParser(rest: bytes[...])
    var requests: [WireRequest] = []
    while !parser.isLast, let request = parser.request() { requests.append(request) }
    return requests
  }

  private mutating func request() -> WireRequest? {
    // A server should ignore empty lines before a request (section 2.2). For the library, they may end in a bare LF or
    // begin with a NUL byte. Release 1.0 refuses them.
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
    // The library refuses blanks after a length, and ignores a coding with blanks after it.
    let isPlain = !isOdd && start - rest.count < 2000 && fields.count < 20 && !fields.contains { $0.isPadded }
    return WireRequest(method: method, target: target, body: body, isPlain: isPlain)
  }

  /// Consumes a line and its CR LF. Returns nil for a line with invalid bytes.
  ///
  /// The library overwrites CR and LF with NUL bytes, so that it treats a NUL byte before the LF like a CR. It also
  /// overwrites a colon at the start of a line, so that it treats a single colon before the LF like a CR, and a bare LF
  /// with a colon after it like CR LF. At the end of a head, NUL CR LF LF and NUL NUL LF LF look like CR LF CR LF. All
  /// of these take as many bytes as the line endings that they stand for, and hide no text.
  private mutating func line() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 10), end > rest.startIndex else { return nil }
    let headEnd = rest[..<end].dropLast(2).endIndex
    if [[0, 13, 10, 10], [0, 0, 10, 10]].contains(rest[headEnd...].prefix(4)) {
      defer { (rest, isOdd) = ([13, 10] + rest[(end + 2)...], true) }
      return plain(rest[..<headEnd])
    }
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

  /// Returns the line, or nil if it contains a control character.
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
      buffer.withMemoryRebound(to: CChar.self) { RequestTarget($0.baseAddress!, length: buffer.count - 1)?.path }
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

  /// Returns the body, or nil if its length is ambiguous or it is incomplete. Also checks that the request has one
  /// host.
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
      // Only an extension may follow blanks (section 7.1.1).
      let suffix = line.dropFirst(digits.count).drop { $0 == 0x20 || $0 == 9 }
      // Release 1.0 refuses extensions, and blanks without one.
      isOdd = isOdd || line.count > digits.count
      guard suffix.isEmpty || suffix.first == UInt8(ascii: ";"), !digits.contains(UInt8(ascii: "+")),
        !digits.contains(UInt8(ascii: "-")),
        let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size <= rest.count
      else { return nil }
      guard size > 0 else {
        // The connection ends, because the library may end the trailers too early.
        isLast = true
        return trailers() ? body : nil
      }
      body += take(size)
      guard let end = chunkLine(), end.isEmpty else { return nil }
    }
    return nil
  }

  /// Consumes a line of the chunked coding, in which the library accepts a bare LF.
  private mutating func chunkLine() -> ArraySlice<UInt8>? {
    guard let end = rest.firstIndex(of: 10) else { return nil }
    let line = rest[..<end]
    rest = rest[(end + 1)...]
    isOdd = isOdd || line.last != 13
    return line.last == 13 ? line.dropLast() : line
  }

  /// Consumes the trailers. The library takes a line that begins with a colon or a NUL byte for the last one.
  private mutating func trailers() -> Bool {
    while let line = chunkLine() {
      if line.isEmpty { return true }
      isOdd = true
      if line.first == UInt8(ascii: ":") || line.first == 0 { return true }
    }
    return false
  }
}

/// The parts of a request that a handler sees.
struct WireRequest: Equatable, CustomStringConvertible {
  let method: String
  let target: String
  let body: [UInt8]
  /// Whether the head is far from every limit of a server.
  var isPlain = false

  static func == (one: WireRequest, other: WireRequest) -> Bool {
    one.method == other.method && one.target == other.target && one.body == other.body
  }

  var description: String { "\(method) \(target) \(String(decoding: body, as: UTF8.self).debugDescription)" }
}
