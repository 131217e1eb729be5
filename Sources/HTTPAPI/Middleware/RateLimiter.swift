internal import Synchronization

/// A token bucket for each client, in a table of a fixed size.
///
/// A bucket is one number: the moment at which it is full (the generic cell rate algorithm, ITU-T I.371). A new client replaces a client
/// whose bucket is full, which loses nothing, or else the client whose bucket is full first. An attacker with many addresses thus
/// displaces the clients with the fewest requests.
final class RateLimiter: Sendable {
  private let limit: RateLimit
  /// The nanoseconds in which a bucket earns one request.
  private let interval: Int64
  /// The nanoseconds in which a bucket earns a whole burst.
  private let tolerance: Int64
  private let start = ContinuousClock.now
  /// The value of `RateLimit-Policy`: the burst, and the seconds in which a bucket earns it.
  let policy: String
  private let shards: [Shard]

  /// The number of buckets, of 16 bytes each.
  static let capacity = shardCount * Shard.setCount * Shard.ways
  private static let shardCount = 64
  /// The maximum of ``tolerance`` in nanoseconds: thirty years.
  private static let longest = 1e18

  init(_ limit: RateLimit) {
    self.limit = limit
    interval = max(1, Int64(min(1e9 / limit.rate, Self.longest / Double(limit.burst)).rounded()))
    tolerance = interval * Int64(limit.burst)
    policy = "\"default\";q=\(limit.burst);w=\((tolerance + 999_999_999) / 1_000_000_000)"
    shards = (0..<Self.shardCount).map { _ in Shard() }
  }

  /// The decision about one request.
  struct Verdict {
    let isGranted: Bool
    /// The number of requests that would be granted now.
    let remaining: Int
    /// The nanoseconds until one more request would be granted or, if one would be granted now, until a whole burst would be.
    let wait: Int64
    let limit: RateLimit
  }

  /// Decides about a request of a client, and counts it if it is granted.
  func take(_ client: LimitedClient, at now: ContinuousClock.Instant = .now) -> Verdict {
    let (seconds, attoseconds) = start.duration(to: now).components
    let now = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    let key = UInt64(bitPattern: Int64(client.hashValue)) | 1
    let shard = shards[Int(key >> 58)]
    let (isGranted, full) = shard.take(key, interval: interval, tolerance: tolerance, at: now)
    let owed = full - now
    let remaining = max(0, (tolerance - owed) / interval)
    return Verdict(
      isGranted: isGranted, remaining: Int(remaining),
      wait: remaining > 0 ? owed : owed + interval - tolerance, limit: limit)
  }

  /// A part of the table with a lock of its own.
  ///
  /// The hash of a client selects one set of places. Its seed is random for each process, so clients cannot choose names that
  /// collide.
  private final class Shard: Sendable {
    static let ways = 8
    static let setCount = 256

    private struct Bucket {
      /// The client's hash; 0 for an empty place.
      var key: UInt64 = 0
      /// The moment at which the bucket is full, in nanoseconds.
      var full: Int64 = .min
    }

    private let buckets = Mutex([Bucket](repeating: Bucket(), count: setCount * ways))

    /// Returns whether the request is granted, and the moment at which the client's bucket is full after it.
    func take(_ key: UInt64, interval: Int64, tolerance: Int64, at now: Int64) -> (Bool, full: Int64) {
      let first = Int(key >> 50 & UInt64(Self.setCount - 1)) * Self.ways
      return buckets.withLock { buckets in
        var place = first
        for candidate in first..<first + Self.ways {
          if buckets[candidate].key == key {
            place = candidate
            break
          }
          if buckets[candidate].full < buckets[place].full { place = candidate }
        }
        let known = buckets[place].key == key ? buckets[place].full : now
        let full = max(known, now) + interval
        guard full - now <= tolerance else { return (false, known) }
        buckets[place] = Bucket(key: key, full: full)
        return (true, full)
      }
    }
  }
}
