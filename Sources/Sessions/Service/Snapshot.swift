public import Navigation

/// A session at one revision, with what shows.
public final class Snapshot: Sendable {
  public let id: SessionID
  public let app: AppDefinition
  public let session: StoredSession
  /// The state that shows, in place: a copy of it counts references.
  public let navigation: LiveNavigation
  public let visible: VisibleScreen

  public var state: SessionState { navigation.state }

  init(id: SessionID, session: StoredSession, navigation: LiveNavigation, visible: VisibleScreen) {
    self.id = id
    self.session = session
    self.navigation = navigation
    self.visible = visible
    app = navigation.app
  }
}
