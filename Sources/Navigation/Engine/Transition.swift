/// What an accepted intent has led to.
public struct Transition: Sendable {
  public let app: AppDefinition
  /// The state before the intent; nil at creation.
  public let before: SessionState?
  public let state: SessionState

  /// The entry that shows now and did not before; nil where the same one still shows.
  public var appeared: EntryID? {
    let now = state.visibleEntry?.id
    return now == before?.visibleEntry?.id ? nil : now
  }

  /// The entry that showed before and does not now.
  public var disappeared: EntryID? {
    let was = before?.visibleEntry?.id
    return was == state.visibleEntry?.id ? nil : was
  }
}
