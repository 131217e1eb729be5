/// A block of a screen's content, for clients that draw any app.
public enum Block: Sendable, Equatable {
  case text(String)
  case heading(String)
  case facts([Fact])
  case list([Item])
  case image(source: String, alternative: String)
  case notice(String, tone: Tone)
  case link(String, href: String)
  /// A type of block that this version does not know.
  case other(String)

  public struct Fact: Sendable, Equatable {
    public let label: String
    public let value: String
  }

  public struct Item: Sendable, Equatable {
    public let title: String
    public let detail: String?
  }

  public enum Tone: String, Sendable { case info, success, warning, error }
}

extension Block {
  init(_ block: ObjectReader) throws(ViewError) {
    switch try block.string("type") {
    case "text": self = .text(try block.string("text"))
    case "heading": self = .heading(try block.string("text"))
    case "facts":
      let facts = try block.objects("facts") { fact throws(ViewError) in
        Fact(label: try fact.string("label"), value: try fact.string("value"))
      }
      self = .facts(facts)
    case "list":
      let items = try block.objects("items") { item throws(ViewError) in
        Item(title: try item.string("title"), detail: try item.optionalString("detail"))
      }
      self = .list(items)
    case "image":
      self = .image(source: try block.string("source"), alternative: try block.string("alternative"))
    case "notice":
      // A tone that this version does not know counts as information.
      self = .notice(try block.string("text"), tone: Tone(rawValue: try block.string("tone")) ?? .info)
    case "link": self = .link(try block.string("text"), href: try block.string("href"))
    case let type: self = .other(type)
    }
  }
}
