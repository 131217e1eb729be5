/// The kinds of fields for an input that is not a Swift type. Each has the limits of the ``Field`` of its kind.
package enum FieldKinds {
  package static func boolean(mustBeTrue: Bool) -> any FieldKind { BooleanKind(isTrue: mustBeTrue) }

  package static func wholeNumber(minimum: Double?, maximum: Double?) -> any FieldKind {
    WholeNumberKind(NumberBounds(minimum: minimum, maximum: maximum))
  }

  /// - Parameter decimals: the number of decimal places.
  package static func amount(minimum: Double?, maximum: Double?, decimals: Int, unit: Text?) -> any FieldKind {
    AmountKind(bounds: NumberBounds(minimum: minimum, maximum: maximum), decimals: decimals, unit: unit)
  }

  package static func number(minimum: Double?, exclusiveMinimum: Double?, maximum: Double?) -> any FieldKind {
    NumberKind(NumberBounds(minimum: minimum, exclusiveMinimum: exclusiveMinimum, maximum: maximum))
  }

  package static func text(length: ClosedRange<Int>?, isSecret: Bool, isMultiline: Bool) -> any FieldKind {
    TextKind(length: length, isSecret: isSecret, isMultiline: isMultiline)
  }

  package static func digits(_ count: Int, isSecret: Bool) -> any FieldKind {
    TextKind(digits: count, isSecret: isSecret)
  }

  package static func text(
    pattern: String, example: String, length: ClosedRange<Int>?, isSecret: Bool
  ) -> any FieldKind {
    TextKind(length: length, isSecret: isSecret, pattern: ExamplePattern(pattern, example: example))
  }

  package static func text(format: TextFormat, length: ClosedRange<Int>?) -> any FieldKind {
    TextKind(length: length, textFormat: format)
  }

  package static func choice(of choices: [Choice], showsAll: Bool) -> any FieldKind {
    TextKind(choices: choices, isRadio: showsAll)
  }

  /// - Parameter choices: none for a field whose screen has its choices.
  package static func several(of choices: [Choice], count: ClosedRange<Int>?) -> any FieldKind {
    SeveralKind(choices: choices, count: count)
  }
}
