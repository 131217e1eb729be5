internal import Values

/// An action as the app knows it.
public final class ActionDefinition: Sendable {
  public let name: String
  public let title: Text
  public let role: ActionRole
  public let input: InputSchema
  /// `"name":…,"title":…,"role":…` as JSON text.
  public let label: [UInt8]
  /// `input` as clients see it (JSON Schema 2020-12), as JSON text.
  public let schema: [UInt8]
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
    schema = declarations.schema.jsonSchema.json
    fields = declarations
    var json = JSONWriter()
    json.label(A.name, A.title)
    json.key(literal: "role")
    json.string(A.role.rawValue)
    label = json.finish()
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
