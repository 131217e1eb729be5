internal import Values

/// The bounds of an action's field that depend on the data of a screen.
///
///     static let bounds = [
///       Bounds<Self>("last", of: ChooseDates.self, from: { $0.first }, through: { $0.end })
///     ]
///
/// The field takes numbers, dates or times of day. Clients see the bounds as they see those that the field declares
/// itself, and the service refuses every value outside of them.
public struct Bounds<Of: Screen>: Sendable {
  let definition: ScreenLimitDefinition

  /// - Parameters:
  ///   - field: the name of a field of the action.
  ///   - minimum: returns the minimum, beside that of the field; nil for none. The bounds depend on the screen alone,
  ///     which its coordinators have filled in before.
  ///   - maximum: returns the maximum, beside that of the field; nil for none.
  public init<A: Action, Bound: FieldValue>(
    _ field: String, of action: A.Type, from minimum: @escaping @Sendable (Of) -> Bound?,
    through maximum: @escaping @Sendable (Of) -> Bound? = { _ in nil }
  ) {
    definition = ScreenLimitDefinition(
      field, of: ActionKey(A.self),
      .bounds { data in
        let screen = try data.decode(Of.self)
        return (
          try minimum(screen).map { try Value(encoding: $0) }, try maximum(screen).map { try Value(encoding: $0) }
        )
      })
  }
}
