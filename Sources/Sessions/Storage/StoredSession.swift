public import Navigation
internal import Synchronization
package import TimeZones
public import Values

/// A session as a store keeps it. State, journal and outcomes form one value, so they change together or not at all.
///
/// The value is immutable: a step replaces it with a successor.
public final class StoredSession: Sendable {
  public let key: SessionKey
  /// The owner; nil gives access to any principal that has the ID.
  public let owner: SessionOwner?
  /// The name of the session's app.
  public let app: String
  /// The definition that the session uses; nil for an app in Swift.
  public let definition: DefinitionDigest?
  public let createdAt: Timestamp
  public let expiresAt: Timestamp
  /// Whether the client has chosen the lifetime at the creation, so that no change extends it.
  public let hasFixedLife: Bool
  /// The locale that the client requested (BCP 47), at creation or later; nil if it requested none.
  public let locale: String?
  /// The name of the time zone that the client requested at creation; nil if it requested none.
  public let timeZone: String?
  /// The revision of `navigation`.
  public let revision: UInt64
  /// The version of this write. The version changes with each revision, and with each write that keeps the revision.
  public let version: SessionVersion
  public let navigation: StoredNavigation
  public let journal: Journal
  /// The last client commits; nil as long as the journal suffices.
  public let commits: ClientCommits?
  public let outcomes: RecentOutcomes
  public let writeAccess: WriteAccess
  /// The rows of the pending work in `navigation`; nil for a session that never had any.
  public let work: [ScheduledWork]?
  /// The detached effects that are stored with this version of the session, and are not part of it.
  public let detached: [ScheduledWork]
  /// The pending work whose event is stuck, as clients have been told.
  public let stuck: [WorkID]

  public init(
    key: SessionKey, owner: SessionOwner? = nil, app: String, createdAt: Timestamp, expiresAt: Timestamp,
    locale: String?, timeZone: String? = nil, revision: UInt64, version: SessionVersion? = nil,
    navigation: StoredNavigation, journal: Journal, commits: ClientCommits? = nil, outcomes: RecentOutcomes = .init(),
    writeAccess: WriteAccess? = nil,
    work: [ScheduledWork]? = nil, detached: [ScheduledWork] = [], definition: DefinitionDigest? = nil,
    stuck: [WorkID] = [], hasFixedLife: Bool = false
  ) {
    self.definition = definition
    self.key = key
    self.owner = owner
    self.app = app
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.hasFixedLife = hasFixedLife
    self.locale = locale
    self.timeZone = timeZone
    self.revision = revision
    self.version = version ?? .first()
    self.navigation = navigation
    self.journal = journal
    self.commits = commits
    self.outcomes = outcomes
    self.writeAccess = writeAccess ?? .everyone
    self.work = (navigation.live?.work(of: key)).flatMap { $0.isEmpty ? work.map { _ in [] } : $0 } ?? work
    self.detached = detached
    self.stuck = stuck.isEmpty ? [] : stuck.filter { [work = self.work] id in work?.contains { $0.id == id } ?? false }
  }

  /// The app under whose name the session's work is claimed. Any process that hosts flows can do the work of a flow,
  /// because the store has its definition.
  public var claimedApp: String { definition == nil ? app : Self.anyFlow }

  /// The name of no app, under which the work of all flows is claimed.
  public static let anyFlow = "*"

  /// All work that is stored when the session is created.
  public var firstWork: [ScheduledWork]? { detached.isEmpty ? work : (work ?? []) + detached }

