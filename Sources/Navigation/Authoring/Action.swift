internal import Values

/// Something the user can do on a screen or in a prompt, with its input.
///
///     struct BuySubscription: Action {
///       static let name = "buy"
///       static let title: Text = "Buy"
///       @Field("Product", in: 0...2) var product: Int
///     }
///
/// Every stored property is a ``Field``: its declaration validates the input, is the JSON Schema that clients see, and
/// labels the form.
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

/// How a client should present an action.
public enum ActionRole: String, Sendable { case primary, secondary, destructive, cancel }

/// An alert or a confirmation that a coordinator asks for with `Navigator.ask`: while it is open, only its buttons are
/// available. A button is an ``Action``, offered to the coordinator that asked and then to its ancestors.
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
/// The steps are what a user would do from the bottom of the root stack, so the right screens lie under the target and
/// guards hold for a link as they do for a tap: at the first guard that fails the link waits, before its later steps. Fields that the pattern does not name come from the link's query.
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

  /// Shows the tab whose root is this coordinator, popped to its root.
  public static func tab<C: Coordinator>(_ coordinator: C.Type) -> Step { Step(kind: .tab(C.name)) }

  /// Does an action of the screen that the steps before have led to.
  public static func action<A: Action>(_ action: A) -> Step {
    Step(kind: .action(name: A.name, type: A.self, input: { try Value(encoding: action) }))
  }
}
