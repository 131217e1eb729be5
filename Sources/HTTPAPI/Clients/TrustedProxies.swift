public import MicroHTTP
internal import Values

/// The proxies whose `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` the service trusts. Other clients
/// can invent these headers.
///
/// The service ignores `Forwarded` (RFC 7239). nginx and HAProxy are commonly configured to write only the other three,
/// and forward `Forwarded` as the client sent it: a service that reads both kinds trusts the client.
public struct TrustedProxies: Sendable, Equatable {
  public let ranges: [AddressRange]

  public init(_ ranges: [AddressRange]) { self.ranges = ranges }

  public static let none = TrustedProxies([])

  func trusts(_ address: IPAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// Returns the address of the client: the peer or, behind a trusted peer, the rightmost address in
  /// `X-Forwarded-For` that is not a trusted proxy.
  ///
  /// Each proxy appends the address that it sees, so that a client can invent only addresses further left. A malformed
  /// element ends the list.
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

  /// Returns the scheme, `http` or `https`, by which the client reached a trusted proxy; nil if no proxy forwards it.
  func scheme(of request: Request) -> String? {
    let scheme = forwarded("X-Forwarded-Proto", of: request)?.lowercased()
    return scheme == "http" || scheme == "https" ? scheme : nil
  }

  /// Returns the host that a trusted proxy forwards, or else the host of the request, with its port if there is one.
  func host(of request: Request) -> String? {
    forwardedHost(of: request) ?? request.host
  }

  /// Returns the host that a trusted proxy forwards; nil if there is none.
  func forwardedHost(of request: Request) -> String? {
    let host = forwarded("X-Forwarded-Host", of: request)
    return host?.isEmpty == true ? nil : host
  }

  /// Returns the last element of a header, which the nearest proxy has appended; nil if no trusted proxy sends it.
  private func forwarded(_ header: StaticString, of request: Request) -> String? {
    guard let peer = request.peer, trusts(peer), let list = request.header(header) else { return nil }
    let comma = list.utf8.lastIndex(of: UInt8(ascii: ","))
    return list[(comma.map { list.utf8.index(after: $0) } ?? list.startIndex)...].trimmed.description
  }

  /// Parses an address with or without brackets and port: `192.0.2.1:4711`, `[2001:db8::1]:4711`, `2001:db8::1`.
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

/// An IP address, or all addresses with one prefix (CIDR, RFC 4632, section 3.1): `192.0.2.1`, `10.0.0.0/8`,
/// `2001:db8::/32`.
public struct AddressRange: Sendable, Hashable, LosslessStringConvertible {
  private let base: IPAddress
  /// The length of the prefix, in bits of an IPv6 address.
  private let length: Int

  /// Parses a range. Returns nil if the text is malformed or the address has bits behind the prefix, such as
  /// `10.0.0.1/8`, which is a typing mistake.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = IPAddress(parts[0]) else { return nil }
    let isShort = base.isIPv4 && !parts[0].utf8.contains(UInt8(ascii: ":"))
    var length = 128
    if parts.count > 1 {
      guard (1...3).contains(parts[1].utf8.count), let bits = Int(digits: parts[1]), bits <= (isShort ? 32 : 128)
      else { return nil }
      length = isShort ? 96 + bits : bits
    }
    guard Self.prefix(of: base, length) == base else { return nil }
    self.base = base
    self.length = length
  }

  /// Returns whether the address is in the range. An IPv6 range contains no IPv4 address, even `::/0`.
  public func contains(_ address: IPAddress) -> Bool {
    isIPv4 == address.isIPv4 && Self.prefix(of: address, length) == base
  }

  private var isIPv4: Bool { base.isIPv4 && length >= 96 }

  private static func prefix(of address: IPAddress, _ length: Int) -> IPAddress {
    // A shift by the full width yields zero.
    IPAddress(
      high: address.high & ~(UInt64.max >> UInt64(min(length, 64))),
      low: address.low & ~(UInt64.max >> UInt64(max(length - 64, 0))))
  }

  public var description: String {
    if length == 128 { return "\(base)" }
    return isIPv4 ? "\(base)/\(length - 96)" : "\(base)/\(length)"
  }
}
