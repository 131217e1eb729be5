/// What the user sees. A screen is a plain value: it knows its data and the actions it offers, and never a coordinator.
///
///     struct Buy: Screen {
///       static let name = "buy"
///       static let title: Title<Self> = "Buy"
///       static let actions: [any Action.Type] = [Pay.self]
///       var selectedProduct: Int
///     }
///
/// Its stored properties are the view's `data`. Those that a coordinator knows better (a balance, a login) get a default
/// here and are filled in by `Wiring.shows` or `Wiring.fills` whenever the screen is shown. A fill, like `content`, depends on the
/// session alone: what it reads elsewhere, such as a clock, makes the view's `ETag` stale. A `Date` is RFC 3339 text in the view.
public protocol Screen: Versioned {
  /// The name on the wire and in stored sessions: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
  static var title: Title<Self> { get }
  /// The actions, in the order in which a client shows them.
  static var actions: [any Action.Type] { get }
  static var leavePolicy: LeavePolicy { get }
  static var leaveQuestion: LeaveQuestion { get }
  /// Blocks for clients that draw any app.
  var content: [Block] { get }
}

extension Screen {
  public static var actions: [any Action.Type] { [] }
  public static var leavePolicy: LeavePolicy { .free }
  public static var leaveQuestion: LeaveQuestion {
    LeaveQuestion("Leave this screen?", message: "What you entered here is lost.")
  }
  public var content: [Block] { [] }
}
