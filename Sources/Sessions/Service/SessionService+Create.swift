internal import Navigation
public import Values

/// What is asked for when a session is created.
public struct CreateRequest: Sendable {
  public let app: String
  public let input: Value
  public let link: String?
  public let locale: String?
  /// Seconds; nil for what the service is set to.
  public let timeToLive: Int64?
  public let idempotency: Idempotency?

  public init(
    app: String, input: Value = .emptyObject, link: String? = nil, locale: String? = nil, timeToLive: Int64? = nil,
    idempotency: Idempotency? = nil
  ) {
    self.app = app
    self.input = input
    self.link = link
    self.locale = locale
    self.timeToLive = timeToLive
    self.idempotency = idempotency
  }
}

extension SessionService {
  /// Creates a session at revision 1.
  public func create(_ request: CreateRequest) throws(SessionError) -> Performed {
    while true {
      if let replay = try replay(request.idempotency, id: nil) { return replay }
      guard let app = app(named: request.app) else { throw .unknownApp(hosted: apps.map(\.name)) }
      let timeToLive = request.timeToLive ?? settings.timeToLive
      guard request.timeToLive == nil || settings.allowedTimeToLive.contains(timeToLive) else {
        throw .invalidTimeToLive(settings.allowedTimeToLive)
      }
      let created = try created(app, request)
      let id = SessionID.random()
      let now = clock.now()
      let record = SessionRecord(
        key: SessionKey(id), app: app.name, createdAt: now, expiresAt: now + timeToLive, locale: request.locale,
        revision: created.state.revision, navigation: .live(created))
      let snapshot = try snapshot(id, record, created)
      let entry = JournalEntry(
        revision: record.revision, at: now, kind: .create, name: "create",
        input: created.app.input.declared(of: request.input),
        link: request.link, screen: snapshot.visible.screen.name)
      let outcome = outcome(of: request.idempotency, for: record, created: id)
      let result = try storing { () throws(StoreError) in try store.insert(record, entry, outcome: outcome) }
      if result == .committed { return Performed(snapshot: snapshot, isReplay: false) }
    }
  }

  private func created(_ app: AppDefinition, _ request: CreateRequest) throws(SessionError) -> LiveNavigation {
    do throws(Rejection) {
      return LiveNavigation(app: app, state: try app.create(input: request.input, link: request.link))
    } catch {
      throw .rejected(error, nil)
    }
  }
}