  /// Returns the successor at the next revision.
  ///
  /// - Parameters:
  ///   - retention: the minimum number of journal entries to keep.
  ///   - writeAccess: the new write access; nil if it stays as it is.
  ///   - definition: the new definition; nil if it stays as it is.
  ///   - stuck: work whose event has become stuck; nil without any.
  ///   - expiresAt: the new time of expiry; nil if it stays as it is.
  func advanced(
    to navigation: StoredNavigation, by entry: JournalEntry, keeping retention: Int, outcome: StoredOutcome? = nil,
    writeAccess: WriteAccess? = nil, definition: DefinitionDigest? = nil, stuck: WorkID? = nil,
    expiresAt: Timestamp? = nil
  ) -> StoredSession {
    var (journal, commits, outcomes) = (journal, commits, outcomes)
    let isDropping = journal.append(entry, after: self.navigation.packed, keeping: retention)
    // A session that never had work has no background commits, so its journal keeps enough client commits.
    if isDropping, commits == nil, work != nil { commits = ClientCommits(self.journal) }
    commits?.append(entry)
    if let outcome { outcomes.append(outcome) }
    let revokes = navigation.live?.state.environment.revokesResumeAddresses ?? false
    let writeAccess = revokes ? (writeAccess ?? self.writeAccess).revokingResumes() : writeAccess
    return copy(
      locale: entry.kind == .locale ? entry.input["locale"]?.text ?? locale : locale, revision: entry.revision,
      version: version.next(), navigation: navigation, journal: journal, commits: commits, outcomes: outcomes,
      writeAccess: writeAccess, detached: navigation.live?.detached(of: key, at: entry.at) ?? [],
      definition: definition, stuck: stuck.map { self.stuck + [$0] }, expiresAt: expiresAt)
  }

  /// Returns the successor with an offer to hand it over. The revision stays.
  ///
  /// - Parameter expiresAt: the new time of expiry; nil if it stays as it is.
  func offering(_ offer: WriteAccess.SealedOffer, expiresAt: Timestamp? = nil) -> StoredSession {
    copy(version: version.next(), writeAccess: writeAccess.offering(offer), expiresAt: expiresAt)
  }

  /// Returns the successor with another write access. The revision stays.
  func with(_ writeAccess: WriteAccess) -> StoredSession { copy(version: version.next(), writeAccess: writeAccess) }

  /// Returns the successor with another time of expiry. The revision stays.
  func extended(until expiresAt: Timestamp) -> StoredSession { copy(version: version.next(), expiresAt: expiresAt) }

  /// Returns the time at which the session expires after a change by a client.
  func expiry(in app: AppDefinition, at now: Timestamp) -> Timestamp {
    guard let life = app.life, !hasFixedLife else { return expiresAt }
    return life.expiry(ofCreationAt: createdAt, expiring: expiresAt, at: now)
  }

  /// Returns the successor with one more outcome. The revision stays.
  func recording(_ outcome: StoredOutcome) -> StoredSession {
    var outcomes = outcomes
    outcomes.append(outcome)
    return copy(version: version.next(), outcomes: outcomes)
  }

  /// Returns the session at the time of an outcome, or as it is now if that state is not kept.
  func asOf(_ outcome: StoredOutcome) -> StoredSession {
    outcome.packed.map { asOf(outcome.revision, .packed($0)) } ?? self
  }

  /// Returns the session with the revision and navigation of an earlier time.
  func asOf(_ revision: UInt64, _ navigation: StoredNavigation) -> StoredSession {
    // An earlier view did not tell of stuck events.
    copy(
      locale: .some(locale(at: revision)), revision: revision, navigation: navigation,
      stuck: revision == self.revision ? stuck : [])
  }

  /// Returns the locale at an earlier revision, as far as the journal knows.
  func locale(at revision: UInt64) -> String? {
    // A session whose locale has changed has one.
    guard locale != nil, revision < self.revision,
      let change = journal.entries(after: revision).first(where: { $0.kind == .locale })
    else { return locale }
    return change.link
  }

  /// Returns the facts that are stored beside the packed navigation of the session.
  ///
  /// - Parameter time: the time of the revision, in case that the journal no longer has it; nil for that of the creation.
  func environment(in app: AppDefinition, at time: Timestamp? = nil) -> SessionEnvironment {
    SessionEnvironment(
      locale: locale, timeZone: app.sessionTimeZone(timeZone), time: journal.time(of: revision) ?? time ?? createdAt)
  }

  /// Returns the session with its state unpacked.
  func unpacked(_ navigation: LiveNavigation) -> StoredSession { copy(navigation: .live(navigation)) }

