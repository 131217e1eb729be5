/// What of a value decides how a template comes out, and the texts that only have to be put in.
///
/// Two values of one shape differ in their texts alone: they have the same members, flags, and lists of the same lengths.
struct TemplateShape {
  private(set) var key: [UInt8]
  /// In the order in which the shape names them.
  private(set) var texts: [String] = []

  init(of value: TemplateValue, for page: HTMLTemplates.Page) {
    key = Array(page.rawValue.utf8)
    key.reserveCapacity(1024)
    texts.reserveCapacity(64)
    add(value)
  }

  private mutating func add(_ value: TemplateValue) {
    switch value {
    case .text(let text):
      key.append(UInt8(ascii: "t"))
      texts.append(text)
    case .flag(let flag):
      key.append(flag ? UInt8(ascii: "y") : UInt8(ascii: "n"))
    case .list(let items):
      key.append(UInt8(ascii: "["))
      for item in items { add(item) }
      key.append(UInt8(ascii: "]"))
    case .object(let members):
      key.append(UInt8(ascii: "{"))
      for member in members {
        key += UnsafeBufferPointer(start: member.name.utf8Start, count: member.name.utf8CodeUnitCount)
        key.append(UInt8(ascii: ":"))
        add(member.value)
      }
      key.append(UInt8(ascii: "}"))
    }
  }
}

extension TemplateValue {
  /// The value as Mustache takes it, with `mark` of its number in place of every text, in the order of ``TemplateShape``.
  func marked(_ mark: (Int) -> String) -> Any {
    var count = 0
    func marked(_ value: TemplateValue) -> Any {
      switch value {
      case .text:
        count += 1
        return mark(count - 1)
      case .flag(let flag): return flag
      case .list(let items): return items.map { marked($0) }
      case .object(let members):
        var object: [String: Any] = [:]
        for member in members { object["\(member.name)"] = marked(member.value) }
        return object
      }
    }
    return marked(self)
  }
}
