internal import Values

/// A text: of a length, of digits, or one of several choices.
struct TextKind: FieldKind {
  /// In Unicode code points; up to `Int.max` for a text of any length.
  var length: ClosedRange<Int>?
  /// The exact number of ASCII digits.
  var digits: Int?
  var choices: [Choice]?
  var isSecret = false
  var textFormat: TextFormat?
  var pattern: ExamplePattern?
  /// Whether a form asks on several lines.
  var isMultiline = false
  /// Whether a form shows all choices at once.
  var isRadio = false

  /// A form asks on several lines for a text that may be longer than this.
  private static let longestLine = 200

  var type: String { "string" }
  var format: String? { isSecret ? "password" : textFormat?.schemaFormat }
  var takesEmptyText: Bool { choices == nil && textFormat == nil && pattern == nil }

  /// The lower one of the maximum lengths of the field and of its format; nil for a length without end.
  private var maximumLength: Int? {
    [length?.upperBound, textFormat?.maximumLength].compactMap(\.self).filter { $0 < .max }.min()
  }

  var limits: [FieldLimit] {
    var limits: [FieldLimit] = []
    if let length { limits.append(.minimumLength(length.lowerBound)) }
    if let maximumLength { limits.append(.maximumLength(maximumLength)) }
    if let digits { limits.append(.digits(digits)) }
    if let textFormat { limits.append(.format(textFormat)) }
    if let pattern { limits.append(.pattern(pattern)) }
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
    if let mistake = pattern?.mistake { mistakes.append(mistake) }
    return mistakes
  }

  var control: FieldControl {
    if let choices { return isRadio ? .radio(choices) : .select(choices) }
    let (minimum, maximum) = (digits ?? length?.lowerBound, digits ?? maximumLength)
    var lengths: [FieldControl.Attribute] = []
    if let minimum, minimum > 0 { lengths.append(.init("minlength", "\(minimum)")) }
    if let maximum { lengths.append(.init("maxlength", "\(maximum)")) }
    if let textFormat { return textFormat.control(lengths) }
    if !isSecret, isMultiline || maximum.map({ $0 > Self.longestLine }) ?? false {
      return .textArea(attributes: lengths)
    }
    var attributes: [FieldControl.Attribute] = []
    if let pattern {
      // Spaces around a text are left out.
      let source = isSecret ? pattern.source : "\\s*(?:\(pattern.source))\\s*"
      attributes += [.init("pattern", source), .init("title", "Such as \(pattern.example)")]
    }
    if let digits { attributes += [.init("inputmode", "numeric"), .init("pattern", "[0-9]{\(digits)}")] }
    return .input(type: isSecret ? "password" : "text", attributes: attributes + lengths)
  }

  func value(from text: String) -> Value { Value(text) }

  func value(from texts: [String]) -> Value {
    textFormat == .dateTime ? OffsetDateTime.joined(texts) : texts.last.map { Value($0) } ?? .null
  }

  func texts(of value: Value) -> [String] {
    guard textFormat == .dateTime, let moment = value.text.flatMap({ OffsetDateTime($0) }) else {
      return [text(of: value)]
    }
    return moment.parts
  }

  func cleaned(_ value: Value) -> Value {
    // A secret may begin with a space, and a choice is not a typed text.
    guard !isSecret, choices == nil, let text = value.text else { return value }
    let trimmed = text.trimmingBlanks
    return trimmed.utf8.count == text.utf8.count ? value : Value(trimmed)
  }

  func stored(_ value: Value) -> Value {
    // The same characters may have several encodings in Unicode. The declared one counts, as it does in JSON Schema.
    if let choice = choices?.first(where: { $0.value == value.text }) { return Value(choice.value) }
    guard textFormat == .dateTime, let moment = value.text.flatMap({ OffsetDateTime($0) }) else { return value }
    return Value(moment.description)
  }

  func limited(to choices: [Choice]) -> (any FieldKind)? {
    guard self.choices == nil else { return nil }
    var kind = self
    kind.choices = choices
    return kind
  }

