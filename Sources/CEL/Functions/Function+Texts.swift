internal import Patterns

/// The functions of strings; two of them are functions of lists too. Offsets and lengths count Unicode code points.
extension Function {
  static let texts = [
    Function("contains", [.member([.string, .string], .bool)]) {
      .bool(ByteSearch($1[1].text.utf8).first(in: Array($1[0].text.utf8)) != nil)
    },
    Function("startsWith", [.member([.string, .string], .bool)]) {
      .bool($1[0].text.utf8.starts(with: $1[1].text.utf8))
    },
    Function("endsWith", [.member([.string, .string], .bool)]) {
      .bool($1[0].text.utf8.reversed().starts(with: $1[1].text.utf8.reversed()))
    },
    Function("matches", [.member([.string, .string], .bool), .global([.string, .string], .bool)]) {
      (evaluator, arguments) throws(Failure) in
      try evaluator.matches(arguments[0], evaluator.pattern(arguments[1].text))
    },
    Function("charAt", [.member([.string, .int], .string)]) { (_, arguments) throws(Failure) in
      let (text, index) = (arguments[0].text, try arguments[0].index(at: arguments[1]))
      return .string(index == text.endIndex ? "" : String(text.unicodeScalars[index]))
    },
    Function("indexOf", positions) { (evaluator, arguments) throws(Failure) in
      if case .list(let elements) = arguments[0] {
        return try evaluator.index(of: arguments[1], in: elements, elements.indices)
      }
      let text = arguments[0].text
      let start = arguments.count == 3 ? try arguments[0].index(at: arguments[2]) : text.startIndex
      let bytes = Array(text.utf8)
      let found = ByteSearch(arguments[1].text.utf8).first(in: bytes, from: text.utf8Offset(of: start))
      return codePoints(before: found, in: bytes)
    },
    Function("lastIndexOf", positions) { (evaluator, arguments) throws(Failure) in
      if case .list(let elements) = arguments[0] {
        return try evaluator.index(of: arguments[1], in: elements, elements.indices.reversed())
      }
      let text = arguments[0].text
      let start = arguments.count == 3 ? try arguments[0].index(at: arguments[2]) : text.endIndex
      let bytes = Array(text.utf8)
      let found = ByteSearch.last(Array(arguments[1].text.utf8), in: bytes, through: text.utf8Offset(of: start))
      return codePoints(before: found, in: bytes)
    },
    Function("lowerAscii", [.member([.string], .string)]) {
      .string(String(decoding: $1[0].text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self))
    },
    Function("upperAscii", [.member([.string], .string)]) {
      .string(String(decoding: $1[0].text.utf8.map { (0x61...0x7A).contains($0) ? $0 & ~0x20 : $0 }, as: UTF8.self))
    },
    Function(
      "replace", [.member([.string, .string, .string], .string), .member([.string, .string, .string, .int], .string)]
    ) { (evaluator, arguments) throws(Failure) in
      let limit = arguments.count == 4 ? arguments[3].integer : -1
      return try evaluator.replace(arguments[0].text, arguments[1].text, with: arguments[2].text, limit: limit)
    },
    Function(
      "split", [.member([.string, .string], .list(.string)), .member([.string, .string, .int], .list(.string))]
    ) { (evaluator, arguments) throws(Failure) in
      let limit = arguments.count == 3 ? arguments[2].integer : -1
      return .list(try evaluator.split(arguments[0].text, arguments[1].text, limit: limit))
    },
    Function("substring", [.member([.string, .int], .string), .member([.string, .int, .int], .string)]) {
      (_, arguments) throws(Failure) in
      let start = try arguments[0].index(at: arguments[1])
      guard arguments.count == 3 else { return .string(String(arguments[0].text[start...])) }
      guard arguments[2].integer >= arguments[1].integer else { throw arguments[0].outOfRange(arguments[2]) }
      return .string(String(arguments[0].text[start..<(try arguments[0].index(at: arguments[2]))]))
    },
    Function("trim", [.member([.string], .string)]) {
      let start = $1[0].text.unicodeScalars.drop { $0.properties.isWhitespace }
      let count = start.reversed().drop { $0.properties.isWhitespace }.count
      return .string(text(start.prefix(count)))
    },
    Function("reverse", [.member([.string], .string)]) { .string(text($1[0].text.unicodeScalars.reversed())) },
    Function("join", [.member([.list(.string)], .string), .member([.list(.string), .string], .string)]) {
      (evaluator, arguments) throws(Failure) in
      let separator = arguments.count == 2 ? arguments[1].text : ""
      return .string(try evaluator.join(arguments[0].elements, separator))
    },
    Function("format", [.member([.string, .list(.dyn)], .string)]) { (evaluator, arguments) throws(Failure) in
      var formatter = Formatter(meter: evaluator.meter)
      defer { evaluator.meter = formatter.meter }
      return .string(try formatter.format(arguments[0].text, arguments[1].elements))
    },
    Function("strings.quote", [.global([.string], .string)]) { .string(quoted($1[0].text)) },
  ]

