internal import Values

/// The values of a screen that a user agrees to with an action, such as the price on a button.
///
///     static let agreements = [Agreement<Self>(Pay.self) { $0.cents }]
///
/// An event in the background, such as the outcome of an effect, does not make an action stale that the user has seen
/// before it. If it changes what the user agrees to, it does: the action is refused, with the screen as it is now.
public struct Agreement<Of: Screen>: Sendable {
  let definition: ActionValue

  /// - Parameter value: the value, or several in a struct or an array.
  public init<A: Action, Agreed: Encodable & SendableMetatype>(
    _ action: A.Type, to value: @escaping @Sendable (Of) -> Agreed
  ) {
    definition = ActionValue(ActionKey(A.self)) { try Value(encoding: value($0.decode(Of.self))) }
  }
}
