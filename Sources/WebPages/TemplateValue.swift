internal import Navigation
internal import Values

/// A value that a template renders.
package enum TemplateValue {
  case text(String)
  /// The condition of a section.
  case flag(Bool)
  case list([TemplateValue])
  case object([(name: StaticString, value: TemplateValue)])
}

extension TemplateValue:
  ExpressibleByDictionaryLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral
{
  /// Creates an object. A member that is nil is absent.
  package init(dictionaryLiteral members: (StaticString, TemplateValue?)...) {
    self = .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  package init(stringLiteral text: String) { self = .text(text) }
  package init(booleanLiteral flag: Bool) { self = .flag(flag) }

  /// Returns nil if there is no text.
  package static func text(_ text: String?) -> TemplateValue? { text.map { .text($0) } }
}

extension Block {
  /// The block as the template `block` takes it.
  package var templateValue: TemplateValue {
    switch self {
    case .text(let text): ["paragraph": ["text": .text(text.string)]]
    case .heading(let text): ["heading": ["text": .text(text.string)]]
    case .facts(let facts):
      ["facts": ["lines": .list(facts.map { ["label": .text($0.label.string), "value": .text($0.value.string)] })]]
    case .list(let list): ["list": ["items": .list(list.page(from: 0).items.map { $0.templateValue() })]]
    case .image(let source, let alternative):
      ["image": ["source": .text(source), "alternative": .text(alternative.string)]]
    case .notice(let text, let tone): ["notice": ["text": .text(text.string), "tone": .text(tone.rawValue)]]
    case .link(let text, let href): ["link": ["text": .text(text.string), "href": .text(href)]]
    }
  }
}

extension Block.Item {
  /// The item as the template `item` takes it.
  ///
  /// - Parameter form: the form of the item's action; nil if it performs none.
  func templateValue(form: TemplateValue? = nil) -> TemplateValue {
    ["tap": form, "name": .text(title.string), "detail": .text(detail?.string), "thumbnail": .text(image)]
  }
}
