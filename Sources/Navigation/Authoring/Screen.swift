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

/// The title of a screen: fixed for all of its kind, or made from the screen's values.
///
///     static let title: Title<Self> = "Home"
///     static let title = Title<Self> { "\($0.name)" }
public struct Title<Of: Screen>: Sendable, ExpressibleByStringInterpolation {
  enum Source: Sendable {
    case fixed(Text)
    case made(@Sendable (Of) -> Text)
  }
  let source: Source

  public init(stringLiteral value: String) { source = .fixed(Text(value)) }
  public init(_ make: @escaping @Sendable (Of) -> Text) { source = .made(make) }
}

/// What it takes to remove an entry (design: navigation, "Verbs", leaving).
///
/// Every removal asks it: back, pop, popTo, popToRoot, dismiss, reselect, a deep link, and an ancestor's finish. The
/// entry's own coordinator goes forward without being asked, by `finish`, `replaceTop` or `setStack`: it set the policy.
public enum LeavePolicy: UInt8, Sendable, CaseIterable {
  case free
  /// No way back, as after paying.
  case sealed
  /// The user is asked first, with the screen's ``Screen/leaveQuestion``.
  case confirm
}

/// The question of a screen that is left with ``LeavePolicy/confirm``.
public struct LeaveQuestion: Sendable {
  public let title: Text
  public let message: Text
  public let leave: Text
  public let stay: Text

  public init(_ title: Text, message: Text, leave: Text = "Leave", stay: Text = "Stay") {
    self.title = title
    self.message = message
    self.leave = leave
    self.stay = stay
  }
}

/// One piece of a screen's content, for clients that draw any app (design: api, "The view").
public enum Block: Sendable, Equatable {
  case text(Text)
  case heading(Text)
  /// Labels with values, such as an order's lines.
  case facts([Fact])
  case list([Item])
  /// `source` is a URL; `alternative` says what the image shows.
  case image(source: String, alternative: Text)
  case notice(Text, tone: Tone = .info)
  /// A link out of the app; `href` is a URL.
  case link(Text, href: String)

  public struct Fact: Sendable, Equatable {
    public let label: Text
    public let value: Text

    public init(_ label: Text, _ value: Text) {
      self.label = label
      self.value = value
    }
  }

  public struct Item: Sendable, Equatable {
    public let title: Text
    public let detail: Text?

    public init(_ title: Text, detail: Text? = nil) {
      self.title = title
      self.detail = detail
    }
  }

  public enum Tone: String, Sendable { case info, success, warning, error }
}

/// A text shown to people: a title, a label, a reason.
///
/// Written as a string literal. Everything that people read has this type, so that what is a plain string today can be
/// chosen for a language when a view is made, without a change to the apps.
public struct Text: Sendable, Hashable, ExpressibleByStringInterpolation {
  public let string: String

  public init(_ string: String) { self.string = string }
  public init(stringLiteral value: String) { string = value }
}
