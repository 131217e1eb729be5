internal import Navigation
internal import Values

/// The blocks of a screen's content.
extension JSONWriter {
  mutating func write(_ block: Block) {
    beginObject()
    switch block {
    case .text(let text):
      literal("\"type\":\"text\"")
      member("text", text.string)
    case .heading(let text):
      literal("\"type\":\"heading\"")
      member("text", text.string)
    case .facts(let facts):
      literal("\"type\":\"facts\"")
      key(literal: "facts")
      beginArray()
      for fact in facts {
        beginObject()
        member("label", fact.label.string)
        member("value", fact.value.string)
        endObject()
      }
      endArray()
    case .list(let items):
      literal("\"type\":\"list\"")
      key(literal: "items")
      beginArray()
      for item in items {
        beginObject()
        member("title", item.title.string)
        key(literal: "detail")
        if let detail = item.detail { string(detail.string) } else { null() }
        endObject()
      }
      endArray()
    case .image(let source, let alternative):
      literal("\"type\":\"image\"")
      member("source", source)
      member("alternative", alternative.string)
    case .notice(let text, let tone):
      literal("\"type\":\"notice\"")
      member("text", text.string)
      member("tone", tone.rawValue)
    case .link(let text, let href):
      literal("\"type\":\"link\"")
      member("text", text.string)
      member("href", href)
    }
    endObject()
  }
}
