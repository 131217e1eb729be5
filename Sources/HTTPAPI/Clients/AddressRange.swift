public import MicroHTTP

/// An IP address, or all addresses with one prefix (CIDR, RFC 4632, section 3.1): `192.0.2.1`, `10.0.0.0/8`, `2001:db8::/32`.
public struct AddressRange: Sendable, Hashable, CustomStringConvertible {
  private let base: IPAddress
  /// The length of the prefix, in bits of an IPv6 address.
  private let length: Int

  /// Parses a range. Returns nil if the text is malformed or the address has bits behind the prefix, such as `10.0.0.1/8`, which is a
  /// typing error.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let base = IPAddress(parts[0]) else { return nil }
    let isShort = base.isIPv4 && !parts[0].utf8.contains(UInt8(ascii: ":"))
    var length = 128
    if parts.count > 1 {
      let digits = parts[1].utf8
      guard (1...3).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) }), let bits = Int(parts[1]),
        bits <= (isShort ? 32 : 128)
      else { return nil }
      length = isShort ? 96 + bits : bits
    }
    guard Self.prefix(of: base, length) == base else { return nil }
    self.base = base
    self.length = length
  }

  /// Whether the address is in the range. An IPv6 range contains no IPv4 address, even `::/0`.
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
