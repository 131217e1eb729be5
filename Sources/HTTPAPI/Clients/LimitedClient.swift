internal import Access
internal import MicroHTTP

/// A client, as rate and stream limits count it.
enum LimitedClient: Hashable {
  case principal(String)
  case address(UInt32)
  /// The first 64 bits of an IPv6 address. A household has all addresses with that prefix (RFC 6177, section 2).
  case network(UInt64)
  /// The client of a request without a socket.
  case unknown

  init(_ address: IPAddress?) {
    guard let address else {
      self = .unknown
      return
    }
    self = address.isIPv4 ? .address(UInt32(truncatingIfNeeded: address.low)) : .network(address.high)
  }

  init(_ principal: Principal, at address: @autoclosure () -> IPAddress?) {
    self = principal.name.map { .principal($0) } ?? Self(address())
  }
}
