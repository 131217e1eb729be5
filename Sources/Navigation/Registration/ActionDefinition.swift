internal import Values

/// A declared prompt.
public final class PromptDefinition: Sendable {
  public let name: String
  public let actions: [ActionDefinition]
  let crashName: CrashName
  let schema: SchemaDefinition
  /// Returns the title and the message of an encoded prompt.
  let texts: @Sendable (Value) throws -> (title: Text, message: Text)

  init<P: Prompt>(_ prompt: P.Type, actions: [ActionDefinition]) {
    name = P.name
    crashName = CrashName(P.name)
    schema = SchemaDefinition(P.self)
    self.actions = actions
    texts = {
      let prompt = try $0.decode(P.self)
      return (prompt.title, prompt.message)
    }
  }

  init(_ prompt: DescribedPrompt, actions: [ActionDefinition]) {
    name = prompt.name
    crashName = CrashName(prompt.name)
    schema = SchemaDefinition(prompt.schema, of: prompt)
    self.actions = actions
    texts = prompt.texts
  }
}

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

  init<A: Action>(_ action: A.Type, index: Int, _ writer: TextWriter) {
    let declarations = FieldDeclarations(of: A())
    name = A.name
    crashName = CrashName(A.name)
    title = writer.written(A.title)
    role = A.role
    input = declarations.schema.written(by: writer)
    fields = declarations
    key = ActionKey(A.self)
    self.index = index
  }

  init(_ action: DescribedAction, index: Int, _ writer: TextWriter) {
    name = action.name
    crashName = CrashName(action.name)
    title = writer.written(action.title)
    role = action.role
    input = action.input.written(by: writer)
    fields = FieldDeclarations(schema: action.input)
    key = action.key
    self.index = index
  }
}

/// Tells two actions of one name apart: the screens of a flow may each have a `next` with an input of its own.
struct ActionKey: Hashable, Sendable {
  let name: String
  /// The identity of the Swift type or of the ``DescribedAction``.
  let type: ObjectIdentifier

  init(_ action: any Action.Type) {
    name = action.name
    type = ObjectIdentifier(action)
  }

  init(_ action: DescribedAction) {
    name = action.name
    type = ObjectIdentifier(action)
  }
}
