internal import Languages
internal import Synchronization

/// Limits the open event streams of each client.
final class StreamLimiter: Sendable {
  private let limit: Int
  /// The open streams of each client that has any. The server's limit of streams bounds its size.
  private let counts = Mutex<[LimitedClient: Int]>([:])

  init(_ limit: Int) { self.limit = limit }

  /// Counts one more stream of a client until the returned slot is released.
  ///
  /// - Throws: a `limit-reached` problem if the client has reached the limit.
  func take(_ client: LimitedClient) throws(Problem) -> Slot {
    let isFree = counts.withLock { counts in
      let count = counts[client, default: 0]
      guard count < limit else { return false }
      counts[client] = count + 1
      return true
    }
    guard isFree else {
      throw Problem(.limitReached, .tooManyStreams, ["limit": .integer(limit)]).adding(header: "Retry-After", "10")
    }
    return Slot(of: client, in: self)
  }

  private func release(_ client: LimitedClient) {
    counts.withLock { counts in
      let count = counts[client, default: 1] - 1
      counts[client] = count == 0 ? nil : count
    }
  }

  /// One stream's share of the limit.
  final class Slot: Sendable {
    private let client: LimitedClient
    private let limiter: StreamLimiter
    private let isTaken = Atomic(true)

    fileprivate init(of client: LimitedClient, in limiter: StreamLimiter) {
      self.client = client
      self.limiter = limiter
    }

    /// Releases the slot. A second call has no effect.
    func release() {
      if isTaken.exchange(false, ordering: .relaxed) { limiter.release(client) }
    }

    deinit { release() }
  }
}
