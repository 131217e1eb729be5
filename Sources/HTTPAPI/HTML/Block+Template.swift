internal import Navigation

extension Block {
  /// The block, as the templates take it.
  var templateValue: TemplateValue {
    switch self {
    case .text(let text): ["paragraph": ["text": .text(text.string)]]
    case .heading(let text): ["heading": ["text": .text(text.string)]]
    case .facts(let facts):
      ["facts": ["lines": .list(facts.map { ["label": .text($0.label.string), "value": .text($0.value.string)] })]]
    case .list(let items):
      [
        "list": [
          "items": .list(items.map { ["title": .text($0.title.string), "detail": .text($0.detail?.string)] })
        ]
      ]
    case .image(let source, let alternative):
      ["image": ["source": .text(source), "alternative": .text(alternative.string)]]
    case .notice(let text, let tone): ["notice": ["text": .text(text.string), "tone": .text(tone.rawValue)]]
    case .link(let text, let href): ["link": ["text": .text(text.string), "href": .text(href)]]
    }
  }
}
