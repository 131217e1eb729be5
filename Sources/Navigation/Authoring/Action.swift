internal import Values

/// An action of the user on a screen or in a prompt, with its input.
///
///     struct BuySubscription: Action {
///       static let name = "buy"
///       static let title: Text = "Buy"
///       @Field("Product", in: 0...2) var product: Int
///     }
///
/// Every stored property is a ``Field``. Its declaration validates the input, describes it to clients as a JSON Schema,
/// and labels the form.
public protocol Action: Codable, Sendable {
  /// The name on the wire: lower-case letters, digits and hyphens; unique on its screen.
  static var name: String { get }
  static var title: Text { get }
  static var role: ActionRole { get }
  init()
}

extension Action {
  public static var role: ActionRole { .secondary }
}

/// The emphasis with which a client presents an action.
public enum ActionRole: String, Sendable { case primary, secondary, destructive, cancel }

/// An alert or a confirmation, which a coordinator opens with `Navigator.ask`. While it is open, only its buttons are
/// available. A button is an ``Action``: the coordinator that asked may handle it first, its ancestors afterwards.
public protocol Prompt: Versioned {
  /// The name on the wire and in stored sessions; unique in the app.
  static var name: String { get }
  static var actions: [any Action.Type] { get }
  var title: Text { get }
  var message: Text { get }
}

/// A deep link: a path with placeholders, and the steps that lead to its target.
///
///     struct AccountLink: Link {
///       static let pattern = "/accounts/{accountId}"
///       @Field("Account", choices: ["a1", "a2"]) var accountId: String
///       var steps: [Step] { [.tab(Accounts.self), .action(OpenAccount(accountId: $accountId))] }
///     }
///
/// The steps are those of a user who starts at the bottom of the root stack. So the right screens lie under the target,
/// and guards apply to a link as they do to a tap: at the first guard that fails the link waits, and its later steps
/// with it. Fields that the pattern does not name come from the query of the link.
public protocol Link: Codable, Sendable {
  /// A path such as `/inbox/{messageId}`; each placeholder is a field of the link.
  static var pattern: String { get }
  var steps: [Step] { get }
  init()
}

/// One step of a deep link.
public struct Step: Sendable {
  enum Kind: Sendable {
    case tab(String)
    case action(name: String, type: any Action.Type, input: @Sendable () throws -> Value)
  }
  let kind: Kind

  /// Selects the tab whose root is this coordinator, and pops it to its root.
  public static func tab<C: Coordinator>(_ coordinator: C.Type) -> Step { Step(kind: .tab(C.name)) }

  /// Performs an action of the screen that the previous steps have led to.
  public static func action<A: Action>(_ action: A) -> Step {
    Step(kind: .action(name: A.name, type: A.self, input: { try Value(encoding: action) }))
  }
}
