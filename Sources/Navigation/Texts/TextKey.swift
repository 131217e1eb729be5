package import Languages

/// A key with its arguments, as one string: the key, and after a NUL each argument with its name.
///
///     key (NUL name NUL kind size : bytes)*
///
/// A key without a name is a list of its arguments.
struct TextKey {
  static let listSeparator = ", "

  let name: String
  let arguments: [(name: String, value: TextArguments.Value)]

  init(name: String, arguments: [(name: String, value: TextArguments.Value)]) {
    self.name = Self.withoutNUL(name)
    self.arguments = arguments.map { (Self.withoutNUL($0.name), $0.value) }
  }

  /// The key of a list of texts.
  init(list texts: [Text]) {
    // Numbers of one length keep their order as names.
    self.init(name: "", arguments: texts.enumerated().map { (name: "\(1_000_000 + $0)", value: .text($1)) })
  }

  /// The texts of a list; nil for a key with a name.
  var list: [Text]? {
    guard name.isEmpty else { return nil }
    return arguments.compactMap { if case .text(let text) = $0.value { text } else { nil } }
  }

  private static func withoutNUL(_ text: String) -> String {
    text.utf8.contains(0) ? String(text.unicodeScalars.filter { $0.value != 0 }.map { Character($0) }) : text
  }

  var encoded: String {
    arguments.reduce(into: name) { text, argument in
      let (kind, value) = argument.value.encoded
      text += "\0\(argument.name)\0\(kind)\(value.utf8.count):\(value)"
    }
  }

  /// Reads the encoded form. Returns nil for any other text.
  init?(encoded: String) {
    var rest = encoded[...]
    let name = Self.take(upTo: 0, of: &rest) ?? rest[...]
    var arguments: [(String, TextArguments.Value)] = []
    if name.utf8.count < encoded.utf8.count {
      repeat {
        guard let argument = Self.takeArgument(of: &rest) else { return nil }
        arguments.append(argument)
      } while Self.take(0, of: &rest)
      guard rest.isEmpty else { return nil }
    }
    self.init(name: String(name), arguments: arguments.map { (name: $0.0, value: $0.1) })
    let names = self.arguments.map(\.name)
    guard zip(names, names.dropFirst()).allSatisfy({ $0 < $1 }), self.encoded == encoded else { return nil }
  }

  private static func takeArgument(of rest: inout Substring) -> (String, TextArguments.Value)? {
    guard let name = take(upTo: 0, of: &rest), let kind = rest.unicodeScalars.popFirst(),
      let size = take(upTo: UInt8(ascii: ":"), of: &rest).flatMap({ Int($0) }), (0...rest.utf8.count).contains(size)
    else { return nil }
    let end = rest.utf8.index(rest.startIndex, offsetBy: size)
    guard let value = String(rest.utf8[..<end]), let argument = TextArguments.Value(kind: kind, value) else {
      return nil
    }
    rest = rest[end...]
    return (String(name), argument)
  }

  /// Takes what stands before a byte, and the byte.
  private static func take(upTo byte: UInt8, of rest: inout Substring) -> Substring? {
    guard let end = rest.utf8.firstIndex(of: byte) else { return nil }
    defer { rest = rest[rest.utf8.index(after: end)...] }
    return rest[..<end]
  }

  private static func take(_ byte: UInt8, of rest: inout Substring) -> Bool {
    guard rest.utf8.first == byte else { return false }
    rest = rest[rest.utf8.index(after: rest.startIndex)...]
    return true
  }
}

extension TextArguments.Value {
  fileprivate var encoded: (kind: Character, value: String) {
    switch self {
    case .integer(let number): ("i", "\(number)")
    case .number(let number): ("n", "\(number)")
    case .text(let text):
      switch text.content {
      case .key: ("k", text.storage)
      case .value(.money(let amount, let currency, let decimals)): ("m", "\(amount) \(decimals) \(currency.code)")
      case .value(.date(let date)): ("d", "\(date)")
      case .value(.dateTime(let moment)): ("s", "\(moment)")
      case .words: ("t", text.storage)
      case .standard: ("t", text.string)
      }
    }
  }

