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
  let definition: LoadDefinition

  /// - Parameters:
  ///   - property: a stored property of the screen.
  ///   - fresh: the age up to which data is not loaded again when the screen becomes visible again.
  ///   - problem: the sentence for people after the effect has failed; nil for a text of the service in the language of
  ///     the session.
  ///   - isData: whether the property is part of the screen's data for clients. Leave a long list out of it that
  ///     ``Screen/content`` shows page by page.
  ///   - effect: returns the effect that loads the property, or nil if there is nothing to load yet. The effect depends
  ///     on the screen alone, which its coordinators have filled in before.
  public init<E: Effect>(
    _ property: KeyPath<Of, E.Output?>, fresh: Duration = .seconds(60),
    problem: Text? = nil, isData: Bool = true,
    _ effect: @escaping @Sendable (Of) -> E?
  ) {
    definition = LoadDefinition(
      property.storedName, freshness: fresh, problem: problem, isData: isData, effect: EffectReference(E.self),
      request: { screen in try effect(try screen.decode(Of.self)).map { try Value(encoding: $0) } },
      encoded: { try Value(encoding: $0.decode(Of.self)) })
  }
}

extension PartialKeyPath {
  /// The name in a description such as `\Catalogue.products` (SE-0369); an empty one for anything but a stored property.
  var storedName: String {
    let name = debugDescription.split(separator: ".").last.map { String($0) } ?? ""
    let isPlain = name.unicodeScalars.allSatisfy { $0.properties.isIDContinue || $0 == "_" }
    return isPlain && MemoryLayout<Root>.offset(of: self) != nil ? name : ""
  }
}
