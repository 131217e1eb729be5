internal import Access
internal import MicroHTTP

/// The client that a request, or an event stream, counts against.
enum LimitedClient: Hashable {
  case principal(String)
  case address(UInt32)
  /// The first 64 bits of an address of IPv6: a household has all of those that begin with them (RFC 6177, section 2).
  case network(UInt64)
  /// A request without a socket.
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
