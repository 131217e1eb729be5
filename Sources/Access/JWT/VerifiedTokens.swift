internal import Synchronization

/// Whose the tokens are that were verified with one set of keys, so that a signature is not verified at every request.
final class VerifiedTokens: Sendable {
  private let capacity: Int
  private let known = Mutex<[TokenDigest: (principal: Principal, end: Double)]>([:])

  init(capacity: Int = 4096) { self.capacity = capacity }

  /// - Parameter now: seconds since 1970.
  func principal(of token: TokenDigest, now: Double) -> Principal? {
    known.withLock { known in known[token].flatMap { now < $0.end ? $0.principal : nil } }
  }

  /// - Parameters:
  ///   - end: when it expires.
  ///   - now: when others have.
  func keep(_ token: TokenDigest, of principal: Principal, until end: Double, now: Double) {
    known.withLock { known in
      if known.count >= capacity { known = known.filter { now < $0.value.end } }
      // Tokens are verified again in the time that it takes to find out which one to forget.
      if known.count >= capacity { known = [:] }
      known[token] = (principal, end)
    }
  }

  var count: Int { known.withLock { $0.count } }
}
