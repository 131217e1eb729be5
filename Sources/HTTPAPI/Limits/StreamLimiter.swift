internal import MicroHTTP
internal import Synchronization

/// Counts the event streams that each client has open.
final class StreamLimiter: Sendable {
  private let limit: Int
  /// Clients without a stream are not in it, so it is no larger than the server's limit of streams.
  private let counts = Mutex<[LimitedClient: Int]>([:])

  init(_ limit: Int) { self.limit = limit }

  /// Counts one more stream of a client, until the place is released.
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
      )
      .adding(header: "Retry-After", "10")
    }
    return Place(of: client, in: self)
  }

  private func release(_ client: LimitedClient) {
    counts.withLock { counts in
      let count = counts[client, default: 1] - 1
      counts[client] = count == 0 ? nil : count
    }
  }

  /// A stream that counts against the limit.
  final class Place: Sendable {
    private let client: LimitedClient
    private let limiter: StreamLimiter
    private let isTaken = Atomic(true)

    fileprivate init(of client: LimitedClient, in limiter: StreamLimiter) {
      self.client = client
      self.limiter = limiter
    }

    /// Gives the place back; calling it again does nothing.
    func release() {
      if isTaken.exchange(false, ordering: .relaxed) { limiter.release(client) }
    }

    deinit { release() }
  }
}
