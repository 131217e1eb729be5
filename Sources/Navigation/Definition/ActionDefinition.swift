/// An action of a registered app.
public final class ActionDefinition: Sendable {
  public let name: String
  public let title: Text
  public let role: ActionRole
  public let input: InputSchema
  /// The place in ``AppDefinition/actions``.
  public let index: Int
  let key: ActionKey
  let crashName: CrashName
  let fields: FieldDeclarations

  init<A: Action>(_ action: A.Type, index: Int) {
    let declarations = FieldDeclarations(of: A())
    name = A.name
    crashName = CrashName(A.name)
    title = A.title
    role = A.role
    input = declarations.schema
    fields = declarations
    key = ActionKey(A.self)
    self.index = index
  }
}

/// Tells two actions of one name apart: the screens of a flow may each have a `next` with an input of its own.
struct ActionKey: Hashable, Sendable {
  let name: String
  let type: ObjectIdentifier

  init(_ action: any Action.Type) {
    name = action.name
    type = ObjectIdentifier(action)
  }
}
