/// The values for the placeholders of a text, by their names.
///
///     Text(key: "order.placed", ["name": "Ann", "count": 3, "price": .text(.money(1850, currency: "EUR"))])
public struct TextArguments: Sendable, ExpressibleByDictionaryLiteral {
  /// A value. Numbers, amounts, dates and times are written as the language of the session does.
  public enum Value: Sendable, Hashable, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral
  {
    case text(Text)
    case integer(Int)
    case number(Double)

    /// A text without a key.
    public static func text(_ string: String) -> Value { .text(Text(string)) }

    public init(stringLiteral value: String) { self = .text(value) }
    public init(integerLiteral value: Int) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
  }

  /// In the order of their names, so that equal texts have equal bytes.
  let members: [(name: String, value: Value)]

  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }

  /// - Parameter members: of a repeated name, the last value counts.
  public init(_ members: [(String, Value)]) {
    let named = Dictionary(members) { $1 }
    self.members = named.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}
