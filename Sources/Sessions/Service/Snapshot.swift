public import Navigation

/// A session at one revision, with what shows.
public final class Snapshot: Sendable {
  public let id: SessionID
  public let app: AppDefinition
  public let record: SessionRecord
  public let state: SessionState
  public let visible: VisibleScreen

  init(id: SessionID, app: AppDefinition, record: SessionRecord, state: SessionState) throws(Rejection) {
    self.id = id
    self.app = app
    self.record = record
    self.state = state
    visible = try app.view(of: state)
  }
}
