package import Values

/// A kind of field whose values are texts. A screen may limit the values to choices.
package protocol TextualKind: FieldKind {
  var length: TextLength { get }

  /// Returns the faults of a text, apart from those of its length.
  ///
  /// - Parameter stepsLeft: the steps that are left for the patterns of the form.
  func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault]
}

extension TextualKind {
  package var length: TextLength { TextLength() }
  package var type: String { "string" }
  package var format: String? { isSecret ? "password" : nil }
  package var limits: [FieldLimit] { length.limits }
  package var declarationFaults: [DeclarationFault] { length.declarationFaults }

  package func value(from text: String) -> Value { Value(text) }

  package func cleaned(_ value: Value) -> Value {
    // A secret may begin with a space.
    guard !isSecret, let text = value.text else { return value }
    let trimmed = text.trimmingBlanks
    return trimmed.utf8.count == text.utf8.count ? value : Value(trimmed)
  }

  package func limited(to choices: [Choice]) -> (any FieldKind)? { ChoiceKind(choices, of: self) }

  package func faults(of value: Value) -> [FieldFault] {
    var steps = Pattern.stepLimit
    return faults(of: value, stepsLeft: &steps)
  }

  package func faults(of value: Value, stepsLeft: inout Int) -> [FieldFault] {
    guard let text = value.text else { return [.wrongType(expected: .text)] }
    let count = text.unicodeScalars.count
    // A text over the maximum length is not checked further, which saves time.
    if let maximum = length.maximum, count > maximum { return [.outside(.maximumLength(maximum))] }
    let faults = faults(ofText: text, stepsLeft: &stepsLeft)
    guard let minimum = length.minimum, count < minimum else { return faults }
    return [.outside(.minimumLength(minimum))] + faults
  }

  /// Returns the control of a text without a format.
  ///
  /// - Parameter attributes: the attributes of a control with one line, beside those of the length.
  func control(
    _ length: TextLength, attributes: [FieldControl.Attribute] = [], isMultiline: Bool = false
  ) -> FieldControl {
    if !isSecret, isMultiline || length.maximum.map({ $0 > longestLine }) ?? false {
      return .textArea(attributes: length.attributes)
    }
    return .input(type: isSecret ? "password" : "text", attributes: attributes + length.attributes)
  }
}

/// A form asks on several lines for a text that may be longer than this.
private let longestLine = 200

/// The bounds of the length of a text, in Unicode code points; nil where there is none.
package struct TextLength: Sendable {
  let minimum: Int?
  let maximum: Int?

  /// - Parameters:
  ///   - range: up to `Int.max` for a text of any length.
  ///   - maximum: the maximum length of every text of the kind.
  init(_ range: ClosedRange<Int>? = nil, maximum: Int? = nil) {
    minimum = range?.lowerBound
    self.maximum = [range?.upperBound, maximum].compactMap(\.self).filter { $0 < .max }.min()
  }

  var limits: [FieldLimit] {
    [minimum.map { .minimumLength($0) }, maximum.map { .maximumLength($0) }].compactMap(\.self)
  }

  var declarationFaults: [DeclarationFault] { if let minimum, minimum < 0 { [.negativeLength] } else { [] } }

  /// The attributes of a control.
  var attributes: [FieldControl.Attribute] {
    var attributes: [FieldControl.Attribute] = []
    if let minimum, minimum > 0 { attributes.append(.init("minlength", "\(minimum)")) }
    if let maximum { attributes.append(.init("maxlength", "\(maximum)")) }
    return attributes
  }
}

/// A text of a length.
package struct TextKind: TextualKind {
  package let length: TextLength
  package let isSecret: Bool
  /// Whether a form asks on several lines.
  private let isMultiline: Bool

  package init(length: ClosedRange<Int>? = nil, isSecret: Bool = false, isMultiline: Bool = false) {
    (self.length, self.isSecret, self.isMultiline) = (TextLength(length), isSecret, isMultiline)
  }

  package var takesEmptyText: Bool { true }
  package var control: FieldControl { control(length, isMultiline: isMultiline) }

  package func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] { [] }
}

/// A type of fields that take a length, digits or choices.
public protocol TextLike: ChoiceValue {}

extension String: TextLike {
  public static var fieldKind: any FieldKind { TextKind() }
  public static var placeholder: String { "" }
}

extension Optional: TextLike where Wrapped: TextLike {}

extension Field where Value: TextLike {
  /// Declares a text of a length.
  ///
  /// - Parameters:
  ///   - length: in Unicode code points.
  ///   - isMultiline: whether a form asks on several lines. A form does so for texts of more than 200 characters, too.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, length: ClosedRange<Int>,
    isSecret: Bool = false, isMultiline: Bool = false, isSensitive: Bool = false, autofill: Autofill? = nil,
    isFromAddress: Bool = false, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: TextKind(length: length, isSecret: isSecret, isMultiline: isMultiline), isSensitive: isSensitive,
      autofill: autofill, isFromAddress: isFromAddress, errors: errors)
  }
}
