/// The work that a runner has claimed and not finished.
struct WorkInProgress {
  /// By lease.
  private(set) var works: [Int64: ClaimedWork] = [:]
  /// The number of pieces that may be in progress beyond the limit for effects.
  ///
  /// It doubles while claims find as many events as they ask for, because a commit for each 64 events would take half of
  /// the time of many timers.
  private(set) var eventPlaces = 0
  /// The numbers of events and effects that have begun since the last claim.
  private var begun = (events: 0, effects: 0)

  /// Returns the number of pieces to claim now.
  ///
  /// - Parameter limit: the maximum number of effects in progress.
  func places(_ limit: Int) -> Int { limit + eventPlaces - works.count }

  /// Adds claimed work.
  ///
  /// - Parameters:
  ///   - places: the number of pieces that the claim has asked for.
  ///   - eventLimit: the maximum of ``eventPlaces``.
  mutating func add(_ claimed: [ClaimedWork], of places: Int, eventLimit: Int) {
    for work in claimed { works[work.lease] = work }
    if claimed.count < places {
      eventPlaces = 0
    } else if begun.effects > begun.events {
      eventPlaces /= 2
    } else {
      eventPlaces = min(max(eventPlaces, 2 * begun.events), eventLimit)
    }
    begun = (0, 0)
  }

  /// Notes that a claimed piece of work has turned out to be an event or an effect.
  mutating func begin(isEvent: Bool) {
    if isEvent { begun.events += 1 } else { begun.effects += 1 }
  }

  /// Removes finished work. Returns whether more should be claimed now: the first place for an effect is free, or half
  /// of the places, so that the next events are claimed while the others are applied.
  mutating func remove(_ work: ClaimedWork, _ limit: Int) -> Bool {
    works[work.lease] = nil
    return works.count == (limit + eventPlaces) / 2 || eventPlaces == 0 && works.count + 1 >= limit
  }
}
