public import Navigation

/// A session at one revision, with what shows to somebody who has one of its ids.
public final class Snapshot: Sendable {
  public let id: SessionID
  public let app: AppDefinition
  public let session: StoredSession
  /// The state that shows, in place: a copy of it counts references.
  public let navigation: LiveNavigation
  public let visible: VisibleScreen
  /// Whether the session was handed over to another device.
  public let isReadOnly: Bool
  /// What shows to the device that it was handed over to, where that is another one.
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
    self.visible = isReadOnly ? visible.disabled("This session goes on on another device.") : visible
    writable = isReadOnly ? visible : nil
    app = navigation.app
  }

  /// The same as everybody sees it who has no more than the session's id.
  var withoutSecret: Snapshot {
    guard id.hasSecret else { return self }
    return Snapshot(id: id.bare, session: session, navigation: navigation, visible: writable ?? visible)
  }

  /// The same as the device of another id of the session sees it.
  public func seen(by id: SessionID) -> Snapshot {
    guard let writable, session.writeAccess.allows(id) else { return self }
    return Snapshot(id: id, session: session, navigation: navigation, visible: writable)
  }
}
