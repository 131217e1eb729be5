internal import Languages

/// A screen of an app: a plain value, which knows its data and its actions, and never a coordinator.
///
///     struct Buy: Screen {
///       static let name = "buy"
///       static let title: Title<Self> = "Buy"
///       static let actions: [any Action.Type] = [Pay.self]
///       var selectedProduct: Int
///     }
///
/// Its stored properties are the `data` of the view. A property that a coordinator knows better, such as a balance, has
/// a default here; `Wiring.shows` or `Wiring.fills` fills it in whenever the screen is shown. A fill, like `content`,
/// depends on the session alone. If it read a clock, say, the `ETag` of the view would be stale. A `Date` is RFC 3339
/// text in the view.
public protocol Screen: Versioned {
  static var title: Title<Self> { get }
  /// The actions, in the order of their display.
  static var actions: [any Action.Type] { get }
  static var leavePolicy: LeavePolicy { get }
  static var leaveQuestion: LeaveQuestion { get }
  /// The values that a user agrees to with an action; none unless declared.
  static var agreements: [Agreement<Self>] { get }
  /// The properties that effects load; none unless declared.
  static var loads: [Load<Self>] { get }
  /// The choices of the actions' fields that depend on the data of the screen; none unless declared.
  static var choices: [Choices<Self>] { get }
  /// The bounds of the actions' fields that depend on the data of the screen; none unless declared.
  static var bounds: [Bounds<Self>] { get }
  /// The values with which the fields of actions begin; none unless declared.
  static var prefills: [Prefill<Self>] { get }
  /// The content for clients that draw any app.
  var content: [Block] { get }
}

extension Screen {
  public static var actions: [any Action.Type] { [] }
  public static var leavePolicy: LeavePolicy { .free }
  public static var leaveQuestion: LeaveQuestion { LeaveQuestion() }
  public static var agreements: [Agreement<Self>] { [] }
  public static var loads: [Load<Self>] { [] }
  public static var choices: [Choices<Self>] { [] }
  public static var bounds: [Bounds<Self>] { [] }
  public static var prefills: [Prefill<Self>] { [] }
  public var content: [Block] { [] }
}

/// The title of a screen: fixed for all screens of the type, or made from the values of each.
///
///     static let title: Title<Self> = "Home"
///     static let title = Title<Self> { "\($0.name)" }
public struct Title<Of: Screen>: Sendable, ExpressibleByStringInterpolation {
  let definition: ScreenTitle

  public init(stringLiteral value: String) { self.init(Text(value)) }
  public init(_ text: Text) { definition = .fixed(text) }
  /// Creates a title from the catalogue of the app; see ``Text/init(key:_:)``.
  public init(key: String, _ arguments: TextArguments = [:]) { self.init(Text(key: key, arguments)) }
  public init(_ make: @escaping @Sendable (Of) -> Text) { definition = .made { make(try $0.decode(Of.self)) } }
}

/// The condition under which an entry may be removed.
///
/// Every removal is subject to it: back, pop, popTo, popToRoot, dismiss, reselect, a deep link, and the finish of an
/// ancestor. Only the entry's own coordinator, which set the policy, goes forward regardless, by `finish`, `replaceTop`
/// or `setStack`.
public enum LeavePolicy: UInt8, Sendable, CaseIterable {
  case free
  /// No way back, as after paying.
  case sealed
  /// The ``Screen/leaveQuestion`` of the screen asks the user first.
  case confirm
}

/// The question that a screen with ``LeavePolicy/confirm`` asks before it is left.
public struct LeaveQuestion: Sendable {
  public let title: Text
  public let message: Text
  public let leave: Text
  public let stay: Text

  /// A text that is nil is one of the service, in the language of the session.
  ///
  /// - Parameters:
  ///   - leave: the button that leaves.
  ///   - stay: the button that stays.
  public init(_ title: Text? = nil, message: Text? = nil, leave: Text? = nil, stay: Text? = nil) {
    self.title = title ?? Text(.leaveTitle)
    self.message = message ?? Text(.leaveMessage)
    self.leave = leave ?? Text(.leaveLeave)
    self.stay = stay ?? Text(.leaveStay)
  }
}

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
  static var actions: [any Action.Type] { get }
  var title: Text { get }
  var message: Text { get }
}
