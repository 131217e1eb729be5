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

  /// Identifies the client of a call by its principal, or by its address if it has no name or an invalid credential.
  init(of call: Call) { self = call.principal?.name.map { .principal($0) } ?? Self(call.clientAddress) }

  init(_ address: IPAddress?) {
    guard let address else {
      self = .unknown
      return
    }
    self = address.isIPv4 ? .address(UInt32(truncatingIfNeeded: address.low)) : .network(address.high)
  }
}
