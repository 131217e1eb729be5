internal import Values

/// The values with which the fields of an action begin, so that people find what they typed before.
///
///     static let prefills = [Prefill<Self>(EnterAddress.self) { screen in screen.address }]
///
/// A field begins with the property of its name. A property that is missing, nil or not valid for its field, and a secret
/// field, leave the field as its declaration says.
public struct Prefill<Of: Screen>: Sendable {
  let definition: ActionValue

  /// - Parameter values: returns a value with the properties, such as the screen itself, an action that was performed
  ///   before, or a type of the app; nil for none. The value depends on the screen alone, which its coordinators have
  ///   filled in before.
  public init<A: Action, Values: Encodable & SendableMetatype>(
    _ action: A.Type, values: @escaping @Sendable (Of) -> Values?
  ) {
    definition = ActionValue(ActionKey(A.self)) { screen in
      try values(try screen.decode(Of.self)).map { try Value(encoding: $0) } ?? .null
    }
  }
}