  /// Returns an earlier session with the write access and the expiry of the current one.
  func current(as session: StoredSession) -> StoredSession {
    copy(writeAccess: session.writeAccess, expiresAt: session.expiresAt)
  }

  /// Returns the session with its navigation packed, which takes a fraction of the memory.
  public func packed() -> StoredSession {
    navigation.live == nil ? self : copy(navigation: .packed(navigation.packed))
  }

  private func copy(
    locale: String?? = nil, revision: UInt64? = nil, version: SessionVersion? = nil,
    navigation: StoredNavigation? = nil, journal: Journal? = nil, commits: ClientCommits? = nil,
    outcomes: RecentOutcomes? = nil, writeAccess: WriteAccess? = nil, detached: [ScheduledWork] = [],
    definition: DefinitionDigest? = nil, stuck: [WorkID]? = nil, expiresAt: Timestamp? = nil
  ) -> StoredSession {
    StoredSession(
      key: key, owner: owner, app: app, createdAt: createdAt, expiresAt: expiresAt ?? self.expiresAt,
      locale: locale ?? self.locale,
      timeZone: timeZone, revision: revision ?? self.revision, version: version ?? self.version,
      navigation: navigation ?? self.navigation, journal: journal ?? self.journal, commits: commits ?? self.commits,
      outcomes: outcomes ?? self.outcomes,
      writeAccess: writeAccess ?? self.writeAccess, work: work, detached: detached,
      definition: definition ?? self.definition, stuck: stuck ?? self.stuck, hasFixedLife: hasFixedLife)
  }

  /// The blobs of the session.
  var blobs: SessionBlobs {
    let inNavigation = navigation.blobs
    // Most sessions have none.
    if inNavigation.isEmpty, !journal.hasBlobs, !outcomes.hasBlobs { return SessionBlobs() }
    return (inNavigation + journal.blobs + outcomes.blobs).distinct
  }

  /// The approximate size in memory, in bytes.
  public var approximateSize: Int {
    blobs.values.reduce(1024 + navigation.approximateSize + journal.size + outcomes.size) { $0 + $1.bytes.count }
  }
}

extension StoredSession: Equatable {
  /// Compares the content, whether it is packed or live.
  public static func == (a: StoredSession, b: StoredSession) -> Bool {
    a === b
      || a.key == b.key && a.owner == b.owner && a.app == b.app && a.createdAt == b.createdAt
        && a.expiresAt == b.expiresAt
        && a.version == b.version && a.content == b.content
  }
}

/// The version of a stored session: the number of its writes, and a mark that distinguishes writes with the same
/// number.
///
/// The count alone is not enough. A database that was restored from a backup, or that failed over to a lagging replica,
/// counts the same numbers a second time.
public struct SessionVersion: Sendable, Equatable, BitwiseCopyable {
  /// The count in the upper 32 bits and the mark in the lower ones, the form that stores keep.
  public let rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// Returns the version of a new session.
  static func first() -> SessionVersion { SessionVersion(count: 1) }

  private init(count: Int64) {
    let mark = Self.marks.wrappingAdd(1, ordering: .relaxed).newValue
    rawValue = count << 32 | Int64(mark)
  }

  /// The next mark. Processes start at random marks, which are most likely far apart.
  private static let marks = Atomic<UInt32>(.random(in: 0 ... .max))

  /// The number of writes, from 1.
  public var count: Int64 { rawValue >> 32 }

  /// Returns a version for the successor. Each call returns a different one.
  func next() -> SessionVersion { SessionVersion(count: count + 1) }
}

extension AppDefinition {
  /// Returns the time zone of a session; nil for UTC. A zone that this machine lacks counts as none.
  ///
  /// - Parameter name: the zone that the client has requested; nil for none.
  package func sessionTimeZone(_ name: String?) -> NamedTimeZone? {
    name.flatMap { NamedTimeZone($0) } ?? timeZone.flatMap { NamedTimeZone($0) }
  }
}
