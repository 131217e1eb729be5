/// A value that a template shows.
enum TemplateValue {
  case text(String)
  /// Decides about a section.
  case flag(Bool)
  case list([TemplateValue])
  case object([(name: StaticString, value: TemplateValue)])
}

extension TemplateValue: ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral {
  /// A member that is nil is absent.
  init(dictionaryLiteral members: (StaticString, TemplateValue?)...) {
    self = .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  init(stringLiteral text: String) { self = .text(text) }
  init(booleanLiteral flag: Bool) { self = .flag(flag) }

  /// Nil for a text that is not there.
  static func text(_ text: String?) -> TemplateValue? { text.map { .text($0) } }
}
