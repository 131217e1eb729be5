import Foundation
import Navigation
import Values

@testable import Sessions
@testable import Stores

extension Timestamp {
  /// The system's time. A shared store compares due times with the clock of its database, which no test can set.
  static var current: Timestamp { TimeSource.system.now() }
}

extension ScheduledWork {
  /// An effect that is due after so many milliseconds, or has been for so many.
  init(_ id: UInt32, in milliseconds: Int64 = -1, queue: String = "pay") {
    self.init(
      id: WorkID(id), dueAt: Timestamp(milliseconds: Timestamp.current.milliseconds + milliseconds),
      queue: WorkQueue(name: queue))
  }

  /// A timer that is due after so many milliseconds, or has been for so many.
  static func timer(_ id: UInt32, in milliseconds: Int64 = -1) -> ScheduledWork {
    ScheduledWork(id, in: milliseconds, queue: WorkQueue.events.name)
  }

  /// Work that waits for signals at an address, under a key if there is one.
  static func waiting(_ id: UInt32, at address: UInt32 = 1, for key: String? = nil) -> ScheduledWork {
    ScheduledWork(
      id: WorkID(id), dueAt: key == nil ? .never : Timestamp(milliseconds: 0), address: address,
      key: key.map { SignalKey($0, of: "paid", in: "shop") })
  }
}

extension StoredSession {
  /// A session with pending work. No app can read its navigation.
  static func pending(
    _ work: ScheduledWork..., app: String = "shop", lifetime: Int64 = 3600
  ) -> StoredSession {
    let now = Timestamp.current
    let entry = JournalEntry(
      revision: 1, at: now, kind: .back, name: "back", input: .emptyObject, screen: "home")
    return StoredSession(
      key: SessionKey(.random()), app: app, createdAt: now, expiresAt: now + lifetime, locale: nil, revision: 1,
      navigation: .packed(SplitBytes([1])), journal: Journal(entry), work: work)
  }

  /// A copy with the same version.
  convenience init(
    copying other: StoredSession, owner: SessionOwner? = nil, work: [ScheduledWork]? = nil,
    detached: [ScheduledWork] = []
  ) {
    self.init(
      key: other.key, owner: owner ?? other.owner, app: other.app, createdAt: other.createdAt,
      expiresAt: other.expiresAt, locale: other.locale, timeZone: other.timeZone, revision: other.revision,
      version: other.version,
      navigation: other.navigation, journal: other.journal, commits: other.commits, outcomes: other.outcomes,
      writeAccess: other.writeAccess, work: work ?? other.work, detached: detached)
  }

  /// The session's successor with other work.
  func advanced(_ work: ScheduledWork...) -> StoredSession { advanced(work: work) }

  func advanced(work: [ScheduledWork]?) -> StoredSession {
    StoredSession(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt, locale: locale, timeZone: timeZone,
      revision: revision + 1, version: version.next(), navigation: navigation, journal: journal, commits: commits,
      outcomes: outcomes, writeAccess: writeAccess, work: work)
  }
}

extension WorkCount {
  /// Without the time, which depends on the clock.
  var counts: WorkCount { WorkCount(pending: pending, stuck: stuck, heldSignals: heldSignals) }
}

extension SessionStore {
  /// Claims due events and effects of the app `shop`, unless other apps are named.
  func claim(
    _ apps: [String: Int] = ["shop": 1], at now: Timestamp = .current, lease: Duration = .seconds(60),
    limit: Int = 1000
  ) async throws -> [ClaimedWork] {
    let events = try await claimWork(WorkSearch(apps: apps, slots: .events(limit), now: now, lease: lease))
    guard events.count < limit else { return events }
    let slots = WorkSlots.effects(limit - events.count, ofQueue: limit)
    return events + (try await claimWork(WorkSearch(apps: apps, slots: slots, now: now, lease: lease)))
  }

  /// Claims work as soon as any is due.
  func claimSoon(lease: Duration = .seconds(60)) async throws -> [ClaimedWork] {
    for _ in 0..<1000 {
      let claimed = try await claim(lease: lease)
      if !claimed.isEmpty { return claimed }
      try await Task.sleep(for: .milliseconds(10))
    }
    return []
  }

  func report(_ work: ClaimedWork, pause: Duration? = .zero, progress: [UInt8]? = nil) async throws -> Bool {
    let error = "The service is away."
    return try await report(
      WorkReport(pause: pause, attempts: work.attempts + 1, error: error, progress: progress), on: work, at: .current)
  }

  func deliver(_ signal: QueuedSignal, to work: WorkID, of session: SessionKey) async throws -> WorkDelivery {
    try await deliver(signal, to: work, of: session, at: .current)
  }

  /// Delivers a signal to all work that waits for a key.
  func deliver(_ number: UInt64, for key: String, hold: Duration? = nil, size: Int = 0) async throws -> KeyedDelivery {
    let signal = KeyedSignal(
      key: SignalKey(key, of: "paid", in: "shop"), signal: .signal(number, size: size), hold: hold)
    return try await deliver(signal, at: .current)
  }

  func held(for key: String) async throws -> [QueuedSignal] {
    try await heldSignals(for: SignalKey(key, of: "paid", in: "shop"), at: .current)
  }

  /// Removes the signals that wait, each after those before it, and returns their deliveries.
  func takeSignals() async throws -> [SessionKey: [UInt64]] {
    var taken: [SessionKey: [UInt64]] = [:]
    while true {
      let claimed = try await claim()
      if claimed.isEmpty { return taken }
      for work in claimed {
        if let delivery = try work.progress?.delivery() { taken[work.session, default: []].append(delivery) }
        try await settle(work, adding: [], at: .current)
      }
    }
  }

  func renew(_ work: ClaimedWork, _ lease: Duration) async throws -> Bool {
    try await renew(lease, of: work, at: .current)
  }
}

extension QueuedSignal {
  /// - Parameter size: the number of characters of its input.
  static func signal(_ number: UInt64, size: Int = 0) -> QueuedSignal {
    QueuedSignal(Value(String(repeating: "x", count: size)), SignalDelivery(number), sender: nil)
  }
}

extension [UInt8] {
  /// Returns the delivery of an encoded signal; nil for any other progress.
  func delivery() throws -> UInt64? {
    guard case .event(.signal(_, _, let delivery, _)) = try WorkProgress(of: WorkID(0), encoded: self) else {
      return nil
    }
    return delivery.rawValue
  }
}

extension [ClaimedWork] {
  var ids: [UInt32] { map(\.id.rawValue) }
}

extension TestStore {
  /// Returns the number of signals that wait in the database of a durable store; 0 for a store in memory.
  func countQueuedSignals() throws -> Int {
    switch location {
    case .memory: 0
    case .sqlite(let path, _):
      try SQLiteConnection.open(path) { Int(try $0.number("SELECT count(*) FROM queued_signal") ?? 0) }
    case .postgres(let url): Int(try TestConnection(url).text("SELECT count(*) FROM usher_queued_signal")) ?? 0
    }
  }

  /// Runs statements in the database of a durable store, which is closed meanwhile.
  func execute(sqlite: String, postgres: String) throws {
    store.close()
    switch location {
    case .memory: break
    case .sqlite(let path, _):
      try SQLiteConnection.open(path) { try $0.execute(sqlite) }
    case .postgres(let url): try TestDatabase.execute(postgres, in: url)
    }
    try reopen()
  }
}
