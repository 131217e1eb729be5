public import Navigation
internal import TimeZones
public import Values

/// A request to create a session.
public struct CreateRequest: Sendable {
  public let app: String
  public let input: Value
  public let link: String?
  public let locale: String?
  /// The name of a time zone, such as `Europe/Berlin`; nil for that of the app.
  public let timeZone: String?
  /// Seconds until the session expires, which nothing extends; nil for the lifetime that the app declares, or the default
  /// of the service.
  public let timeToLive: Int64?
  public let idempotency: Idempotency?
  /// The owner; nil gives access to any principal that has the ID.
  public let owner: SessionOwner?
  /// The owner for the code of the app; nil without an owner.
  public let principal: SessionPrincipal?

  public init(
    app: String, input: Value = .emptyObject, link: String? = nil, locale: String? = nil, timeZone: String? = nil,
    timeToLive: Int64? = nil, idempotency: Idempotency? = nil, owner: SessionOwner? = nil,
    principal: SessionPrincipal? = nil
  ) {
    self.app = app
    self.input = input
    self.link = link
    self.locale = locale
    self.timeZone = timeZone
    self.timeToLive = timeToLive
    self.idempotency = idempotency
    self.owner = owner
    self.principal = owner == nil ? nil : principal
  }
}

extension SessionService {
  /// The maximum number of IDs to try. If the page of the store for one ID is damaged, another random ID most likely
  /// is on an intact page.
  private static let attemptLimit = 8

  /// Creates a session at revision 1.
  public func create(_ request: CreateRequest) async throws(SessionError) -> SessionResult {
    var attempt = 1
    while true {
      if let replay = try await replayCreation(request) { return replay }
      try await checkOwnerLimit(of: request.owner)
      let id = SessionID.random()
      let app = try hostedApp(request.app)
      let snapshot = try newSession(id, request, of: app, try await firstAccess(id, in: app))
      let outcome = outcome(of: request, forCreating: id, snapshot.session)
      let isNew: Bool
      do throws(SessionError) {
        isNew = try await wrappingErrors(of: await store.insert(snapshot.session, outcome: outcome))
      } catch .store(.unreadable(_)) where attempt < Self.attemptLimit {
        attempt += 1
        continue
      }
      if isNew {
        metrics.count(.create, "create", of: snapshot.session.app)
        if snapshot.session.firstWork != nil { runner.workRequested() }
        return SessionResult(snapshot: snapshot, isReplay: false)
      }
      // The store may not have the definition yet, or may have removed one that was not current for long.
      if snapshot.session.definition != nil, let current = registry.current(request.app) { try await keep([current]) }
    }
  }

  private func checkOwnerLimit(of owner: SessionOwner?) async throws(SessionError) {
    guard let owner, let limit = settings.ownerLimit else { return }
    let count = try await wrappingErrors(of: await store.count(of: owner, upTo: limit))
    guard count < limit else { throw .tooManySessions(limit: limit) }
  }

  private func newSession(
    _ id: SessionID, _ request: CreateRequest, of app: AppDefinition, _ writeAccess: WriteAccess
  ) throws(SessionError) -> Snapshot {
    if let timeToLive = request.timeToLive, !settings.allowedTimeToLive.contains(timeToLive) {
      throw .invalidTimeToLive(settings.allowedTimeToLive)
    }
    if let zone = request.timeZone, NamedTimeZone(zone) == nil { throw .unknownTimeZone }
    let now = clock.now()
    let expiresAt =
      if let timeToLive = request.timeToLive {
        now + timeToLive
      } else if let life = app.life {
        life.expiry(ofCreationAt: now, at: now)
      } else {
        now + min(settings.timeToLive, settings.allowedTimeToLive.upperBound)
      }
    let stamp = StepStamp.next(at: now)
    let environment = SessionEnvironment(
      locale: request.locale, principal: request.principal, timeZone: app.sessionTimeZone(request.timeZone))
    let state = try wrappingRejection(
      of: try app.create(input: request.input, link: request.link, environment: environment, stamp: stamp))
    let navigation = LiveNavigation(app: app, state: state)
    try checkSize(of: navigation, after: nil)
    let visible = try visible(navigation)
    let entry = JournalEntry(
      revision: navigation.state.revision, at: now, kind: .create, name: "create",
      input: app.input.declared(of: request.input), link: request.link, screen: visible.screen.name,
      seed: navigation.state.seed(since: nil, stamp), principal: request.principal)
    let key = SessionKey(id)
    let session = StoredSession(
      key: key, owner: request.owner, app: app.name, createdAt: now, expiresAt: expiresAt,
      locale: request.locale, timeZone: request.timeZone, revision: entry.revision,
      navigation: .live(navigation), journal: Journal(entry), writeAccess: writeAccess,
      detached: navigation.detached(of: key, at: now), definition: app.digest,
      hasFixedLife: request.timeToLive != nil)
    return Snapshot(id: id, session: session, navigation: navigation, visible: visible)
  }
}
