import CMicroHTTPD
import Glibc

/// An IPv4 or IPv6 address.
///
/// An IPv4 address equals its IPv4-mapped IPv6 form, which a socket that listens on both families reports (RFC 4291,
/// section 2.5.5.2).
public struct IPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The first eight bytes of the IPv6 form, in network byte order.
  public let high: UInt64
  /// The last eight bytes of the IPv6 form, in network byte order.
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses an address such as `192.0.2.1`, `2001:db8::1` or `::ffff:192.0.2.1`. Returns nil for anything else,
  /// including zones and shortened forms of IPv4.
  public init?(_ text: some StringProtocol) {
    guard text.utf8.count < Int(INET6_ADDRSTRLEN), !text.utf8.contains(0) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 16)
    if text.utf8.contains(UInt8(ascii: ":")) {
      guard text.withCString({ inet_pton(AF_INET6, $0, &bytes) }) == 1 else { return nil }
      self.init(bytes)
    } else {
      guard text.withCString({ inet_pton(AF_INET, $0, &bytes) }) == 1 else { return nil }
      self.init(high: 0, low: bytes[..<4].reduce(0xFFFF) { $0 << 8 | UInt64($1) })
    }
  }

  /// The address of a connection's client; nil if it has none.
  init?(peerOf connection: OpaquePointer) {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard cmhd_peer_address(connection, &bytes) else { return nil }
    self.init(bytes)
  }

  private init(_ bytes: [UInt8]) {
    self.init(high: bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }, low: bytes[8...].reduce(0) { $0 << 8 | UInt64($1) })
  }

  public var isIPv4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// The canonical text (RFC 5952).
  public var description: String {
    var bytes = [high, low].flatMap { word in (1...8).map { UInt8(truncatingIfNeeded: word >> UInt64(64 - 8 * $0)) } }
    if isIPv4 { return bytes[12...].map { "\($0)" }.joined(separator: ".") }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    guard inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count)) != nil else { return "::" }
    return text.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }
}
