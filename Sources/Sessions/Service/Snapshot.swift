public import Navigation

/// A session at one revision, with what shows.
public struct Snapshot: Sendable {
  public let id: SessionID
  public let app: AppDefinition
  public let record: SessionRecord
  public let state: SessionState
  public let visible: VisibleScreen
}
