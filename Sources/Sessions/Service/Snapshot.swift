public import Navigation

/// A session at one revision, with what shows.
public final class Snapshot: Sendable {
  public let id: SessionID
  public let app: AppDefinition
  public let record: SessionRecord
  /// The state that shows, in place: a copy of it counts references.
  public let navigation: LiveNavigation
  public let visible: VisibleScreen

  public var state: SessionState { navigation.state }

  init(id: SessionID, record: SessionRecord, navigation: LiveNavigation) throws(Rejection) {
    self.id = id
    self.record = record
    self.navigation = navigation
    app = navigation.app
    visible = try navigation.app.view(of: navigation.state)
  }
}
