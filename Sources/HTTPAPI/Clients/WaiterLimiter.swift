internal import Synchronization

/// Limits the requests that wait for effects.
package final class WaiterLimiter: Sendable {
  private let limit: Int
  private let waiting = Atomic(0)

  init(_ limit: Int) { self.limit = limit }

  /// The number of waiting requests.
  package var count: Int { waiting.load(ordering: .relaxed) }

  /// Waits, unless too many requests wait already. Returns nil then.
  func wait<Result>(_ body: () async throws -> Result) async rethrows -> Result? {
    defer { waiting.subtract(1, ordering: .relaxed) }
    guard waiting.add(1, ordering: .relaxed).newValue <= limit else { return nil }
    return try await body()
  }
}
