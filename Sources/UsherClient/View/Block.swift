/// One piece of a screen's content, for clients that draw any app.
public enum Block: Decodable, Sendable, Equatable {
  case text(String)
  case heading(String)
  case facts([Fact])
  case list([Item])
  case image(source: String, alternative: String)
  case notice(String, tone: Tone)
  case link(String, href: String)
  /// A kind that this client does not know.
  case other(String)

  public struct Fact: Decodable, Sendable, Equatable {
    public let label: String
    public let value: String
  }

  public struct Item: Decodable, Sendable, Equatable {
    public let title: String
    public let detail: String?
  }

  public enum Tone: String, Decodable, Sendable {
    case info, success, warning, error

    /// One that this client does not know is for information.
    public init(from decoder: any Decoder) throws {
      self = Tone(rawValue: try decoder.singleValueContainer().decode(String.self)) ?? .info
    }
  }

  private enum Key: String, CodingKey { case type, text, facts, items, source, alternative, tone, href }

  public init(from decoder: any Decoder) throws {
    let block = try decoder.container(keyedBy: Key.self)
    let type = try block.decode(String.self, forKey: .type)
    func text(_ key: Key) throws -> String { try block.decode(String.self, forKey: key) }
    switch type {
    case "text": self = .text(try text(.text))
    case "heading": self = .heading(try text(.text))
    case "facts": self = .facts(try block.decode([Fact].self, forKey: .facts))
    case "list": self = .list(try block.decode([Item].self, forKey: .items))
    case "image": self = .image(source: try text(.source), alternative: try text(.alternative))
    case "notice": self = .notice(try text(.text), tone: try block.decode(Tone.self, forKey: .tone))
    case "link": self = .link(try text(.text), href: try text(.href))
    default: self = .other(type)
    }
  }
}
