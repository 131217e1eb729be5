/// The work that a runner has claimed and not finished.
struct WorkInProgress {
  /// By lease.
  private(set) var works: [Int64: ClaimedWork] = [:]
  /// The number of events that may be in progress beyond the limit for effects.
  ///
  /// It doubles while claims find as much as they ask for, because a commit for each 64 events would take half of the
  /// time of many timers.
  private var eventPlaces = 0
  /// The number of events that have begun since the last claim.
  private var newEvents = 0

  /// Returns the number of pieces to claim now.
  ///
  /// - Parameter limit: the maximum number of effects in progress.
  func places(_ limit: Int) -> Int { limit + eventPlaces - works.count }

  /// Adds claimed work.
  ///
  /// - Parameters:
  ///   - places: the number of pieces that the claim has asked for.
  ///   - eventLimit: the maximum number of events beyond the limit for effects.
  mutating func add(_ claimed: [ClaimedWork], of places: Int, eventLimit: Int) {
    for work in claimed { works[work.lease] = work }
    eventPlaces = claimed.count < places ? 0 : min(max(eventPlaces, 2 * newEvents), eventLimit)
    newEvents = 0
  }

  /// Notes that a claimed piece of work is an event.
  mutating func beginEvent() { newEvents += 1 }

  /// Removes finished work. Returns whether more should be claimed now: the first place for an effect is free, or half
  /// of the places, so that the next events are claimed while the others are applied.
  mutating func remove(_ work: ClaimedWork, _ limit: Int) -> Bool {
    works[work.lease] = nil
    return works.count == (limit + eventPlaces) / 2 || eventPlaces == 0 && works.count + 1 >= limit
  }
}
