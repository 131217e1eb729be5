/// A session in memory, as small as it gets: idle ones are most of what the process holds.
enum MemorySession {
  case live(LiveSession)
  case gone(forgetAt: Timestamp)

  /// Replaces the navigation, if it is at the revision before the new one.
  mutating func replace(with record: SessionRecord, _ entry: JournalEntry) -> Bool {
    guard case .live(var session) = self, session.revision + 1 == record.revision else { return false }
    // Takes the enumeration's own reference away, so that the journal grows in place.
    self = .gone(forgetAt: session.expiresAt)
    session.revision = record.revision
    session.packed = record.packed
    session.journal.append(entry)
    self = .live(session)
    return true
  }
}

struct LiveSession {
  let app: String
  let createdAt: Timestamp
  let expiresAt: Timestamp
  var revision: UInt64
  var packed: [UInt8]
  var journal: PackedJournal

  init(_ record: SessionRecord, _ entry: JournalEntry) {
    app = record.app
    createdAt = record.createdAt
    expiresAt = record.expiresAt
    revision = record.revision
    packed = record.packed
    journal = PackedJournal(entry, locale: record.locale)
  }

  func record(_ key: SessionKey) -> SessionRecord {
    SessionRecord(
      key: key, app: app, createdAt: createdAt, expiresAt: expiresAt, locale: journal.locale, revision: revision,
      packed: packed)
  }
}