  func withTexts(_ write: (Text) -> Text) -> any FieldKind {
    var kind = self
    kind.choices = choices?.map { $0.withTexts(write) }
    return kind
  }

  func faults(of value: Value) -> [FieldFault] {
    var steps = Pattern.stepLimit
    return faults(of: value, stepsLeft: &steps)
  }

  func faults(of value: Value, stepsLeft: inout Int) -> [FieldFault] {
    guard let text = value.text else { return [.wrongType(expected: .text)] }
    let count = text.unicodeScalars.count
    // Nothing else is worth the time that a long text takes.
    if let maximumLength, count > maximumLength { return [.outside(.maximumLength(maximumLength))] }
    var faults: [FieldFault] = []
    if let length, count < length.lowerBound { faults.append(.outside(.minimumLength(length.lowerBound))) }
    if let digits { faults += self.faults(of: text, digits: digits) }
    if let textFormat, let fault = textFormat.fault(of: text) { faults.append(fault) }
    if let fault = pattern?.fault(of: text, stepsLeft: &stepsLeft) { faults.append(fault) }
    if let choices, !choices.contains(where: { $0.value == text }) { faults.append(.outside(.choices(choices))) }
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
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, showsAll: Bool, isSensitive: Bool = false
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: TextKind(choices: Value.choices, isRadio: showsAll), isSensitive: isSensitive)
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

  /// - Parameter title: the value itself unless given.
  public init(_ value: String, title: Text? = nil) {
    self.value = value
    self.title = title ?? Text(value)
  }

  public init(stringLiteral value: String) { self.init(value) }

  func withTexts(_ write: (Text) -> Text) -> Choice { Choice(value, title: write(title)) }
}

extension Field where Value: TextLike {
  /// Declares a text of a length.
  ///
  /// - Parameters:
  ///   - length: in Unicode code points.
  ///   - isMultiline: whether a form asks on several lines. It does so for texts of more than 200 characters, too.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, length: ClosedRange<Int>,
    isSecret: Bool = false, isMultiline: Bool = false, isSensitive: Bool = false, autofill: Autofill? = nil
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: TextKind(length: length, isSecret: isSecret, isMultiline: isMultiline), isSensitive: isSensitive,
      autofill: autofill)
  }

  /// Declares a text of a format, such as an e-mail address.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, format: TextFormat, isSensitive: Bool = false
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: TextKind(textFormat: format),
      isSensitive: isSensitive)
  }

  /// Declares a text that matches a ``Pattern``.
  ///
  ///     @Field("Number plate", pattern: "[A-Z]{1,3}-[A-Z]{1,2} [0-9]{1,4}", example: "B-AB 123") var plate: String
  ///
  /// - Parameters:
  ///   - example: a text that matches, which errors show.
  ///   - length: in Unicode code points. A longer text is not matched, which saves its time.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, pattern: String, example: String,
    length: ClosedRange<Int>? = nil, isSensitive: Bool = false, autofill: Autofill? = nil
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description,
      kind: TextKind(length: length, pattern: ExamplePattern(pattern, example: example)), isSensitive: isSensitive,
      autofill: autofill)
  }

  /// Declares a text of exactly `digits` ASCII digits, such as a PIN.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, digits: Int, isSecret: Bool = false,
    isSensitive: Bool = false, autofill: Autofill? = nil
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: TextKind(digits: digits, isSecret: isSecret),
      isSensitive: isSensitive, autofill: autofill)
  }

  /// Declares a text that is one of several choices: at least one, and none twice.
  ///
  /// - Parameter showsAll: whether a form shows all choices at once instead of a menu.
  public init(
    wrappedValue: Value? = nil, _ title: Text, description: Text? = nil, choices: [Choice], showsAll: Bool = false,
    isSensitive: Bool = false
  ) {
    self.init(
      wrappedValue: wrappedValue, title, description: description, kind: TextKind(choices: choices, isRadio: showsAll),
      isSensitive: isSensitive)
  }
}
