internal import Access
internal import Languages
internal import MicroHTTP
internal import Synchronization

/// The number of requests that a client may make.
public struct RateLimit: Sendable, Equatable {
  /// Requests per second, greater than 0.
  public let rate: Double
  /// The maximum number of requests at once, at least 1.
  public let burst: Int

  /// - Parameter burst: the maximum number of requests at once; by default the requests of five seconds, but at least
  ///   10, because a page or a client makes several requests when it starts.
  public init(rate: Double, burst: Int? = nil) {
    self.rate = rate
    self.burst = burst ?? max(10, Int(min(5 * rate, 1e9).rounded(.up)))
  }
}

/// A token bucket for each client, in a table of a fixed size.
///
/// A bucket is one number: the moment at which it is full (the generic cell rate algorithm, ITU-T I.371). A new client
/// replaces a client whose bucket is full, which loses nothing, or else the client whose bucket will be full first. An
/// attacker with many addresses thus displaces the clients with the fewest requests.
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
    /// The nanoseconds until one more request would be granted or, if one would be granted now, until a whole burst
    /// would be.
    let wait: Int64
    /// Whole seconds to wait, at least 1.
    var seconds: Int64 { max(1, (wait + 999_999_999) / 1_000_000_000) }
  }

  /// Counts a call, and throws if its client has reached the limit.
  ///
  /// A call counts against its principal, or against its address if it is anonymous. An invalid credential counts
  /// against the address on every route, also on those without a limit.
  func count(_ call: inout Call) throws(Problem) {
    guard let route = call.route, route.isRateLimited || call.principal == nil else { return }
    let verdict = take(LimitedClient(of: call))
    call.rateLimitVerdict = verdict
    guard !verdict.isGranted else { return }
    throw Problem(.rateLimited, .rateLimit, ["rate": .number(limit.rate), "burst": "\(limit.burst)"])
      .adding(header: "Retry-After", "\(verdict.seconds)")
  }

  /// Adds `RateLimit-Policy` and `RateLimit` (IETF draft draft-ietf-httpapi-ratelimit-headers), structured fields of
  /// RFC 9651 with one item each.
  func describe(_ call: Call, in response: inout Response) {
    guard let verdict = call.rateLimitVerdict else { return }
    response.headers += [
      ("RateLimit-Policy", policy),
      ("RateLimit", "\"default\";r=\(verdict.remaining);t=\(verdict.seconds)"),
    ]
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
      wait: remaining > 0 ? owed : owed + interval - tolerance)
  }

  /// A part of the table with a lock of its own.
  ///
  /// The hash of a client selects one set of slots. Its seed is random for each process, so clients cannot choose
  /// names that collide.
  private final class Shard: Sendable {
    static let ways = 8
    static let setCount = 256

    private struct Bucket {
      /// The client's hash; 0 for an empty slot.
      var key: UInt64 = 0
      /// The moment at which the bucket is full, in nanoseconds.
      var full: Int64 = .min
    }

    private let buckets = Mutex([Bucket](repeating: Bucket(), count: setCount * ways))

    /// Returns whether the request is granted, and the moment at which the client's bucket is full after it.
    func take(_ key: UInt64, interval: Int64, tolerance: Int64, at now: Int64) -> (Bool, full: Int64) {
      let first = Int(key >> 50 & UInt64(Self.setCount - 1)) * Self.ways
      return buckets.withLock { buckets in
        var slot = first
        for candidate in first..<first + Self.ways {
          if buckets[candidate].key == key {
            slot = candidate
            break
          }
          if buckets[candidate].full < buckets[slot].full { slot = candidate }
        }
        let known = buckets[slot].key == key ? buckets[slot].full : now
        let full = max(known, now) + interval
        guard full - now <= tolerance else { return (false, known) }
        buckets[slot] = Bucket(key: key, full: full)
        return (true, full)
      }
    }
  }
}
