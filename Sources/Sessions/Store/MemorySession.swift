/// A session in memory, as small as it gets: idle ones are most of what the process holds.
enum MemorySession {
  case live(LiveSession)
  case gone(forgetAt: Timestamp)
}

/// The session's only copy; whoever touches it holds the lock of its shard.
final class LiveSession {
  private let app: String
  private let createdAt: Timestamp
  let expiresAt: Timestamp
  private var revision: UInt64
  private var navigation: StoredNavigation
  private(set) var journal: PackedJournal
  private var outcomes = RecentOutcomes()

  init(_ record: SessionRecord, _ entry: JournalEntry) {
    app = record.app
    createdAt = record.createdAt
    expiresAt = record.expiresAt
    revision = record.revision
    navigation = record.navigation
    journal = PackedJournal(entry, locale: record.locale)
  }

  func record(_ key: SessionKey) -> SessionRecord {
    SessionRecord(
      key: key, app: app, createdAt: createdAt, expiresAt: expiresAt, locale: journal.locale, revision: revision,
      navigation: navigation)
  }

  /// Replaces the navigation, if it is at the revision before the new one and the outcome's key is new.
  func replace(
    with record: SessionRecord, _ entry: JournalEntry, _ outcome: StoredOutcome?, keeping retention: Int
  ) -> StoreResult {
    if let outcome, outcomes.contains(outcome.key, at: outcome.storedAt) { return .duplicateOutcome }
    guard revision + 1 == record.revision else { return .conflict }
    revision = record.revision
    navigation = record.navigation
    journal.append(entry, keeping: retention)
    if let outcome { outcomes.append(outcome) }
    return .committed
  }

  func outcome(for key: OutcomeKey) -> StoredOutcome? {
    guard let kept = outcomes[key], let session = key.session else { return nil }
    var record = record(session)
    record.revision = kept.revision
    record.navigation = .packed(kept.packed)
    return StoredOutcome(
      key: key, fingerprint: kept.fingerprint, record: record, sealedID: nil, storedAt: kept.storedAt,
      expiresAt: kept.expiresAt)
  }

  /// Keeps an outcome that changes nothing.
  func remember(_ outcome: StoredOutcome) -> StoreResult {
    if outcomes.contains(outcome.key, at: outcome.storedAt) { return .duplicateOutcome }
    outcomes.append(outcome)
    return .committed
  }

  var isLive: Bool {
    if case .live = navigation { true } else { false }
  }

  /// Leaves the packed form of the navigation only.
  func pack() {
    if isLive { navigation = .packed(navigation.packed) }
  }
}
