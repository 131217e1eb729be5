/// A part of the app's flow: it decides which screen comes next. A plain value; one live copy is a node of the session.
///
/// Its code runs on a thread that serves other sessions too, and holds no lock on this one. So it never waits: no `sleep`, no file, no
/// database, no call to another service. See ``Wiring`` for all limits.
///
///     struct BuyCoordinator: Coordinator {
///       static let name = "buy"
///       var product: Int
///       func start(_ nav: inout Navigator<Self>) { nav.push(Buy(selectedProduct: product)) }
///       static let wiring = Wiring<Self>()
///         .shows(Buy.self)
///         .on(Pay.self) { me, _, nav in nav.finish(Purchase(product: me.product)) }
///     }
public protocol Coordinator: Versioned {
  /// What it hands to its parent when it finishes; ``Nothing`` unless declared.
  associatedtype Result: Codable & Sendable = Nothing
  /// The services of the app that its code uses: the type that the app was given, or a protocol of it. ``NoServices`` unless declared.
  associatedtype Services: Sendable = NoServices
  /// The name on the wire and in stored sessions: lower-case letters, digits and hyphens; unique in the app.
  static var name: String { get }
  /// Which screens it shows, what it does on their actions, and which children it starts.
  static var wiring: Wiring<Self> { get }
  /// Shows the first screen. One that shows nothing and starts nothing is over at once, as if cancelled.
  func start(_ nav: inout Navigator<Self>)
}

/// The result of a coordinator that only reports that it is done.
public struct Nothing: Codable, Sendable, Equatable {
  public init() {}
}
