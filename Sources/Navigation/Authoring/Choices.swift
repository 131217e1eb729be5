/// The choices of an action's field that depend on the data of the screen.
///
///     static let choices = [
///       Choices<Self>("account", of: OpenAccount.self) { screen in
///         screen.accounts.map { Choice($0.id, title: Text($0.name)) }
///       }
///     ]
///
/// The field takes texts or whole numbers. Clients see the choices as they see those that the field declares itself,
/// and the service refuses every other value.
public struct Choices<Of: Screen>: Sendable {
  let definition: ScreenLimitDefinition

  /// - Parameters:
  ///   - field: the name of a field of the action.
  ///   - isListed: whether the schema of the field lists the choices. Omit choices that the items of a list carry.
  ///   - choices: returns the choices. The choices depend on the screen alone, which its coordinators have filled in
  ///     before.
  public init<A: Action>(
    _ field: String, of action: A.Type, isListed: Bool = true, choices: @escaping @Sendable (Of) -> [Choice]
  ) {
    definition = ScreenLimitDefinition(
      field, of: ActionKey(A.self), .choices(isListed: isListed) { choices(try $0.decode(Of.self)) })
  }
}
