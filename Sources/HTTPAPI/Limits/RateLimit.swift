/// How many requests a client may make.
public struct RateLimit: Sendable, Equatable {
  /// Requests a second, over 0.
  public let rate: Double
  /// Requests that may come at once, at least 1.
  public let burst: Int

  /// - Parameter burst: nil for those of five seconds, and at least 10: a page or a client that starts makes several at once.
  public init(rate: Double, burst: Int? = nil) {
    self.rate = rate
    self.burst = burst ?? max(10, Int(min(5 * rate, 1e9).rounded(.up)))
  }
}
