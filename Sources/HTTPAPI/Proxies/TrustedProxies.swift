internal import MicroHTTP

/// The proxies whose word is taken on where a request comes from: what they say in `X-Forwarded-For`, `X-Forwarded-Proto` and
/// `X-Forwarded-Host`. From anybody else these headers are anybody's invention.
///
/// `Forwarded` (RFC 7239) is not read. The others are what nginx and HAProxy are commonly told to write, and a header that they do
/// not write they hand on as the client sent it: who believes both kinds believes the client.
public struct TrustedProxies: Sendable, Equatable {
  public let ranges: [AddressRange]

  public init(_ ranges: [AddressRange]) { self.ranges = ranges }

  public static let none = TrustedProxies([])

  func trusts(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// The address of whoever sent the request: the peer, or of what a trusted peer lists the rightmost address that is no trusted
  /// proxy itself. Each proxy adds the one that it sees on the right, so what stands further left may be anything; a list that
  /// cannot be read ends there.
  func client(of request: Request) -> IPAddress? {
    guard var client = request.peer, !ranges.isEmpty, trusts(client), let list = request.header("X-Forwarded-For")
    else {
      return request.peer
    }
    for entry in list.utf8.split(separator: UInt8(ascii: ",")).reversed() {
      let entry = Substring(entry).trimmed
      if entry.isEmpty { continue }
      guard let address = Self.address(entry) else { break }
      client = address
      if !trusts(address) { break }
    }
    return client
  }

  /// `http` or `https`, by which the client reached the proxy that says so.
  func scheme(of request: Request) -> String? {
    guard isTold(of: request) else { return nil }
    let scheme = request.header("X-Forwarded-Proto").map { Self.last(of: $0).lowercased() }
    return scheme == "http" || scheme == "https" ? scheme : nil
  }

  /// The host, with its port where there is one, that the client named: as a trusted proxy says, or else in the request itself.
  func host(of request: Request) -> String? {
    toldHost(of: request) ?? request.host
  }

  /// The host that a trusted proxy says the client named; nil if none says so.
  func toldHost(of request: Request) -> String? {
    guard isTold(of: request), let told = request.header("X-Forwarded-Host").map({ Self.last(of: $0) }) else {
      return nil
    }
    return told.isEmpty ? nil : told
  }

  private func isTold(of request: Request) -> Bool { request.peer.map { !ranges.isEmpty && trusts($0) } ?? false }

  /// Where several proxies have added theirs, that of the nearest one.
  private static func last(of list: String) -> String {
    Substring(list.utf8.suffix(while: { $0 != UInt8(ascii: ",") })).trimmed.description
  }

  /// An address, which may be in brackets and have a port: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `2001:db8::1`.
  private static func address(_ entry: Substring) -> IPAddress? {
    var text = entry
    var port: Substring?
    if entry.hasPrefix("["), let end = entry.firstIndex(of: "]") {
      text = entry[entry.index(after: entry.startIndex)..<end]
      let rest = entry[entry.index(after: end)...]
      guard text.contains(":"), rest.isEmpty || rest.hasPrefix(":") else { return nil }
      if !rest.isEmpty { port = rest.dropFirst() }
    } else if let colon = entry.firstIndex(of: ":"), colon == entry.lastIndex(of: ":") {
      text = entry[..<colon]
      port = entry[entry.index(after: colon)...]
    }
    if let port { guard UInt16(port) != nil else { return nil } }
    return IPAddress(text)
  }
}

extension Collection<UInt8> where Self: BidirectionalCollection {
  /// The longest end of it whose bytes are all so.
  fileprivate func suffix(while isIn: (UInt8) -> Bool) -> SubSequence {
    var start = endIndex
    while start != startIndex, isIn(self[index(before: start)]) { formIndex(before: &start) }
    return self[start...]
  }
}

extension Substring {
  /// Without the blanks around it (RFC 9110, section 5.6.3).
  fileprivate var trimmed: Substring {
    let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let start = utf8.drop(while: isBlank)
    return Substring(
      start.prefix(upTo: start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex))
  }
}
