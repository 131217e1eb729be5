internal import Synchronization

/// Counts what clients ask for, each against a bucket that fills again by itself.
///
/// A bucket is one number: the moment at which it is full (the generic cell rate algorithm, ITU-T I.371). Buckets lie in a table of
/// a fixed size. Where a place is wanted for another client, one whose bucket is full loses nothing; if there is none, the one that
/// is full first is given up, so that whoever comes with many addresses takes the places of those that asked for least.
final class RateLimiter: Sendable {
  private let limit: RateLimit
  /// Nanoseconds that one request takes to be earned, and that all of a burst does.
  private let interval: Int64
  private let tolerance: Int64
  private let start = ContinuousClock.now
  /// What `RateLimit-Policy` says: the burst, and the seconds in which it is earned.
  let policy: String
  private let shards: [Shard]

  /// Buckets that there can be: of 16 bytes each.
  static let capacity = shardCount * Shard.setCount * Shard.ways
  private static let shardCount = 64
  /// Nanoseconds that a burst takes to be earned at most: thirty years.
  private static let longest = 1e18

  init(_ limit: RateLimit) {
    self.limit = limit
    interval = max(1, Int64(min(1e9 / limit.rate, Self.longest / Double(limit.burst)).rounded()))
    tolerance = interval * Int64(limit.burst)
    policy = "\"default\";q=\(limit.burst);w=\((tolerance + 999_999_999) / 1_000_000_000)"
    shards = (0..<Self.shardCount).map { _ in Shard() }
  }

  /// What became of a request.
  struct Verdict {
    let isGranted: Bool
    /// Requests that would be granted now.
    let remaining: Int
    /// Nanoseconds until one more is, where none would be now; otherwise until all of a burst would be.
    let wait: Int64
    let limit: RateLimit
  }

  /// Counts a request of a client, unless it is refused.
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

  /// A part of the table with a lock of its own, which is held for the length of one step. A client has one of few places, found by
  /// the hash of its name: the seed of that is the process's own, so nobody can choose names that share them.
  private final class Shard: Sendable {
    static let ways = 8
    static let setCount = 256

    private struct Bucket {
      /// 0 for none.
      var key: UInt64 = 0
      /// The moment at which it is full.
      var full: Int64 = .min
    }

    private let buckets = Mutex([Bucket](repeating: Bucket(), count: setCount * ways))

    /// Whether the request is granted, and when the client's bucket is full after it.
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
