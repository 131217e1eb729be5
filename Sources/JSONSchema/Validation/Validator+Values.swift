internal import Patterns
internal import Values

extension Validator {
  mutating func applyValueRule(_ rule: Rule, to value: Value) throws(Limit) {
    try charge(forBytesOf: value)
    switch rule {
    case .enumeration(let values, let text):
      if !values.contains(ComparableValue(value)) {
        fail(.enumeration, "must be one of \(text ?? "the \(values.count) values of the schema")")
      }
    case .constant(let constant, let text):
      if constant != ComparableValue(value) { fail(.const, "must be \(text ?? "the value of the schema")") }
    default: break
    }
  }

  mutating func applyNumberRule(_ rule: Rule, to value: Value) throws(Limit) {
    guard let number = Number(value) else { return }
    switch rule {
    case .bound(let keyword, let limit):
      let isInside =
        switch keyword {
        case .minimum: number >= limit
        case .exclusiveMinimum: number > limit
        case .exclusiveMaximum: number < limit
        default: number <= limit
        }
      if !isInside { fail(keyword, Sentence.demand(ofBound: keyword, limit)) }
    case .multiple(let divisor):
      // The division of 1e300 by 1e-300 takes a digit after the other.
      try charge(8)
      if !number.isMultiple(of: divisor) { fail(.multipleOf, "must be a multiple of \(divisor.text)") }
    default: break
    }
  }

  /// Applies a limit of the number of characters, items or properties.
  mutating func applyCount(_ keyword: Keyword, _ limit: Int, to value: Value) throws(Limit) {
    let count: Int
    switch keyword {
    case .minLength, .maxLength:
      guard let text = value.text else { return }
      try charge(forBytesOf: value)
      // The length is in code points (JSON Schema Validation, section 6.3.1).
      count = text.unicodeScalars.count
    case .minItems, .maxItems:
      guard value.kind == .array else { return }
      count = value.count
    default:
      guard value.kind == .map else { return }
      count = value.count
    }
    let isMinimum = keyword == .minLength || keyword == .minItems || keyword == .minProperties
    if isMinimum ? count < limit : count > limit { fail(keyword, Sentence.demand(ofCount: keyword, limit)) }
  }

  mutating func applyTextRule(_ rule: Rule, to value: Value) throws(Limit) {
    guard let text = value.text else { return }
    try charge(forBytesOf: value)
    switch rule {
    case .pattern(let pattern, let source, let maximumLength):
      // Another fault says that the text is too long, and the match would take time.
      if let maximumLength, text.unicodeScalars.count > maximumLength { return }
      if try !matches(text, pattern) { fail(.pattern, "must match the pattern \(source)") }
    case .format(let format):
      if !format.matches(text) { fail(.format, "must be \(format.noun)") }
    default: break
    }
  }

  mutating func matches(_ text: String, _ pattern: Automaton) throws(Limit) -> Bool {
    try pattern.matches(text) { (stateCount) throws(Limit) in try charge(1 + stateCount / 4) }
  }
}
