internal import Languages
internal import Values

/// A property of a screen that an effect loads, such as the products of a backend.
///
///     struct Catalogue: Screen {
///       static let name = "catalogue", title: Title<Self> = "Catalogue"
///       static let loads = [Load<Self>(\.products, fresh: .seconds(60)) { _ in FetchProducts() }]
///       var products: [Product]?
///     }
///
/// The step that makes the screen visible requests the effect, unless the property has fresh data. The screen is shown at
/// once, and the outcome fills the property, also while other screens cover it. Clients see in the view that data is
/// under way, and can try again after a failure. If the screen is left before, the effect is cancelled.
///
/// If the effect depends on other properties of the screen and one of them changes, the property is nil until the effect
/// has loaded its data anew.
public struct Load<Of: Screen>: Sendable {
  /// The name of the property, which is a member of the screen's data. Empty if the property is not a stored one of the
  /// screen.
  let field: String
  let freshness: Duration
  let problem: Text
  let isData: Bool
  let effect: String
  let define: @Sendable (_ services: any Sendable) -> EffectDefinition
  let request: @Sendable (Of) throws -> Value?

  /// - Parameters:
  ///   - property: a stored property of the screen.
  ///   - fresh: the age up to which data is not loaded again when the screen becomes visible again.
  ///   - problem: the sentence for people after the effect has failed; nil for a text of the service in the language of
  ///     the session.
  ///   - isData: whether the property is part of the screen's data for clients. Leave a long list out of it that
  ///     ``Screen/content`` shows page by page.
  ///   - effect: returns the effect that loads the property, or nil if there is nothing to load yet. It depends on the
  ///     screen alone, which its coordinators have filled in before.
  public init<E: Effect>(
    _ property: KeyPath<Of, E.Output?>, fresh: Duration = .seconds(60),
    problem: Text? = nil, isData: Bool = true,
    _ effect: @escaping @Sendable (Of) -> E?
  ) {
    field = Self.name(of: property)
    freshness = fresh
    self.problem = problem ?? Text(.loadFailed)
    self.isData = isData
    self.effect = E.name
    define = { EffectDefinition(E.self, services: $0) }
    request = { screen in try effect(screen).map { try Value(encoding: $0) } }
  }

  /// Returns the name in a description such as `\Catalogue.products` (SE-0369).
  private static func name(of property: PartialKeyPath<Of>) -> String {
    let description = "\(property)"
    let name = description.split(separator: ".").last.map { String($0) } ?? ""
    let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isIDContinue || $0 == "_" }
    return isPlain && MemoryLayout<Of>.offset(of: property) != nil ? name : ""
  }
}
