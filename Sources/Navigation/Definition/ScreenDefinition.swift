internal import Values

/// A screen as the app knows it: found by its declared name, drawn through closures over encoded values.
public struct ScreenDefinition: Sendable {
  public let name: String
  /// The title that all screens of this name have; nil where it is made from the screen's values.
  public let fixedTitle: Text?
  public internal(set) var actions: [ActionDefinition]
  public let leavePolicy: LeavePolicy
  public let leaveQuestion: LeaveQuestion
  let decode: @Sendable (Value) throws -> any Screen
  let makeTitle: @Sendable (any Screen) -> Text
  let type: ObjectIdentifier

  init<S: Screen>(_ screen: S.Type) {
    name = S.name
    actions = S.actions.map { ActionDefinition($0) }
    leavePolicy = S.leavePolicy
    leaveQuestion = S.leaveQuestion
    type = ObjectIdentifier(S.self)
    decode = { try $0.decode(S.self) }
    switch S.title.source {
    case .fixed(let title):
      fixedTitle = title
      makeTitle = { _ in title }
    case .made(let make):
      fixedTitle = nil
      makeTitle = { screen in (screen as? S).map(make) ?? Text(S.name) }
    }
  }
}

/// A screen that a coordinator shows; its definition is made when the app is registered.
struct ScreenDeclaration: Sendable {
  let name: String
  let define: @Sendable () -> ScreenDefinition

  init<S: Screen>(_ screen: S.Type) {
    name = S.name
    define = { ScreenDefinition(S.self) }
  }
}

/// What a coordinator fills into a screen when it is shown.
struct FillDefinition: Sendable {
  let screen: String
  /// From the encoded coordinator into the screen.
  let fill: @Sendable (Value, inout any Screen) throws -> Void

  init<Owner: Coordinator, S: Screen>(_ body: @escaping @Sendable (Owner, inout S) -> Void) {
    screen = S.name
    fill = { state, screen in
      guard var typed = screen as? S else { return }
      body(try state.decode(Owner.self), &typed)
      screen = typed
    }
  }
}
