/// The wording of one text in one language: words with placeholders such as `{name}`, or plural forms of such words.
///
///     "greeting": "Hello {name}",
///     "cart.items": .plural("count", exactly: [0: "No items"], one: "{count} item", other: "{count} items"),
///
/// `{{` and `}}` stand for braces.
public struct TextPattern: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Content: Sendable, Hashable {
    case words(Words)
    case plural(argument: String, exact: [Int: Words], forms: [PluralForm: Words])
  }
  let content: Content

  /// Creates a pattern of words. A malformed one is a fault of the catalogue; see ``TextCatalogue/faults``.
  public init(_ words: String) { content = .words(Words(words)) }

  public init(stringLiteral value: String) { self.init(value) }

  private init(_ content: Content) { self.content = content }

  /// Creates a pattern with plural forms, which a whole number chooses by the rules of the language (Unicode CLDR).
  ///
  /// A form that is not given falls back to `other`, and so does a number with decimal places.
  ///
  /// - Parameters:
  ///   - argument: the name of the number.
  ///   - exact: the wording for certain numbers, which counts before the forms.
  public static func plural(
    _ argument: String, exactly exact: [Int: String] = [:], zero: String? = nil, one: String? = nil, two: String? = nil,
    few: String? = nil, many: String? = nil, other: String
  ) -> TextPattern {
    let forms = [PluralForm.zero: zero, .one: one, .two: two, .few: few, .many: many, .other: other]
    return plural(argument, exactly: exact, forms: forms.compactMapValues(\.self))
  }

  /// Creates a pattern with plural forms. Without the form `other` it is a fault of the catalogue.
  public static func plural(
    _ argument: String, exactly exact: [Int: String] = [:], forms: [PluralForm: String]
  ) -> TextPattern {
    TextPattern(
      .plural(argument: argument, exact: exact.mapValues { Words($0) }, forms: forms.mapValues { Words($0) }))
  }

  /// The names of its placeholders, and of the number that chooses a form.
  public var argumentNames: Set<String> {
    switch content {
    case .words(let words): Set(words.placeholders)
    case .plural(let argument, let exact, let forms):
      Set((Array(exact.values) + Array(forms.values)).flatMap(\.placeholders) + [argument])
    }
  }

  /// Whether a form is malformed.
  var isMalformed: Bool {
    switch content {
    case .words(let words): words.isMalformed
    case .plural(_, let exact, let forms):
      forms[.other] == nil || exact.values.contains(where: \.isMalformed) || forms.values.contains(where: \.isMalformed)
    }
  }
}

/// Words with placeholders.
struct Words: Sendable, Hashable {
  enum Part: Sendable, Hashable {
    case literal(String)
    case placeholder(String)
  }
  private(set) var parts: [Part] = []
  /// A brace has no partner, or the name between two braces is not valid.
  private(set) var isMalformed = false

  /// Words that are malformed stand for themselves.
  init(_ text: String) {
    var literal: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte != UInt8(ascii: "{") && byte != UInt8(ascii: "}") {
        literal.append(byte)
      } else if rest.first == byte {
        literal.append(rest.removeFirst())
      } else if byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")),
        let name = Self.name(rest[..<end])
      {
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
        literal = []
        parts.append(.placeholder(name))
        rest = rest[(end + 1)...]
      } else {
        (parts, isMalformed) = ([.literal(text)], true)
        return
      }
    }
    if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
  }

  var placeholders: [String] { parts.compactMap { if case .placeholder(let name) = $0 { name } else { nil } } }

  /// Returns the name if it consists of letters, digits, `-`, `_` and `.`.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
    let isName = bytes.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || "-_.".utf8.contains(byte)
    }
    return isName && !bytes.isEmpty ? String(decoding: bytes, as: UTF8.self) : nil
  }
}
