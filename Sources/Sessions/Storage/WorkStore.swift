public import Navigation
public import Values

/// The due work that a process looks for.
public struct WorkSearch: Sendable {
  /// The versions of the apps by their names. For a minute, the work of a later version is left to processes that have
  /// it.
  public let apps: [String: Int]
  /// The kind and the number of the pieces.
  public let slots: WorkSlots
  /// The time; a shared store uses the clock of its database instead.
  public let now: Timestamp
  /// The time until another process may claim the work.
  public let lease: Duration

  public init(apps: [String: Int], slots: WorkSlots, now: Timestamp, lease: Duration) {
    (self.apps, self.slots, self.now, self.lease) = (apps, slots, now, lease)
  }
}

/// The part of a store that keeps the pending work of sessions, with an index by time.
///
/// The work of a session is written together with the session, and removed when the session is replaced by one without
/// it, deleted or swept. A detached effect stays until it is over, and a compensation is due from that end on. Work is
/// claimed for a lease, and only the holder of the lease reports on it. A shared store uses the clock of its database
/// instead of `now`. `WorkContractTests`, `SignalContractTests` and `DetachedContractTests` check the contract on every
/// store.
public protocol WorkStore: Sendable {
  /// Claims work that is due, the longest due of a queue first. Claimed work is due again when its lease expires.
  func claimWork(_ search: WorkSearch) async throws(StoreError) -> [ClaimedWork]

  /// Extends a lease, which then begins now.
  ///
  /// - Returns: false, without writing, if the lease was lost or the work is gone.
  func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool

  /// Ends a lease with a report.
  ///
  /// - Returns: false, without writing, if the lease was lost or the work is gone.
  func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) async throws(StoreError) -> Bool

  /// Removes claimed work for which nothing in its session waits, unless the lease was lost.
  func discard(_ work: ClaimedWork) async throws(StoreError)

  /// Puts a signal behind those that wait for a piece of work. The work is due now if it has waited for a signal.
  func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) async throws(StoreError) -> WorkDelivery

  /// Delivers a signal to all work that waits under its key, or to none.
  func deliver(_ signal: KeyedSignal, at now: Timestamp) async throws(StoreError) -> KeyedDelivery

  /// Returns the signals that are held for a key, in the order of their arrival.
  ///
  /// Between this call and a ``deliver(_:at:)`` no signal is lost: either the signal is returned, or the delivery finds
  /// all work that was stored before the call.
  func heldSignals(for key: SignalKey, at now: Timestamp) async throws(StoreError) -> [QueuedSignal]

  /// Ends a lease, and removes the signal or the look-up of held signals that the work had when it was claimed. The work
  /// is due if it has signals then, and waits otherwise. Does nothing if the lease was lost.
  ///
  /// - Parameter held: signals that come before those that wait already, however many these are.
  func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) async throws(StoreError)

  /// Returns the state of the pending work of a session, in the order of the ids.
  func work(of session: SessionKey) async throws(StoreError) -> [WorkStatus]

  /// Makes work due now that waits after an error.
  ///
  /// - Parameter event: the encoded event that replaces the ``WorkReport/progress`` of the work; nil to keep that.
  /// - Returns: false, without writing, if there is no such work, or it has no error or a lease.
  func retry(
    _ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp
  ) async throws(StoreError) -> Bool

  /// Returns the numbers of pieces of pending work. The cost may grow with that number.
  func countWork() async throws(StoreError) -> WorkCount
}