  fileprivate init?(kind: Unicode.Scalar, _ value: String) {
    switch kind {
    case "i":
      guard let number = Int(value) else { return nil }
      self = .integer(number)
    case "n":
      guard let number = Double(value) else { return nil }
      self = .number(number)
    case "t": self = .text(value)
    case "k": self = .text(Text(storage: value, .key))
    case "m":
      let parts = value.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, let amount = Int(parts[0]), let decimals = UInt8(parts[1]) else { return nil }
      self = .text(.money(amount, currency: String(parts[2]), decimals: Int(decimals)))
    case "d":
      guard let date = CalendarDate(value) else { return nil }
      self = .text(.date(date))
    case "s":
      guard let moment = OffsetDateTime(value) else { return nil }
      self = .text(.dateTime(moment))
    default: return nil
    }
  }

  /// The value for a text that the writer writes.
  fileprivate func argument(for writer: TextWriter) -> TextArgument.Value {
    switch self {
    case .integer(let number): .integer(number)
    case .number(let number): .number(number)
    case .text(let text): text.value?.argument ?? .text(writer.written(text).string)
    }
  }
}

extension TypedValue {
  /// The value as a language writes it.
  package var argument: TextArgument.Value {
    switch self {
    case .money(let amount, let currency, let decimals):
      .money(amount, decimals: Int(decimals), currency: currency.code)
    case .date(let date): .date(year: date.year, month: date.month, day: date.day)
    // On the clock of its own offset. A time zone of the session would change the date, the time and the offset here.
    case .dateTime(let moment):
      .dateTime(
        year: moment.date.year, month: moment.date.month, day: moment.date.day, hour: moment.time.hour,
        minute: moment.time.minute, offset: moment.offset)
    }
  }
}

extension Text {
  /// The name of the text, where no language is known.
  @usableFromInline var unresolved: String {
    if let standard { return ServiceLanguage.english(standard) }
    if storage.utf8.first == 0, let list = key?.list {
      return list.map(\.string).joined(separator: TextKey.listSeparator)
    }
    return String(decoding: storage.utf8.prefix { $0 != 0 }, as: UTF8.self)
  }

  private var standard: ServiceText? { content == .standard ? Int(storage).flatMap { ServiceText(rawValue: $0) } : nil }

  /// Returns a text of the service in a language, and any other text as it is.
  package func written(in language: @autoclosure () -> ServiceLanguage) -> Text {
    standard.map { Text(language()($0)) } ?? self
  }

  /// The key and its arguments; nil for a text without a key.
  var key: TextKey? { content == .key ? TextKey(encoded: storage) : nil }

  /// Whether the words of the text depend on the language of the session.
  var hasLanguage: Bool {
    switch content {
    case .key, .value: true
    case .words, .standard: false
    }
  }

  /// Whether the text stands for a value.
  @inline(__always)
  var isValue: Bool { if case .value = content { true } else { false } }

  @inline(__always)
  var isWords: Bool { if case .words = content { true } else { false } }

  /// Returns the text as the writer writes it. A key that the catalogue lacks stands for itself.
  func written(by writer: TextWriter) -> Text {
    switch content {
    case .words: return self
    case .standard: return written(in: writer.serviceLanguage)
    case .value(let value): return Text(storage: writer.text(value) ?? storage, content)
    case .key:
      if let list = key?.list {
        return Text(list.map { $0.written(by: writer).string }.joined(separator: TextKey.listSeparator))
      }
      guard let language = writer.language else { return self }
      guard let key else { return Text(unresolved) }
      let arguments = key.arguments.map { TextArgument($0.name, $0.value.argument(for: writer)) }
      return Text(language.text(key.name, arguments) ?? key.name)
    }
  }
}

extension String {
  /// The title that a name stands for: `sign-in` is “Sign in”, and `accountId` is “Account id”.
  package var asTitle: String {
    let words = reduce(into: "") { words, letter in
      if letter.isUppercase { words += " " + letter.lowercased() } else { words.append(letter) }
    }
    let title = words.replacing("-", with: " ").replacing("_", with: " ")
    return title.prefix(1).uppercased() + title.dropFirst()
  }
}
