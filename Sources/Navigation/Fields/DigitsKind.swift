internal import Values

/// A text of an exact number of ASCII digits.
package struct DigitsKind: TextualKind {
  let count: Int
  package let isSecret: Bool

  package init(_ count: Int, isSecret: Bool = false) { (self.count, self.isSecret) = (count, isSecret) }

  package var takesEmptyText: Bool { true }
  package var limits: [FieldLimit] { [.digits(count)] }
  package var declarationFaults: [DeclarationFault] { count < 0 ? [.negativeLength] : [] }

  package var control: FieldControl {
    control(
      TextLength(count...count), attributes: [.init("inputmode", "numeric"), .init("pattern", "[0-9]{\(count)}")])
  }

  /// Returns a fault for each keyword of JSON Schema that fails, all with the fact that names the number of digits.
  package func faults(ofText text: String, stepsLeft: inout Int) -> [FieldFault] {
    let length = text.unicodeScalars.count
    let areDigits = text.utf8.allSatisfy(\.isASCIIDigit)
    let keywords = [length < count ? "minLength" : length > count ? "maxLength" : nil, areDigits ? nil : "pattern"]
    return keywords.compactMap { $0 }.map { FieldFault(keyword: $0, .outside(.digits(count))) }
  }
}

extension Field where Value: TextLike {
  /// Declares a text of exactly `digits` ASCII digits, such as a PIN.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, digits: Int, isSecret: Bool = false,
    isSensitive: Bool = false, autofill: Autofill? = nil, errors: FieldErrors = [:]
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: DigitsKind(digits, isSecret: isSecret),
      isSensitive: isSensitive, autofill: autofill, errors: errors)
  }
}
