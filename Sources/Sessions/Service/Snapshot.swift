public import Navigation

/// A session at one revision, with what shows.
public final class Snapshot: Sendable {
  public let id: SessionID
  public let record: SessionRecord
  public let visible: VisibleScreen
  private let navigation: LiveNavigation

  public var app: AppDefinition { navigation.app }
  public var state: SessionState { navigation.state }

  init(id: SessionID, record: SessionRecord, navigation: LiveNavigation) throws(Rejection) {
    self.id = id
    self.record = record
    self.navigation = navigation
    visible = try navigation.app.view(of: navigation.state)
  }
}
