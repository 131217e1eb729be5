internal import Values

/// A text: of a length, of digits, or one of several choices.
struct TextKind: FieldKind {
  /// In Unicode code points.
  var length: ClosedRange<Int>?
  /// The exact number of ASCII digits.
  var digits: Int?
  var choices: [Choice]?
  var isSecret = false
  var textFormat: TextFormat?
  /// Whether a form asks on several lines.
  var isMultiline = false
  /// Whether a form shows all choices at once.
  var isRadio = false

  /// A form asks on several lines for a text that may be longer than this.
  private static let longestLine = 200

  var type: String { "string" }
  var format: String? { isSecret ? "password" : textFormat?.schemaFormat }
  var takesEmptyText: Bool { choices == nil && textFormat == nil }

  var limits: [FieldLimit] {
    var limits: [FieldLimit] = []
    if let length { limits += [.minimumLength(length.lowerBound), .maximumLength(length.upperBound)] }
    if let digits { limits.append(.digits(digits)) }
    if let textFormat {
      if let maximum = textFormat.maximumLength { limits.append(.maximumLength(maximum)) }
      limits.append(.format(textFormat))
    }
    if let choices { limits.append(.choices(choices)) }
    return limits
  }

  var mistakes: [FieldMistake] {
    var mistakes: [FieldMistake] = []
    if let choices {
      if choices.isEmpty { mistakes.append(.noChoices) }
      mistakes += choices.map(\.value).repeated.map { .repeatedChoice($0) }
    }
    if let minimum = digits ?? length?.lowerBound, minimum < 0 { mistakes.append(.negativeLength) }
    return mistakes
  }

  var control: FieldControl {
    if let choices { return isRadio ? .radio(choices) : .select(choices) }
    if let textFormat { return textFormat.control }
    if isMultiline, !isSecret { return .textArea(maximumLength: length?.upperBound) }
    if !isSecret, let maximum = digits ?? length?.upperBound, maximum > Self.longestLine {
      return .textArea(maximumLength: maximum)
    }
    var attributes: [FieldControl.Attribute] = []
    if digits != nil { attributes.append(.init("inputmode", "numeric")) }
    if let minimum = digits ?? length?.lowerBound, minimum > 0 { attributes.append(.init("minlength", "\(minimum)")) }
    if let maximum = digits ?? length?.upperBound { attributes.append(.init("maxlength", "\(maximum)")) }
    return .input(type: isSecret ? "password" : "text", attributes: attributes)
  }

  func value(from text: String) -> Value { Value(text) }

  func limited(to choices: [Choice]) -> (any FieldKind)? {
    guard self.choices == nil else { return nil }
    var kind = self
    kind.choices = choices
    return kind
  }

  func faults(of value: Value) -> [FieldFault] {
    guard let text = value.text else { return [.wrongType(expected: "a text")] }
    var faults: [FieldFault] = []
    if let length {
      let count = text.unicodeScalars.count
      if count < length.lowerBound { faults.append(.outside(.minimumLength(length.lowerBound))) }
      if count > length.upperBound { faults.append(.outside(.maximumLength(length.upperBound))) }
    }
    if let digits { faults += self.faults(of: text, digits: digits) }
    if let textFormat { faults += self.faults(of: text, textFormat) }
    if let choices, !choices.contains(where: { $0.value == text }) { faults.append(.outside(.choices(choices))) }
    return faults
  }

  private func faults(of text: String, _ format: TextFormat) -> [FieldFault] {
    var faults: [FieldFault] = []
    if let maximum = format.maximumLength, text.unicodeScalars.count > maximum {
      faults.append(.outside(.maximumLength(maximum)))
    }
    if !format.matches(text) {
      faults.append(.outside(.format(format)))
    } else if format == .date, CalendarDate(text) == nil {
      // The month has fewer days.
      faults.append(FieldFault(keyword: "format", .outside(.format(format))))
    }
    return faults
  }

  /// Returns a fault for each keyword of JSON Schema that fails, all with the fact that names the number of digits.
  private func faults(of text: String, digits: Int) -> [FieldFault] {
    let count = text.unicodeScalars.count
    let areDigits = text.utf8.allSatisfy(\.isASCIIDigit)
    let keywords = [count < digits ? "minLength" : count > digits ? "maxLength" : nil, areDigits ? nil : "pattern"]
    return keywords.compactMap { $0 }.map { FieldFault(keyword: $0, .outside(.digits(digits))) }
  }
}

/// A type of fields that take a length, digits or choices.
public protocol TextLike: FieldValue {}

extension String: TextLike {
  public static var fieldKind: any FieldKind { TextKind() }
  public static var placeholder: String { "" }
}

extension Optional: TextLike where Wrapped: TextLike {}

/// An enumeration of strings, a type of fields whose choices are its cases: `enum Size: String, FieldChoice { case s,
/// m, l }`.
public protocol FieldChoice: FieldValue, RawRepresentable, CaseIterable where RawValue == String {
  /// The choice as people read it; the raw value unless declared.
  var title: Text { get }
}

extension Field where Value: FieldChoice {
  /// Declares one of the cases, which a form shows all at once instead of in a menu.
  public init(_ title: Text, description: Text? = nil, showsAll: Bool) {
    self.init(title, description: description, kind: TextKind(choices: Value.choices, isRadio: showsAll))
  }
}

extension FieldChoice {
  public var title: Text { Text(rawValue) }
  // An enumeration without cases has no values, so no field of its type can be made.
  public static var placeholder: Self { allCases.first! }
  public static var fieldKind: any FieldKind {
    TextKind(choices: choices)
  }
  /// The cases with their titles.
  public static var choices: [Choice] { allCases.map { Choice($0.rawValue, title: $0.title) } }
}

/// A text that a ``Field`` can have, and its title for people.
///
///     @Field("Size", choices: ["s", "m", Choice("l", title: "Large")]) var size: String
public struct Choice: Sendable, Equatable, ExpressibleByStringLiteral {
  public let value: String
  public let title: Text

  public init(_ value: String, title: Text) {
    self.value = value
    self.title = title
  }

  public init(stringLiteral value: String) { self.init(value, title: Text(value)) }
}

extension Field where Value: TextLike {
  /// Declares a text of a length.
  ///
  /// - Parameters:
  ///   - length: in Unicode code points.
  ///   - isMultiline: whether a form asks on several lines. It does so for texts of more than 200 characters, too.
  public init(
    _ title: Text, description: Text? = nil, length: ClosedRange<Int>, isSecret: Bool = false, isMultiline: Bool = false
  ) {
    self.init(
      title, description: description, kind: TextKind(length: length, isSecret: isSecret, isMultiline: isMultiline))
  }

  /// Declares a text of a format, such as an e-mail address.
  public init(_ title: Text, description: Text? = nil, format: TextFormat) {
    self.init(title, description: description, kind: TextKind(textFormat: format))
  }

  /// Declares a text of exactly `digits` ASCII digits, such as a PIN.
  public init(_ title: Text, description: Text? = nil, digits: Int, isSecret: Bool = false) {
    self.init(title, description: description, kind: TextKind(digits: digits, isSecret: isSecret))
  }

  /// Declares a text that is one of several choices: at least one, and none twice.
  ///
  /// - Parameter showsAll: whether a form shows all choices at once instead of a menu.
  public init(_ title: Text, description: Text? = nil, choices: [Choice], showsAll: Bool = false) {
    self.init(title, description: description, kind: TextKind(choices: choices, isRadio: showsAll))
  }
}
