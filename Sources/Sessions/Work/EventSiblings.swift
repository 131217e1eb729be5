internal import Navigation
internal import Values

/// The other pending work of the coordinator that an event is for.
struct EventSiblings {
  /// The events that a stuck one no longer keeps back, in the order of their arrival.
  let waiting: [WorkID]
  /// The time until which a stuck event keeps this one back; nil without one.
  private let blockedUntil: Timestamp?
  /// Whether the event has been tried before, so that it came before a stuck one.
  private let isKnown: Bool
  /// Whether earlier events than this one have waited for the same stuck one.
  private let hasEarlier: Bool

  /// - Parameters:
  ///   - statuses: the state of all work of the session.
  ///   - limit: the time after which a stuck event keeps no other one back.
  init(
    of work: PendingWork, _ others: [PendingWork], _ statuses: [WorkStatus], at now: Timestamp,
    setAsideAfter limit: Duration
  ) {
    let statuses = statuses.filter { status in status.error != nil }
    let own = statuses.first { $0.id == work.id }
    isKnown = own.map { !$0.isBehind && $0.hasEvent } ?? false
    let siblings = statuses.filter { status in others.contains { $0.id == status.id } }
    let blocking = siblings.filter { status in
      status.holdsOthersBack(for: limit, at: now)
        && (status.hasEvent || others.contains { $0.id == status.id && $0.effect == nil })
    }
    blockedUntil = blocking.map { ($0.wait?.since ?? now) + limit }.max()
    let ordered = siblings.filter(\.isBehind).sorted { $0.arrival < $1.arrival }
    waiting = blocking.isEmpty ? ordered.map(\.id) : []
    hasEarlier = own?.isBehind == true && ordered.contains { $0.arrival < (own?.arrival ?? $0.arrival) }
  }

  /// Returns the time until which the event has to wait for a stuck one, nil within if earlier events wait for the same;
  /// nil if it need not wait. An event at a guard delays no other, because the other one may open the guard.
  func delay(of event: BackgroundEvent) -> Timestamp?? {
    if case .dropped = event { return nil }
    if let blockedUntil, !isKnown { return .some(blockedUntil) }
    return hasEarlier ? .some(nil) : nil
  }
}

extension WorkStatus {
  /// The position in the order in which events wait.
  fileprivate var arrival: (Timestamp, WorkID) { (wait?.since ?? dueAt, id) }
}
