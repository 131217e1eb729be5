package import Languages
package import Values

/// A kind of number with bounds.
package protocol BoundedKind: FieldKind {
  var bounds: NumberBounds { get }

  func with(_ bounds: NumberBounds) -> Self
}

extension BoundedKind {
  package var limits: [FieldLimit] { bounds.limits }
  package var declarationFaults: [DeclarationFault] { bounds.declarationFaults }

  package func value(from text: String) -> Value { number(from: text) }

  package func bounded(minimum: Value?, maximum: Value?) -> (any FieldKind)? {
    with(
      NumberBounds(
        minimum: [minimum?.double, bounds.minimum].compactMap(\.self).max(), exclusiveMinimum: bounds.exclusiveMinimum,
        maximum: [maximum?.double, bounds.maximum].compactMap(\.self).min()))
  }
}

/// A whole number of 64 bits.
package struct WholeNumberKind: BoundedKind {
  package let bounds: NumberBounds

  package init(_ bounds: NumberBounds = NumberBounds()) { self.bounds = bounds }

  package func with(_ bounds: NumberBounds) -> WholeNumberKind { WholeNumberKind(bounds) }

  package var type: String { "integer" }
  package var control: FieldControl { bounds.ofWholeNumbers.control(mode: "numeric", step: "1") }

  package func value(from text: String) -> Value { DecimalText.isFraction(text) ? Value(text) : number(from: text) }

  package func limited(to choices: [Choice]) -> (any FieldKind)? { ChoiceKind(choices, of: self) }

  package func faults(of value: Value) -> [FieldFault] {
    guard let number = value.double, value.isWholeNumber else { return [.wrongType(expected: .wholeNumber)] }
    let faults = bounds.faults(of: number)
    guard value.wholeNumber == nil, faults.isEmpty else { return faults }
    return [.outside(number < 0 ? .minimum(Value(Int64.min)) : .maximum(Value(Int64.max)))]
  }

  /// Returns an integer, however the whole number was written.
  package func stored(_ value: Value) -> Value {
    guard value.kind == .double, let number = value.wholeNumber else { return value }
    return Value(number)
  }
}

/// An amount with a fixed number of decimal places, such as money, as a whole number of its smallest unit.
///
/// People write and read the amount with its decimal places: `12.50` is 1250. Its schema has the number of places as
/// `decimals`, and its `unit`.
package struct AmountKind: BoundedKind {
  package let bounds: NumberBounds
  /// The number of decimal places, at least 0.
  package let decimals: Int
  package let unit: Text?

  package init(_ bounds: NumberBounds = NumberBounds(), decimals: Int, unit: Text? = nil) {
    (self.bounds, self.decimals, self.unit) = (bounds, decimals, unit)
  }

  package func with(_ bounds: NumberBounds) -> AmountKind { AmountKind(bounds, decimals: decimals, unit: unit) }

  package var type: String { "integer" }
  package var declarationFaults: [DeclarationFault] {
    bounds.declarationFaults + (decimals < 0 ? [.negativeLength] : [])
  }
  package var annotations: [(String, Value)] {
    [("decimals", Value(decimals))] + (unit.map { [("unit", Value($0.string))] } ?? [])
  }

  /// The control without ``pattern(in:)``, which a form appends in its language.
  package var control: FieldControl {
    .input(type: "text", attributes: [.init("inputmode", decimals > 0 ? "decimal" : "numeric")])
  }

  /// Returns the pattern of an HTML control for amounts as people of a language type them.
  package func pattern(in language: ServiceLanguage) -> String {
    let sign = bounds.minimum.map { $0 >= 0 } == true ? "" : "(?:-\\s*)?"
    return "\\s*\(sign)\(language.amountPattern(decimals: decimals))\\s*"
  }

  package func shown(_ value: Value) -> Text {
    .money(Int(value.int ?? 0), currency: unit?.string ?? "", decimals: decimals)
  }

  package func value(from text: String) -> Value { value(from: text, in: .english) }

  /// Reads an amount as people of a language type it.
  package func value(from text: String, in language: ServiceLanguage) -> Value {
    // An amount beyond 64 bits is outside of its bounds, and not malformed.
    language.smallestUnits(text, decimals: decimals).flatMap { JSONParser.number($0) } ?? Value(text)
  }

  package func text(of value: Value) -> String {
    value.int.map { DecimalText.write($0, decimals: decimals) } ?? value.fieldText
  }

  package func faults(of value: Value) -> [FieldFault] {
    WholeNumberKind(bounds).faults(of: value).map { fault in
      switch fault.fact {
      case .wrongType where decimals == 0: fault
      case .wrongType where isTyped(value): .wrongType(expected: .amount(decimals: decimals))
      case .wrongType: .wrongType(expected: .smallestUnits(decimals: decimals))
      case .outside(let limit):
        FieldFault(keyword: fault.keyword, .outsideAmount(limit, decimals: decimals, unit: unit))
      default: fault
      }
    }
  }

  /// Returns whether a person could have typed the invalid value. A form turns a valid amount into a whole number, so
  /// only a program sends the text of an amount, a fraction or a boolean.
  private func isTyped(_ value: Value) -> Bool {
    guard let text = value.text else { return false }
    // Languages with a decimal comma refuse a point that may group thousands.
    let mayBeGrouped = decimals > 2 && text.contains(".")
    return mayBeGrouped || DecimalText.smallestUnits(text, decimals: decimals) == nil
  }

  package func stored(_ value: Value) -> Value { WholeNumberKind(bounds).stored(value) }

  package func withTexts(_ write: (Text) -> Text) -> any FieldKind {
    AmountKind(bounds, decimals: decimals, unit: unit.map(write))
  }
}

