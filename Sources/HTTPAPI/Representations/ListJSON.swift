internal import Navigation
internal import Values

/// The lists of a screen's content.
extension JSONWriter {
  /// Writes a list as a block.
  ///
  /// - Parameter position: the position of the list in the content.
  mutating func write(
    _ list: ItemList, at position: Int, of visible: VisibleScreen, _ pages: ListPages?, at address: SessionAddress
  ) {
    let page = list.page(from: pages.start(of: position))
    beginObject()
    literal("\"type\":\"list\"")
    beginArray("items")
    var known: KnownAction?
    if let made = list.made {
      let items = made.span
      for index in page.indices {
        guard items[index].image == nil, items[index].action == nil else {
          write(items[index], &known, of: visible, at: address)
          continue
        }
        // In place, because a copy of an item costs more than its bytes.
        beginObject()
        member("title", items[index].title.string)
        if case nil = items[index].detail?.value {
          member("detail", items[index].detail?.string)
        } else {
          write(items[index].detail)
        }
        literal("\"image\":null,\"action\":null")
        endObject()
      }
    } else {
      page.forEach { write($0, &known, of: visible, at: address) }
    }
    endArray()
    member("total", list.count)
    beginObject("links")
    write("next", page.next, of: position, pages, at: address)
    write("previous", page.previous, of: position, pages, at: address)
    endObject()
    endObject()
  }

  private mutating func write(
    _ relation: StaticString, _ item: Int?, of position: Int, _ pages: ListPages?, at address: SessionAddress
  ) {
    key(literal: relation)
    if let item { address.writeView(showing: pages.text(showing: item, of: position), to: &self) } else { null() }
  }

  /// The action of the last item, which is mostly that of the next one, too.
  private struct KnownAction {
    let action: ItemAction
    /// The member `action` of an item up to its input; nil if the action is not available.
    let beginning: [UInt8]?
  }

  private mutating func write(
    _ item: borrowing Block.Item, _ known: inout KnownAction?, of visible: VisibleScreen, at address: SessionAddress
  ) {
    beginObject()
    member("title", item.title.string)
    write(item.detail)
    member("image", item.image)
    guard let action = item.action else {
      literal("\"action\":null")
      return endObject()
    }
    if known.map({ !action.isSameAction(as: $0.action) }) ?? true {
      let beginning = visible.offer(of: action).map { Self.beginning(of: $0, at: address) }
      known = KnownAction(action: action, beginning: beginning)
    }
    if let beginning = known?.beginning {
      fragment(beginning)
      write(action.input)
      endObject()
    } else {
      literal("\"action\":null")
    }
    endObject()
  }

  /// Writes the answers of a journey, each with its available actions.
  mutating func write(_ answers: [Block.Answer], of visible: VisibleScreen, at address: SessionAddress) {
    beginObject()
    literal("\"type\":\"answers\"")
    beginArray("answers")
    for answer in answers {
      beginObject()
      member("label", answer.label.string)
      write("value", answer.value)
      beginArray("actions")
      for action in answer.actions {
        guard let offered = visible.offer(of: action.action) else { continue }
        beginObject()
        member("title", action.title.string)
        fragment(Self.beginning(of: offered, at: address))
        write(action.action.input)
        endObject()
        endObject()
      }
      endArray()
      endObject()
    }
    endArray()
    member("text", Block.answers(answers).plainText(in: address.language))
    endObject()
  }

  private mutating func write(_ detail: Text?) {
    if let detail { write("detail", detail) } else { literal("\"detail\":null") }
  }

  private mutating func write(_ input: ItemInput) {
    beginObject("input")
    for member in input.members {
      key(member.name)
      switch member.argument {
      case .text(let text): string(text)
      case .integer(let number): integer(number)
      case .number(let number): value(Value(finite: number) ?? .null)
      case .flag(let flag): boolean(flag)
      case .list: value(member.argument.value)
      }
    }
    endObject()
  }

  /// Returns the member `action` of an item up to its input.
  private static func beginning(
    of action: OfferedAction, at address: SessionAddress
  ) -> [UInt8] {
    var json = JSONWriter()
    json.key(literal: "action")
    json.beginObject()
    json.member("name", action.definition.name)
    json.member("title", action.definition.title.string)
    address.writeLink(to: &json, "/actions/", action.definition.name)
    return json.finish()
  }
}
