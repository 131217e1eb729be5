internal import Languages
package import Values

/// A declared screen: its name, and closures that draw it from its data.
public final class ScreenDefinition: Declaration, Sendable {
  public var name: String { schema.name }
  public let actions: [ActionDefinition]
  public let leavePolicy: LeavePolicy
  public let leaveQuestion: LeaveQuestion
  let schema: SchemaDefinition
  let title: ScreenTitle
  let content: @Sendable (AppValue) throws -> [Block]
  let loads: [LoadDefinition]
  let limits: [ScreenLimitDefinition]
  /// The values that a user agrees to.
  let agreements: [ActionValue]
  /// The values with which fields begin.
  let prefills: [ActionValue]
  /// The form that depends on the screen as a whole; nil for a screen without one.
  let form: ScreenForm?
  /// Whether clients see none of the data.
  let hidesData: Bool
  /// Whether its code reads the date, as the member ``Value/today`` of its data.
  let readsToday: Bool

  /// The title of all screens of this name; nil if it is made from the values of each.
  public var fixedTitle: Text? { if case .fixed(let title) = title { title } else { nil } }

  package init(
    _ schema: SchemaDefinition, title: ScreenTitle, actions: [ActionDefinition], leavePolicy: LeavePolicy,
    leaveQuestion: LeaveQuestion, loads: [LoadDefinition], limits: [ScreenLimitDefinition], agreements: [ActionValue],
    prefills: [ActionValue], readsToday: Bool = false, form: ScreenForm? = nil, hidesData: Bool = false,
    content: @escaping @Sendable (AppValue) throws -> [Block]
  ) {
    (self.schema, self.title, self.actions) = (schema, title, actions)
    (self.leavePolicy, self.leaveQuestion, self.loads) = (leavePolicy, leaveQuestion, loads)
    (self.limits, self.agreements, self.prefills, self.content) = (limits, agreements, prefills, content)
    (self.readsToday, self.form, self.hidesData) = (readsToday, form, hidesData)
  }

  /// Returns the screen with its texts in a language.
  ///
  /// - Parameter actions: the same actions, registered.
  func registered(with actions: [ActionDefinition], _ writer: TextWriter) -> ScreenDefinition {
    ScreenDefinition(
      schema, title: title.written(by: writer), actions: actions, leavePolicy: leavePolicy,
      leaveQuestion: leaveQuestion.withTexts { writer.written($0) }, loads: loads.map { $0.written(by: writer) },
      limits: limits, agreements: agreements, prefills: prefills, readsToday: readsToday, form: form,
      hidesData: hidesData, content: content)
  }
}

package enum ScreenTitle: Sendable {
  case fixed(Text)
  /// A title that is made from the data of the screen.
  case made(@Sendable (AppValue) throws -> Text)

  fileprivate func written(by writer: TextWriter) -> ScreenTitle {
    if case .fixed(let title) = self { .fixed(writer.written(title)) } else { self }
  }
}

/// A value that depends on the data of a screen and belongs to one of its actions.
package struct ActionValue: Sendable {
  let action: ActionKey
  let value: @Sendable (AppValue) throws -> Value

  package init(_ action: ActionKey, value: @escaping @Sendable (AppValue) throws -> Value) {
    (self.action, self.value) = (action, value)
  }
}

/// A property of a screen that an effect loads; see ``Load``.
package struct LoadDefinition: Sendable {
  let field: String
  let freshness: Duration
  /// The sentence for people after a failure.
  private(set) var problem: Text
  /// Whether the property is part of the data for clients.
  let isData: Bool
  let effect: EffectReference
  /// Returns the encoded effect for a screen; nil if there is nothing to load yet.
  let request: @Sendable (AppValue) throws -> Value?
  /// Encodes a screen anew; nil for data that has every declared property.
  let encoded: (@Sendable (AppValue) throws -> Value)?
  /// The latest screen with the output of a public effect.
  let shared = SharedScreen()

  /// - Parameters:
  ///   - problem: the sentence for people after the effect has failed; nil for a text of the service.
  ///   - request: returns the encoded effect; nil if there is nothing to load yet.
  ///   - encoded: encodes a screen anew; nil for data that has every declared property.
  package init(
    _ field: String, freshness: Duration, problem: Text?, isData: Bool, effect: EffectReference,
    request: @escaping @Sendable (AppValue) throws -> Value?,
    encoded: (@Sendable (AppValue) throws -> Value)? = nil
  ) {
    (self.field, self.freshness, self.problem) = (field, freshness, problem ?? Text(.loadFailed))
    (self.isData, self.effect, self.request) = (isData, effect, request)
    self.encoded = encoded
  }

  fileprivate func written(by writer: TextWriter) -> LoadDefinition {
    copy(of: self) { $0.problem = writer.written(problem) }
  }
}

/// A limit of an action's field that depends on the data of a screen; see ``Choices`` and ``Bounds``.
package struct ScreenLimitDefinition: Sendable {
  let field: String
  let action: ActionKey
  let kind: Kind

  package enum Kind: Sendable {
    /// `isListed` is whether the schema of the field lists the choices.
    case choices(isListed: Bool, @Sendable (AppValue) throws -> [Choice])
    /// A bound is nil where the field has its own alone.
    case bounds(@Sendable (AppValue) throws -> (minimum: Value?, maximum: Value?))
  }

  package init(_ field: String, of action: ActionKey, _ kind: Kind) {
    (self.field, self.action, self.kind) = (field, action, kind)
  }
}

/// The data that a coordinator fills into a screen.
package struct BindingDefinition: Sendable {
  let screen: String
  /// Takes the coordinator, and changes the screen.
  let fill: @Sendable (AppValue, inout AppValue, SessionEnvironment) throws -> Void

  package init(
    _ screen: String, fill: @escaping @Sendable (AppValue, inout AppValue, SessionEnvironment) throws -> Void
  ) {
    (self.screen, self.fill) = (screen, fill)
  }
}
