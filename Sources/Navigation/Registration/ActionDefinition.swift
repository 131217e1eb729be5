package import Values

/// A declared prompt.
public final class PromptDefinition: Declaration, Sendable {
  public var name: String { schema.name }
  public let actions: [ActionDefinition]
  let schema: SchemaDefinition
  /// Returns the title and the message of an encoded prompt.
  let texts: @Sendable (Value) throws -> (title: Text, message: Text)
  /// Whether the texts contain the date, as the member ``Value/today`` of the encoded prompt.
  let readsToday: Bool

  /// - Parameter texts: returns the texts for an encoded prompt.
  package init(
    _ schema: SchemaDefinition, actions: [ActionDefinition], readsToday: Bool = false,
    texts: @escaping @Sendable (Value) throws -> (title: Text, message: Text)
  ) {
    (self.schema, self.actions, self.readsToday, self.texts) = (schema, actions, readsToday, texts)
  }

  /// - Parameter actions: the same actions, registered.
  func registered(with actions: [ActionDefinition]) -> PromptDefinition {
    PromptDefinition(schema, actions: actions, readsToday: readsToday, texts: texts)
  }
}

/// A declared action.
public final class ActionDefinition: Sendable {
  public let name: String
  public let title: Text
  public let role: ActionRole
  public let input: InputSchema
  /// The index in ``AppDefinition/actions``; 0 before the registration.
  public let index: Int
  /// Whether the action takes any answers of a journey. No view lists it, and its handler validates the input.
  package let takesAnswers: Bool
  let crashName: CrashName
  let fields: FieldDeclarations
  /// The identity of the Swift type or of the first definition; nil for that of this object.
  private let declaration: ObjectIdentifier?

  package var key: ActionKey { ActionKey(name: name, declaration: declaration ?? ObjectIdentifier(self)) }

  /// - Parameter declaration: the identity of the Swift type; nil for an action that none declares. Each object is then
  ///   an action of its own.
  package init(
    _ name: String, title: Text, role: ActionRole, fields: FieldDeclarations, declaration: ObjectIdentifier? = nil,
    index: Int = 0, takesAnswers: Bool = false
  ) {
    (self.name, self.title, self.role, self.fields, self.declaration) = (name, title, role, fields, declaration)
    (input, self.index, self.takesAnswers) = (fields.schema, index, takesAnswers)
    crashName = CrashName(name)
  }

  /// Returns the action with its index in the app, and its texts in a language.
  func registered(at index: Int, _ writer: TextWriter) -> ActionDefinition {
    ActionDefinition(
      name, title: writer.written(title), role: role, fields: fields.written(by: writer),
      declaration: key.declaration, index: index, takesAnswers: takesAnswers)
  }
}

/// Tells two actions of one name apart: the screens of a flow may each have a `next` with an input of its own.
package struct ActionKey: Hashable, Sendable {
  let name: String
  /// The identity of the Swift type or of the ``ActionDefinition``.
  let declaration: ObjectIdentifier

  package static func == (a: ActionKey, b: ActionKey) -> Bool { a.declaration == b.declaration }

  package func hash(into hasher: inout Hasher) { hasher.combine(declaration) }
}
