/// The work of a compilation that may grow faster than the files: the visits of walks over the commands and coordinators
/// that run and start each other, and the types to which each schema leads.
///
/// A count is a better limit than a clock: a flow that compiles on one machine compiles on every other.
final class WorkBudget {
  /// The maximum number of visits. A file of 1 MiB without unusual chains needs less than a fifth of them.
  static let limit = 2_000_000

  private let limit: Int
  private(set) var visitCount = 0

  init(limit: Int = WorkBudget.limit) { self.limit = limit }

  var isExceeded: Bool { visitCount > limit }

  /// Counts visits. Returns whether the walk may go on.
  func visit(_ count: Int = 1) -> Bool {
    visitCount += count
    return !isExceeded
  }
}
