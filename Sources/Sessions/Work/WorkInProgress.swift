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
  func places(_ limit: Int) -> Int {
    let free = limit + eventPlaces - works.count
    return free >= group ? free : 0
  }

  /// The number of free places with which the next work is claimed: an eighth of the places for events, because a claim
  /// for each event would cost more than the event. The claim, the look-up of the sessions, the events and the commit of
  /// several groups go on at the same time. An effect takes longer than a claim.
  private var group: Int { begun.effects > begun.events ? 1 : max(1, eventPlaces / 8) }

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
      eventPlaces = min(2 * max(eventPlaces, begun.events), eventLimit)
    }
    begun = (0, 0)
  }

  /// Notes that a claimed piece of work has turned out to be an event or an effect.
  mutating func begin(isEvent: Bool) {
    if isEvent { begun.events += 1 } else { begun.effects += 1 }
  }

  /// Removes finished work. Returns whether more should be claimed now.
  mutating func remove(_ work: ClaimedWork, _ limit: Int) -> Bool {
    works[work.lease] = nil
    let free = limit + eventPlaces - works.count
    return group == 1 ? free <= 1 : free == group
  }
}