  /// The forms of `indexOf` and `lastIndexOf`. The checker compares the types of the element and of the list.
  private static let positions = [
    Signature.member([.string, .string], .int), .member([.string, .string, .int], .int),
    .member([.list(.dyn), .dyn], .int),
  ]

  private static func codePoints(before offset: Int?, in bytes: [UInt8]) -> CEL.Value {
    guard let offset else { return -1 }
    // Each code point has one byte that is not a continuation byte.
    return .int(Int64(bytes[..<offset].count { $0 & 0xC0 != 0x80 }))
  }

  fileprivate static func text(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
    "\u{07}": "a", "\u{08}": "b", "\u{0C}": "f", "\n": "n", "\r": "r", "\t": "t", "\u{0B}": "v", "\\": "\\", "\"": "\"",
  ]

  private static func quoted(_ text: String) -> String {
    "\"" + text.unicodeScalars.map { scalar in escapes[scalar].map { "\\\($0)" } ?? String(scalar) }.joined() + "\""
  }
}

extension Evaluator {
  fileprivate mutating func pattern(_ source: String) throws(Failure) -> Automaton {
    let pattern: Automaton
    do throws(PatternFault) {
      pattern = try RE2PatternParser.automaton(of: source)
    } catch {
      // The pattern may be large without its counts.
      try meter.charge(Automaton.sizeLimit)
      throw .invalidPattern(error.message)
    }
    try meter.charge(pattern.instructionCount)
    return pattern
  }

  mutating func matches(_ value: CEL.Value, _ pattern: Automaton) throws(Failure) -> CEL.Value {
    guard case .string(let text) = value else { throw .noSuchOverload("matches", [value.typeName, .string]) }
    return .bool(try pattern.matches(text, meter: &meter))
  }

  fileprivate mutating func join(_ elements: [CEL.Value], _ separator: String) throws(Failure) -> String {
    var result = ""
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else { throw .noSuchOverload("join", [.list, element.typeName]) }
      try meter.charge(1 + (separator.utf8.count + text.utf8.count) / 10)
      if index > 0 { result += separator }
      result += text
    }
    return result
  }

  fileprivate mutating func split(
    _ text: String, _ separator: String, limit: Int64
  ) throws(Failure) -> [CEL.Value] {
    guard limit != 0 else { return [] }
    let maximum = limit < 0 ? Int.max : Int(limit)
    if separator.isEmpty {
      let scalars = Array(text.unicodeScalars)
      try meter.charge(scalars.count)
      var parts = scalars.prefix(maximum - 1).map { CEL.Value.string(String($0)) }
      if scalars.count > parts.count { parts.append(.string(Function.text(scalars.dropFirst(parts.count)))) }
      return parts
    }
    var (parts, start): ([CEL.Value], Int) = ([], 0)
    let (bytes, search) = (Array(text.utf8), ByteSearch(separator.utf8))
    while parts.count < maximum - 1, let found = search.first(in: bytes, from: start) {
      try meter.charge(1)
      parts.append(.string(String(decoding: bytes[start..<found], as: UTF8.self)))
      start = found + separator.utf8.count
    }
    parts.append(.string(String(decoding: bytes[start...], as: UTF8.self)))
    return parts
  }

  fileprivate mutating func replace(
    _ text: String, _ old: String, with new: String, limit: Int64
  ) throws(Failure) -> CEL.Value {
    let limit = limit < 0 ? Int.max : Int(limit)
    let (bytes, replacement) = (Array(text.utf8), Array(new.utf8))
    var (result, start, count): ([UInt8], Int, Int) = ([], 0, 0)
    let search = ByteSearch(old.utf8)
    while count < limit, let found = search.first(in: bytes, from: start) {
      try meter.charge(1 + replacement.count / 10)
      result += bytes[start..<found] + replacement
      count += 1
      start = found + old.utf8.count
      guard old.isEmpty else { continue }
      // An empty text occurs before each code point and at the end.
      guard start < bytes.count else { break }
      repeat {
        result.append(bytes[start])
        start += 1
      } while start < bytes.count && bytes[start] & 0xC0 == 0x80
    }
    return .string(String(decoding: result + bytes[start...], as: UTF8.self))
  }
}

extension CEL.Value {
  /// Returns the index of a code point of a text, or of its end.
  fileprivate func index(at offset: CEL.Value) throws(Failure) -> String.Index {
    let scalars = text.unicodeScalars
    guard offset.integer >= 0,
      let index = scalars.index(scalars.startIndex, offsetBy: Int(offset.integer), limitedBy: scalars.endIndex)
    else { throw outOfRange(offset) }
    return index
  }

  fileprivate func outOfRange(_ offset: CEL.Value) -> Failure {
    .invalidArgument(
      "The offset \(offset.integer) is outside of the string, which has \(text.unicodeScalars.count) characters.")
  }
}

extension String {
  fileprivate func utf8Offset(of index: Index) -> Int { utf8.distance(from: startIndex, to: index) }
}
