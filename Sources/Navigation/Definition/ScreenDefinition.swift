internal import Values

/// A screen as the app knows it: found by its declared name, drawn through closures over encoded values.
public final class ScreenDefinition: Sendable {
  public let name: String
  /// The title that all screens of this name have; nil where it is made from the screen's values.
  public let fixedTitle: Text?
  public let actions: [ActionDefinition]
  public let leavePolicy: LeavePolicy
  public let leaveQuestion: LeaveQuestion
  let crashName: CrashName
  let schema: SchemaDefinition
  let decode: @Sendable (Value) throws -> any Screen
  let makeTitle: @Sendable (any Screen) -> Text

  init<S: Screen>(_ screen: S.Type, actions: [ActionDefinition]) {
    name = S.name
    crashName = CrashName(S.name)
    schema = SchemaDefinition(S.self)
    self.actions = actions
    leavePolicy = S.leavePolicy
    leaveQuestion = S.leaveQuestion
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
  let type: ObjectIdentifier
  let actions: @Sendable () -> [any Action.Type]
  let define: @Sendable ([ActionDefinition]) -> ScreenDefinition

  init<S: Screen>(_ screen: S.Type) {
    name = S.name
    type = ObjectIdentifier(S.self)
    actions = { S.actions }
    define = { ScreenDefinition(S.self, actions: $0) }
  }
}

/// What a coordinator fills into a screen when it is shown.
struct FillDefinition: Sendable {
  let screen: String
  /// From the encoded coordinator into the screen.
  let fill: @Sendable (Value, inout any Screen, SessionEnvironment) throws -> Void

  init<Owner: Coordinator, S: Screen>(
    _ services: BoundServices, _ body: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) {
    screen = S.name
    fill = { state, screen, environment in
      guard var typed = screen as? S else { return }
      body(try state.decode(Owner.self), &typed, try services.context(environment))
      screen = typed
    }
  }
}
