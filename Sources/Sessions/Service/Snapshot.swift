public import Navigation

/// A session at one revision, as the device of one of its IDs sees it.
public final class Snapshot: Sendable {
  public let id: SessionID
  public let app: AppDefinition
  public let session: StoredSession
  /// The state of this revision. It is held by reference, because each copy would count references.
  public let navigation: LiveNavigation
  public let visible: VisibleScreen
  /// Whether the session was handed over to another device.
  public let isReadOnly: Bool
  /// The screen with its actions enabled, as the device that took the session over sees it; nil if `visible` is that
  /// screen.
  private let writable: VisibleScreen?

  public var state: SessionState { navigation.state }

  /// Whether the session has an end still to reach, and the holder of this id may act in it.
  public var canBeHandedOver: Bool { !isReadOnly && !state.isFinished }

  var isFinished: Bool { state.isFinished }

  init(id: SessionID, session: StoredSession, navigation: LiveNavigation, visible: VisibleScreen) {
    self.id = id
    self.session = session
    self.navigation = navigation
    isReadOnly = id != .unknown && !session.writeAccess.allows(id)
    self.visible = isReadOnly ? visible.disabled("This session continues on another device.") : visible
    writable = isReadOnly ? visible : nil
    app = navigation.app
  }

  /// The same revision as seen with the session's ID alone.
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
