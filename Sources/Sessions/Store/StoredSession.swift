internal import Navigation

/// A session as a store keeps it, whole: state, journal and outcomes change together or not at all. It never changes itself;
/// what happens to a session is that a store replaces it with the next one.
public final class StoredSession: Sendable {
  public let key: SessionKey
  /// Whom it belongs to; nil for everybody who has its id.
  public let owner: SessionOwner?
  /// The name of its app.
  public let app: String
  public let createdAt: Timestamp
  public let expiresAt: Timestamp
  /// The language that the client asked for at creation (BCP 47), if it did.
  public let locale: String?
  /// The facts that the code of its app can read.
  var environment: SessionEnvironment { SessionEnvironment(locale: locale) }
  /// The revision of `navigation`.
  public let revision: UInt64
  /// Which write this is. It changes with the revision, and with what is kept without changing that.
  public let version: SessionVersion
  public let navigation: StoredNavigation
  public let journal: Journal
  public let outcomes: RecentOutcomes
  /// Nil for everyone. Few sessions are ever handed over, and the value takes 160 bytes.
  private let restrictedAccess: RestrictedAccess?

  public var writeAccess: WriteAccess { restrictedAccess?.value ?? .everyone }

  public init(
    key: SessionKey, owner: SessionOwner? = nil, app: String, createdAt: Timestamp, expiresAt: Timestamp,
    locale: String?, revision: UInt64, version: SessionVersion? = nil, navigation: StoredNavigation, journal: Journal,
    outcomes: RecentOutcomes = .init(), writeAccess: WriteAccess? = nil
  ) {
    self.key = key
    self.owner = owner
    self.app = app
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.locale = locale
    self.revision = revision
    self.version = version ?? .first()
    self.navigation = navigation
    self.journal = journal
    self.outcomes = outcomes
    restrictedAccess = writeAccess.flatMap { $0 == .everyone ? nil : RestrictedAccess($0) }
  }

  /// The session after what the entry describes.
  ///
  /// - Parameters:
  ///   - retention: entries of the journal that are kept.
  ///   - writeAccess: nil where it stays as it is.
  func advanced(
    to navigation: StoredNavigation, by entry: JournalEntry, keeping retention: Int, outcome: StoredOutcome? = nil,
    writeAccess: WriteAccess? = nil
  ) -> StoredSession {
    var (journal, outcomes) = (journal, outcomes)
    journal.append(entry, after: self.navigation.packed, keeping: retention)
    if let outcome { outcomes.append(outcome) }
    return copy(
      revision: entry.revision, version: version.next(), navigation: navigation, journal: journal, outcomes: outcomes,
      writeAccess: writeAccess)
  }

  /// The session with an offer to hand it over, which changes nothing that shows.
  func offering(_ offer: WriteAccess.Offer) -> StoredSession {
    copy(version: version.next(), writeAccess: writeAccess.offering(offer))
  }

  /// The session with an outcome that changed nothing else.
  func remembering(_ outcome: StoredOutcome) -> StoredSession {
    var outcomes = outcomes
    outcomes.append(outcome)
    return copy(version: version.next(), outcomes: outcomes)
  }

  /// The session as it was when the outcome was stored, or as it is where that is not kept.
  func asOf(_ outcome: StoredOutcome) -> StoredSession {
    outcome.packed.map { copy(revision: outcome.revision, navigation: .packed($0)) } ?? self
  }

  /// The session as it was at an earlier revision, as far as that shows.
  func asOf(_ revision: UInt64, _ navigation: StoredNavigation) -> StoredSession {
    copy(revision: revision, navigation: navigation)
  }

  /// The session with another write access.
  func with(_ writeAccess: WriteAccess) -> StoredSession { copy(writeAccess: writeAccess) }

  /// The same with its navigation packed, which takes a fraction of the memory.
  public func packed() -> StoredSession {
    navigation.isLive ? copy(navigation: .packed(navigation.packed)) : self
  }

  private func copy(
    revision: UInt64? = nil, version: SessionVersion? = nil, navigation: StoredNavigation? = nil,
    journal: Journal? = nil, outcomes: RecentOutcomes? = nil, writeAccess: WriteAccess? = nil
  ) -> StoredSession {
    StoredSession(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt, locale: locale,
      revision: revision ?? self.revision, version: version ?? self.version, navigation: navigation ?? self.navigation,
      journal: journal ?? self.journal, outcomes: outcomes ?? self.outcomes,
      writeAccess: writeAccess ?? self.writeAccess)
  }
}

/// A write access in memory of its own.
private final class RestrictedAccess: Sendable {
  let value: WriteAccess

  init(_ value: WriteAccess) { self.value = value }
}

extension StoredSession {
  /// About how many bytes it takes in memory.
  public var approximateSize: Int { 1024 + navigation.approximateSize + journal.size + outcomes.size }
}

extension StoredSession: Equatable {
  /// Whether both have the same content, however it is held.
  public static func == (a: StoredSession, b: StoredSession) -> Bool {
    a === b
      || a.key == b.key && a.owner == b.owner && a.app == b.app && a.createdAt == b.createdAt
        && a.expiresAt == b.expiresAt
        && a.version == b.version && a.content == b.content
  }
}
