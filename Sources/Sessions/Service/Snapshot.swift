package import Languages
public import Navigation
public import Values

/// A session at one revision, as the device of one of its IDs sees it.
public final class Snapshot: Sendable {
  public let id: SessionID
  /// The app with its texts in the language of the session.
  public let app: AppDefinition
  public let session: StoredSession
  /// The state of this revision, held by reference, because each copy of a state counts references.
  public let navigation: LiveNavigation
  public let visible: VisibleScreen
  /// Whether the session was handed over to another device.
  public let isReadOnly: Bool
  /// The screen with its actions enabled, as the device that took the session over sees it; nil if `visible` is that
  /// screen.
  private let writable: VisibleScreen?

  public var state: SessionState { navigation.state }

  /// Whether the session has pending work. To ask ``state`` would copy it.
  public var hasWork: Bool { navigation.state.hasWork }

  /// Whether the session is active and this ID may act in it.
  public var canBeHandedOver: Bool { !isReadOnly && !state.isFinished }

  /// The language of the service's own texts.
  package var language: ServiceLanguage { navigation.app.serviceLanguage(for: session.locale) }

  /// The languages of the app's texts, each with its own name.
  package var languageChoices: [(tag: String, name: String)] {
    let tags = navigation.app.languages
    return tags.map { ($0, LanguageName.own(of: $0, among: tags)) }
  }

  /// Whether the app has several languages, and this ID may choose one.
  package var canChangeLanguage: Bool { app.hasSeveralLanguages && canBeHandedOver }

  var isFinished: Bool { state.isFinished }

  /// The effects under way, in the order of their requests. An effect whose outcome is stuck is not under way.
  public var pendingEffects: [(id: WorkID, name: String, since: Timestamp)] {
    let stuck = stuckEvents
    return state.work.filter { $0.effect != nil && !stuck.contains($0.id) }.map { ($0.id, app.name(of: $0), $0.since) }
  }

  /// The work of this revision whose event is stuck.
  package var stuckEvents: [WorkID] {
    // Most sessions have none.
    if session.stuck.isEmpty || isFinished { return [] }
    return session.stuck.filter { id in state.work.contains { $0.id == id } }
  }

  /// Whether the session waits for a signal.
  public var awaitsSignal: Bool { state.work.contains { $0.signal != nil } }

  package init(id: SessionID, session: StoredSession, navigation: LiveNavigation, visible: consuming VisibleScreen) {
    self.id = id
    self.session = session
    self.navigation = navigation
    app = navigation.app.localized(for: session.locale)
    isReadOnly = id != .unknown && !session.writeAccess.allows(id)
    if isReadOnly {
      self.visible = visible.disabled(Text(navigation.app.serviceLanguage(for: session.locale)(.sessionReadOnly)))
      writable = visible
    } else {
      self.visible = visible
      writable = nil
    }
  }

  /// The same revision as a device sees it whose ID has no secret.
  var withoutSecret: Snapshot {
    guard id.hasSecret else { return self }
    return Snapshot(id: id.bare, session: session, navigation: navigation, visible: writable ?? visible)
  }

  /// Returns the same revision as the device of another ID of the session sees it.
  public func seen(by id: SessionID) -> Snapshot {
    guard let writable, session.writeAccess.allows(id) else { return self }
    return Snapshot(id: id, session: session, navigation: navigation, visible: writable)
  }
}

extension SessionService {
  /// Returns a session as the device of an ID sees it.
  ///
  /// - Parameter time: the time of its revision, in case that the journal no longer has it.
  func snapshot(
    _ id: SessionID, of session: StoredSession, at time: Timestamp? = nil
  ) throws(SessionError) -> Snapshot {
    let navigation = try navigation(of: session, at: time)
    return Snapshot(id: id, session: session, navigation: navigation, visible: try visible(navigation))
  }

  /// Returns the visible screen.
  func visible(_ navigation: LiveNavigation) throws(SessionError) -> VisibleScreen {
    try wrappingRejection(of: try navigation.app.view(of: navigation.state))
  }

  /// Returns the navigation of a session, unpacked and migrated to the hosted version of its app.
  func navigation(of session: StoredSession, at time: Timestamp? = nil) throws(SessionError) -> LiveNavigation {
    switch session.navigation {
    case .live(let navigation): return navigation
    case .packed(let packed):
      guard let app = app(of: session) else {
        let obstacle = session.definition.map { registry.obstacle($0, of: session.app) }
        throw .outdated(session, obstacle ?? .appNotHosted(session.app))
      }
      do throws(PackingError) {
        let environment = session.environment(in: app, at: time)
        return LiveNavigation(app: app, state: try app.unpack(packed.whole, in: environment))
      } catch {
        if case .cannotBeMigrated = error { throw .outdated(session, .notMigratable(error)) }
        throw .rejected(.unreadable(error), nil)
      }
    }
  }
}
