internal import Values

/// A prompt as the app knows it.
public final class PromptDefinition: Sendable {
  public let name: String
  public let actions: [ActionDefinition]
  let crashName: CrashName
  let schema: SchemaDefinition
  /// Title and message of an encoded prompt.
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
}

/// A prompt that a coordinator asks; its definition is made when the app is registered.
struct PromptDeclaration: Sendable {
  let name: String
  let type: ObjectIdentifier
  let actions: @Sendable () -> [any Action.Type]
  let define: @Sendable ([ActionDefinition]) -> PromptDefinition

  init<P: Prompt>(_ prompt: P.Type) {
    name = P.name
    type = ObjectIdentifier(P.self)
    actions = { P.actions }
    define = { PromptDefinition(P.self, actions: $0) }
  }
}
