internal import Foundation

/// The random walks of a run of the tests.
package enum RandomWalks {
  private static let environment = ProcessInfo.processInfo.environment
  /// The seed of all walks; `WALK_SEED` repeats a run.
  package static let seed = environment["WALK_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999_999)
  /// The number of steps of all walks of a test together; `script/test` sets `WALK_STEPS`.
  package static let steps = environment["WALK_STEPS"].flatMap { Int($0) } ?? 20_000
}
