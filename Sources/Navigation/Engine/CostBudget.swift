internal import Synchronization

/// The cost that the expressions of one view, or of one handler, have left together.
///
/// Each expression has a limit of its own, but a view has any number of them.
package final class CostBudget: Sendable {
  /// The cost of ten expressions that reach their own limits.
  package static let limit = 1_000_000

  /// The budget of the view that the task is drawing; nil outside of a view.
  @TaskLocal package static var ofView: CostBudget?

  private let spent = Atomic<Int>(0)

  package init() {}

  /// The cost that is left, at least 0.
  package var remaining: Int { max(0, Self.limit - spent.load(ordering: .relaxed)) }

  package func spend(_ cost: Int) { spent.wrappingAdd(cost, ordering: .relaxed) }
}
