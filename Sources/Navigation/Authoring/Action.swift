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
