internal import Access
internal import MicroHTTP
internal import Synchronization

/// Limits the open event streams of each client.
final class StreamLimiter: Sendable {
  private let limit: Int
  /// The open streams of each client that has any. The server's limit of streams bounds its size.
  private let counts = Mutex<[LimitedClient: Int]>([:])

  init(_ limit: Int) { self.limit = limit }

  /// Counts one more stream of a client until the returned place is released.
  ///
  /// - Throws: a `limit-reached` problem if the client has reached the limit.
  func take(_ client: LimitedClient) throws(Problem) -> Place {
    let isFree = counts.withLock { counts in
      let count = counts[client, default: 0]
      guard count < limit else { return false }
      counts[client] = count + 1
      return true
    }
    guard isFree else {
      throw Problem(
        .limitReached, "The client has reached the limit of \(limit) event streams (--max-streams-per-client)."
      ).adding(header: "Retry-After", "10")
    }
    return Place(of: client, in: self)
  }

  private func release(_ client: LimitedClient) {
    counts.withLock { counts in
      let count = counts[client, default: 1] - 1
      counts[client] = count == 0 ? nil : count
    }
  }

  /// One stream's share of the limit.
  final class Place: Sendable {
    private let client: LimitedClient
    private let limiter: StreamLimiter
    private let isTaken = Atomic(true)

    fileprivate init(of client: LimitedClient, in limiter: StreamLimiter) {
      self.client = client
      self.limiter = limiter
    }

    /// Releases the place. A second call has no effect.
    func release() {
      if isTaken.exchange(false, ordering: .relaxed) { limiter.release(client) }
    }

    deinit { release() }
  }
}

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
