public import Navigation
public import Sessions
internal import Synchronization
public import Values

/// The pending work, which ends with the process.
extension MemoryStore {
  public func claimWork(_ search: WorkSearch) -> [ClaimedWork] { workTable.withLock { $0.claim(search) } }

  public func renew(_ lease: Duration, of work: ClaimedWork, at now: Timestamp) -> Bool {
    workTable.withLock { $0.change(work) { row in row.dueAt = now + lease } }
  }

  public func report(_ report: WorkReport, on work: ClaimedWork, at now: Timestamp) -> Bool {
    workTable.withLock { table in
      table.change(work) { row in
        (row.lease, row.claims, row.attempts) = (0, 0, report.attempts)
        row.progress = report.progress ?? row.progress
        if WorkProgress.isEvent(report.progress) { row.queue = .events }
        (row.error, row.wait) = (report.storedError, report.wait)
        row.dueAt = report.pause.map { now + $0 } ?? .never
      }
    }
  }

  public func discard(_ work: ClaimedWork) {
    let key = WorkTable.Key(session: work.session, id: work.id)
    workTable.withLock { table in if table.rows[key]?.lease == work.lease { table.remove(key) } }
  }

  public func deliver(
    _ signal: QueuedSignal, to work: WorkID, of session: SessionKey, at now: Timestamp
  ) -> WorkDelivery {
    workTable.withLock { table in
      let key = WorkTable.Key(session: session, id: work)
      guard let row = table.rows[key], row.waitsForSignals else { return .missing }
      if row.has(signal) { return .repeated }
      guard !row.isFull else { return .full }
      table.append(signal, to: key, at: now)
      return .delivered
    }
  }

  public func deliver(_ keyed: KeyedSignal, at now: Timestamp) -> KeyedDelivery {
    workTable.withLock { table in
      if let count = table.signals.receivers(of: keyed, at: now) { return .repeated(count) }
      let receivers = table.waiting[keyed.key] ?? []
      guard receivers.count <= KeyedSignal.receiverLimit else { return .tooMany }
      guard receivers.allSatisfy({ table.rows[$0]?.isFull != true }) else { return .full }
      guard table.signals.insert(keyed, receivers.count, at: now) else { return .full }
      for key in receivers where table.rows[key]?.has(keyed.signal) == false {
        table.append(keyed.signal, to: key, at: now)
      }
      return .delivered(receivers.count)
    }
  }

  public func heldSignals(for key: SignalKey, at now: Timestamp) -> [QueuedSignal] {
    workTable.withLock { $0.signals.held(for: key, at: now) }
  }

  public func settle(_ work: ClaimedWork, adding held: [QueuedSignal], at now: Timestamp) {
    workTable.withLock { table in
      _ = table.change(work) { $0.settle(removesFirst: work.progress != nil, adding: held, dueAt: now) }
    }
  }

  public func work(of session: SessionKey) -> [WorkStatus] {
    guard case .live(let stored) = load(session), let work = stored.work else { return [] }
    return workTable.withLock { table in
      work.map(\.id).sorted().compactMap { id in
        table.rows[WorkTable.Key(session: session, id: id)].map { row in
          WorkStatus(
            id: id, attempts: row.attempts, error: row.error, dueAt: row.dueAt, progress: row.firstProgress,
            wait: row.wait)
        }
      }
    }
  }

  public func retry(_ work: WorkID, of session: SessionKey, with event: [UInt8]?, at now: Timestamp) -> Bool {
    workTable.withLock { table in
      table.change(WorkTable.Key(session: session, id: work), where: { $0.lease == 0 && $0.error != nil }) { row in
        if let event { (row.progress, row.queue) = (event, .events) }
        (row.claims, row.dueAt) = (0, now)
      }
    }
  }

  public func countWork() -> WorkCount {
    workTable.withLock { table in
      let pending = table.rows.values.lazy.map(\.dueAt).filter { $0 != .never }
      return WorkCount(
        pending: pending.count, stuck: table.rows.values.count(where: \.isStuck),
        blocked: table.rows.values.count { $0.wait?.reason == .blockedForLong },
        heldSignals: table.signals.heldCount, dueSince: pending.filter { $0 >= WorkCount.earliest }.min())
    }
  }
}
