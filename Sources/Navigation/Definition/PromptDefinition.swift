internal import Values

/// A prompt as the app knows it.
public struct PromptDefinition: Sendable {
  public let name: String
  public internal(set) var actions: [ActionDefinition]
  /// Title and message of an encoded prompt.
  let texts: @Sendable (Value) throws -> (title: Text, message: Text)
  let type: ObjectIdentifier

  init<P: Prompt>(_ prompt: P.Type) {
    name = P.name
    actions = P.actions.map { ActionDefinition($0) }
    type = ObjectIdentifier(P.self)
    texts = {
      let prompt = try $0.decode(P.self)
      return (prompt.title, prompt.message)
    }
  }
}
