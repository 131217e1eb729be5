/// The work that a runner has claimed and not finished.
struct WorkInProgress {
  /// The maximum number of effects.
  let effectLimit: Int
  /// The maximum number of effects of one queue.
  let queueLimit: Int
  /// The maximum number of events. Many events share a commit, and each waits for nothing outside.
  let eventLimit = 1024

  /// By lease, with the time before the claim.
  private var works: [Int64: (work: ClaimedWork, since: ContinuousClock.Instant)] = [:]
  private var counts: [WorkQueue: Int] = [:]
  /// The events of a session that wait for the one in progress, in the order of their claims; a session without events
  /// in progress has none.
  private var queues: [SessionKey: [ClaimedWork]] = [:]

  init(effectLimit: Int, queueLimit: Int) {
    self.effectLimit = effectLimit
    self.queueLimit = queueLimit
  }

  var all: [ClaimedWork] { works.values.map(\.work) }
  var count: Int { works.count }
  private var eventCount: Int { counts[.events] ?? 0 }
  private var effectCount: Int { works.count - eventCount }

  /// The number of free slots with which the next events are claimed, because a claim for each event would cost more
  /// than the event. The claim, the look-up of the sessions, the events and the commit of several groups go on at the
  /// same time.
  private var eventGroup: Int { eventLimit / 4 }

  /// The slots for the next events; nil if there are too few.
  var eventSlots: WorkSlots? {
    let free = eventLimit - eventCount
    return free >= eventGroup ? .events(free) : nil
  }

  /// The slots for the next effects; nil if there are none.
  var effectSlots: WorkSlots? {
    let free = effectLimit - effectCount
    let taken = counts.filter { $0.key != .events }
    return free > 0 ? .effects(free, ofQueue: queueLimit, taken: taken) : nil
  }

  mutating func add(_ claimed: [ClaimedWork], since: ContinuousClock.Instant) {
    for work in claimed {
      works[work.lease] = (work, since)
      counts[work.queue, default: 0] += 1
    }
  }

  /// Returns the time since the work was claimed or earlier.
  func age(of work: ClaimedWork) -> Duration { works[work.lease].map { .now - $0.since } ?? .zero }

  /// Puts an event behind those of its session that are in progress. Returns false if there are none: then the caller
  /// performs it now, and those that ``next(of:)`` returns afterwards.
  mutating func enqueue(_ event: ClaimedWork) -> Bool {
    guard queues[event.session]?.append(event) == nil else { return true }
    queues[event.session] = []
    return false
  }

  /// Returns the next event of a session; nil if there is none, and no event is in progress any more.
  mutating func next(of session: SessionKey) -> ClaimedWork? {
    guard queues[session]?.isEmpty == false else {
      queues[session] = nil
      return nil
    }
    return queues[session]?.removeFirst()
  }

  /// Removes finished work. Returns whether more should be claimed now.
  mutating func remove(_ work: ClaimedWork) -> Bool {
    guard works.removeValue(forKey: work.lease) != nil, let count = counts[work.queue] else { return false }
    counts[work.queue] = count > 1 ? count - 1 : nil
    if work.queue == .events { return eventLimit - eventCount == eventGroup }
    return count == queueLimit || effectCount == effectLimit - 1
  }
}
