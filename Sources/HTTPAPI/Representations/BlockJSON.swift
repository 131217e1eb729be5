internal import Languages
internal import Navigation
internal import Values

/// The blocks of a screen's content.
extension JSONWriter {
  /// Writes an array of blocks.
  ///
  /// - Parameter position: the position of the first block in the content of the screen.
  mutating func write(
    _ blocks: [Block], from position: Int, of visible: VisibleScreen, _ pages: ListPages?, at address: SessionAddress
  ) {
    beginArray()
    var position = position
    let blocks = blocks.span
    for index in blocks.indices {
      switch blocks[index] {
      case .list(let list): write(list, at: position, of: visible, pages, at: address)
      case .section(let section): write(section, at: position, of: visible, pages, at: address)
      case .answers(let answers): write(answers, of: visible, at: address)
      default: write(blocks[index], at: address)
      }
      position += blocks[index].positionCount
    }
    endArray()
  }

  private mutating func write(
    _ section: Block.Section, at position: Int, of visible: VisibleScreen, _ pages: ListPages?,
    at address: SessionAddress
  ) {
    beginObject()
    literal("\"type\":\"section\"")
    member("title", section.title.string)
    key(literal: "isOpen")
    boolean(section.isOpen)
    key(literal: "content")
    write(section.content, from: position + 1, of: visible, pages, at: address)
    member("text", Block.section(section).plainText(in: address.language))
    endObject()
  }

  private mutating func write(_ block: Block, at address: SessionAddress) {
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
      beginArray("facts")
      let facts = facts.span
      for index in facts.indices {
        beginObject()
        member("label", facts[index].label.string)
        write("value", facts[index].value)
        endObject()
      }
      endArray()
    case .table(let table):
      literal("\"type\":\"table\"")
      member("title", table.title?.string)
      beginArray("columns")
      for column in table.columns { string(column.string) }
      endArray()
      write(table.rows)
      member("text", block.plainText(in: address.language))
    case .progress(let progress):
      literal("\"type\":\"progress\"")
      member("step", progress.step)
      member("of", progress.count)
      member("title", progress.title?.string)
      member("text", block.plainText(in: address.language))
    case .list, .section, .answers: break
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

  private mutating func write(_ rows: [[Text]]) {
    beginArray("rows")
    for row in rows {
      beginArray()
      for cell in row {
        beginObject()
        write("value", cell)
        endObject()
      }
      endArray()
    }
    endArray()
  }

  /// Writes a text, and the member `typed` if it stands for a value.
  mutating func write(_ name: StaticString, _ text: Text) {
    member(name, text.string)
    guard let value = text.value else { return }
    beginObject("typed")
    switch value {
    case .money(let amount, let currency, let decimals):
      literal("\"type\":\"money\"")
      member("amount", amount)
      member("decimals", Int(decimals))
      member("currency", currency.code)
    case .date(let date):
      literal("\"type\":\"date\"")
      member("value", "\(date)")
    case .dateTime(let moment):
      literal("\"type\":\"date-time\"")
      member("value", "\(moment)")
    }
    endObject()
  }
}