extension Field where Value: WholeNumber {
  /// Declares an amount with decimal places, such as money, as a whole number of its smallest unit.
  ///
  ///     @Field("Amount", decimals: 2, unit: "EUR", in: 1...100_000) var cents: Int
  ///
  /// - Parameters:
  ///   - decimals: the number of decimal places.
  ///   - unit: the unit of the amount, not of the whole number.
  ///   - range: in the smallest unit.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, decimals: Int, unit: Text? = nil,
    in range: ClosedRange<Int>, isSensitive: Bool = false, errors: FieldErrors = [:]
  ) {
    let bounds = NumberBounds(minimum: Double(range.lowerBound), maximum: Double(range.upperBound))
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: AmountKind(bounds, decimals: decimals, unit: unit), isSensitive: isSensitive, errors: errors)
  }

  /// Declares a whole number within a range.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, in range: ClosedRange<Int>,
    isSensitive: Bool = false, errors: FieldErrors = [:]
  ) {
    let bounds = NumberBounds(minimum: Double(range.lowerBound), maximum: Double(range.upperBound))
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: WholeNumberKind(bounds),
      isSensitive: isSensitive, errors: errors)
  }
}

/// A number with or without a fraction.
package struct NumberKind: BoundedKind {
  package let bounds: NumberBounds

  package init(_ bounds: NumberBounds = NumberBounds()) { self.bounds = bounds }

  package func with(_ bounds: NumberBounds) -> NumberKind { NumberKind(bounds) }

  package var type: String { "number" }
  package var control: FieldControl { bounds.control(mode: "decimal", step: "any") }

  package func faults(of value: Value) -> [FieldFault] {
    guard let number = value.double else { return [.wrongType(expected: .number)] }
    return bounds.faults(of: number)
  }
}

