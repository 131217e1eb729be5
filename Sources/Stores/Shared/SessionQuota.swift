internal import Sessions
internal import Synchronization

/// How many sessions live in a store that may hold so many at once.
final class SessionQuota: Sendable {
  /// Nil where there is no limit; then the count means nothing.
  let limit: Int?
  private let count: Atomic<Int>

  init(limit: Int?, count: Int = 0) {
    self.limit = limit
    self.count = Atomic(count)
  }

  /// Takes the place of a session that is about to be made.
  func claim() throws(StoreError) {
    guard let limit, count.wrappingAdd(1, ordering: .relaxed).newValue > limit else { return }
    giveBack(1)
    throw .full(limit: limit)
  }

  /// Frees the places of sessions that have ended or were not made.
  func giveBack(_ places: Int) { count.wrappingSubtract(places, ordering: .relaxed) }

  /// Corrects the count, where others make sessions too.
  func set(_ count: Int) { self.count.store(count, ordering: .relaxed) }
}
