internal import Navigation

extension FieldSchema {
  /// What to do about an input that fails a keyword of the schema, for the person who typed it.
  func advice(on keyword: String) -> String {
    let label = rules.title.string
    if keyword == "required" { return "\(label) is missing." }
    if rules.digitsOnly, let length = rules.length { return "\(label) has to be \(length.lowerBound) digits." }
    if rules.choices != nil { return "\(label) has to be one of the choices." }
    switch keyword {
    case "minimum": return "\(label) has to be \(rules.minimum.map(formatted) ?? "") or more."
    case "exclusiveMinimum": return "\(label) has to be more than \(rules.exclusiveMinimum.map(formatted) ?? "")."
    case "maximum": return "\(label) has to be \(rules.maximum.map(formatted) ?? "") or less."
    case "minLength" where (rules.length?.lowerBound ?? 0) > 1:
      return "\(label) has to have \(rules.length?.lowerBound ?? 0) characters or more."
    case "maxLength": return "\(label) has to have \(rules.length?.upperBound ?? 0) characters or fewer."
    case "type" where type == .integer: return "\(label) has to be a whole number."
    case "type" where type == .number: return "\(label) has to be a number."
    default: return "\(label) is missing."
    }
  }

  /// What to type, before it is typed: the author's words, or else the limits.
  var hint: String? {
    if let description = rules.description { return description.string }
    if rules.digitsOnly, let length = rules.length { return "\(length.lowerBound) digits." }
    let least =
      rules.minimum.map { "at least \(formatted($0))" } ?? rules.exclusiveMinimum.map { "more than \(formatted($0))" }
    let limits = [least, rules.maximum.map { "at most \(formatted($0))" }].compactMap { $0 }.joined(separator: ", ")
    return limits.isEmpty ? nil : limits.prefix(1).uppercased() + limits.dropFirst() + "."
  }
}