/// The bounds of a number; nil where there is none.
package struct NumberBounds: Sendable {
  let minimum: Double?
  let exclusiveMinimum: Double?
  let maximum: Double?

  package init(minimum: Double? = nil, exclusiveMinimum: Double? = nil, maximum: Double? = nil) {
    (self.minimum, self.exclusiveMinimum, self.maximum) = (minimum, exclusiveMinimum, maximum)
  }

  var limits: [FieldLimit] {
    var limits: [FieldLimit] = []
    if let minimum { limits.append(.minimum(limit(minimum))) }
    if let exclusiveMinimum { limits.append(.exclusiveMinimum(limit(exclusiveMinimum))) }
    if let maximum { limits.append(.maximum(limit(maximum))) }
    return limits
  }

  var declarationFaults: [DeclarationFault] {
    guard let maximum else { return [] }
    var declarationFaults: [DeclarationFault] = []
    if let minimum, minimum > maximum { declarationFaults.append(.minimumAboveMaximum) }
    if let exclusiveMinimum, exclusiveMinimum >= maximum { declarationFaults.append(.emptyRange) }
    return declarationFaults
  }

  func faults(of number: Double) -> [FieldFault] {
    let violated = NumberBounds(
      minimum: minimum.flatMap { number < $0 ? $0 : nil },
      exclusiveMinimum: exclusiveMinimum.flatMap { number <= $0 ? $0 : nil },
      maximum: maximum.flatMap { number > $0 ? $0 : nil })
    return violated.limits.map { .outside($0) }
  }

  /// The bounds of the whole numbers within these bounds: a control counts its steps from its minimum.
  fileprivate var ofWholeNumbers: NumberBounds {
    NumberBounds(
      minimum: minimum?.rounded(.up) ?? exclusiveMinimum.map { $0.rounded(.down) + 1 }, maximum: maximum?.rounded(.down)
    )
  }

  func control(mode: String, step: String) -> FieldControl {
    var attributes: [FieldControl.Attribute] = [.init("inputmode", mode)]
    // A control has no exclusive minimum, but the smallest number above one.
    if let bound = minimum ?? exclusiveMinimum?.nextUp { attributes.append(.init("min", text(bound))) }
    if let maximum { attributes.append(.init("max", text(maximum))) }
    return .input(type: "number", attributes: attributes + [.init("step", step)])
  }

  private func limit(_ bound: Double) -> Value {
    Int64(exactly: bound).map { Value($0) } ?? Value(finite: bound) ?? .null
  }

  private func text(_ bound: Double) -> String { Int64(exactly: bound).map { String($0) } ?? String(bound) }
}

private func number(from text: String) -> Value { JSONParser.number(DecimalText.json(text)) ?? Value(text) }

extension Value {
  /// Whether the value is an integer or a double without a fraction, which JSON Schema counts as one.
  fileprivate var isWholeNumber: Bool {
    if kind == .integer { return true }
    guard kind == .double, let number = double else { return false }
    return number.rounded(.towardZero) == number
  }

  /// The whole number that the value is, if it fits in 64 bits.
  fileprivate var wholeNumber: Int64? { kind == .double ? double.flatMap { Int64(exactly: $0) } : int }
}

/// A type of fields that take a range of whole numbers, or choices.
public protocol WholeNumber: ChoiceValue {}
/// A type of fields that take bounds of real numbers.
public protocol RealNumber: FieldValue {}

extension Int: WholeNumber {
  public static var fieldKind: any FieldKind { WholeNumberKind() }
  public static var placeholder: Int { 0 }
}

extension Double: RealNumber {
  public static var fieldKind: any FieldKind { NumberKind() }
  public static var placeholder: Double { 0 }
}

extension Optional: WholeNumber where Wrapped: WholeNumber {}
extension Optional: RealNumber where Wrapped: RealNumber {}

extension Field where Value: RealNumber {
  /// Declares a number within bounds, with the names that JSON Schema gives them.
  ///
  /// - Parameters:
  ///   - exclusiveMinimum: the value is greater than this.
  ///   - minimum: the value is at least this.
  ///   - maximum: the value is at most this.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, exclusiveMinimum: Double? = nil,
    minimum: Double? = nil, maximum: Double? = nil, isSensitive: Bool = false, errors: FieldErrors = [:]
  ) {
    let bounds = NumberBounds(minimum: minimum, exclusiveMinimum: exclusiveMinimum, maximum: maximum)
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: NumberKind(bounds), isSensitive: isSensitive,
      errors: errors)
  }
}
