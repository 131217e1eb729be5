internal import Languages
package import Values

/// A screen: its declarations, and closures that take its encoded data.
package final class DescribedScreen: Sendable {
  package enum Title: Sendable {
    case fixed(Text)
    case made(@Sendable (Value) throws -> Text)
  }

  /// A property that an effect loads; see ``Navigation/Load``.
  package struct Load: Sendable {
    let property: String
    let freshness: Duration
    let problem: Text
    let isData: Bool
    let effect: DescribedEffect
    let request: @Sendable (Value) throws -> Value?

    /// - Parameters:
    ///   - problem: the sentence for people after the effect has failed; nil for a text of the service.
    ///   - request: returns the encoded effect; nil if there is nothing to load yet.
    package init(
      _ property: String, freshness: Duration, problem: Text?, isData: Bool, effect: DescribedEffect,
      request: @escaping @Sendable (Value) throws -> Value?
    ) {
      (self.property, self.freshness, self.problem) = (property, freshness, problem ?? Text(.loadFailed))
      (self.isData, self.effect, self.request) = (isData, effect, request)
    }
  }

  /// The choices of a field that depend on the data; see ``Navigation/Choices``.
  package struct Choices: Sendable {
    let field: String
    let action: DescribedAction
    let isListed: Bool
    let make: @Sendable (Value) throws -> [Choice]

    package init(
      field: String, action: DescribedAction, isListed: Bool, make: @escaping @Sendable (Value) throws -> [Choice]
    ) {
      (self.field, self.action, self.isListed, self.make) = (field, action, isListed, make)
    }
  }

  /// A value that depends on the data and belongs to an action: what a user agrees to, or the values of a form.
  package struct ActionValue: Sendable {
    let action: DescribedAction
    let value: @Sendable (Value) throws -> Value

    package init(_ action: DescribedAction, value: @escaping @Sendable (Value) throws -> Value) {
      (self.action, self.value) = (action, value)
    }
  }

  package let name: String
  package let schema: StoredSchema
  package let title: Title
  package let actions: [DescribedAction]
  package let leavePolicy: LeavePolicy
  package let leaveQuestion: LeaveQuestion
  package let loads: [Load]
  package let choices: [Choices]
  package let agreements: [ActionValue]
  package let prefills: [ActionValue]
  let content: @Sendable (Value) throws -> [Block]

  package init(
    name: String, schema: StoredSchema, title: Title, actions: [DescribedAction], leavePolicy: LeavePolicy,
    leaveQuestion: LeaveQuestion, loads: [Load], choices: [Choices], agreements: [ActionValue],
    prefills: [ActionValue], content: @escaping @Sendable (Value) throws -> [Block]
  ) {
    (self.name, self.schema, self.title, self.actions) = (name, schema, title, actions)
    (self.leavePolicy, self.leaveQuestion) = (leavePolicy, leaveQuestion)
    (self.loads, self.choices, self.agreements) = (loads, choices, agreements)
    (self.prefills, self.content) = (prefills, content)
  }
}

/// The data of a ``DescribedScreen``, in the place of a screen in Swift.
struct ScreenData: Screen {
  // The requirements of a Swift type. The definition of the screen has the real ones.
  static let name = ""
  static let title: Title<Self> = ""

  let values: Value

  init(_ values: Value) { self.values = values }

  init(from decoder: any Decoder) throws { values = try decoder.singleValueContainer().decode(Value.self) }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(values)
  }

  static func values(of screen: any Screen) -> Value { (screen as? ScreenData)?.values ?? .emptyObject }
}
