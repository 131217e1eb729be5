/// An error of libyaml as sentences that tell the author what to do.
struct YAMLSyntaxError {
  /// The index in the source where the author has to look.
  private(set) var index: Int
  /// The sentences with an ellipsis in place of the content.
  private(set) var message: String
  private(set) var content: String?

  init(_ error: LibYAMLError, _ input: LibYAMLInput, _ source: YAMLSource) {
    let place = input.sourceIndex(error.index)
    let start = input.sourceIndex(error.contextIndex)
    let begin = Self.begin(source.mark(at: start))
    let isAtEnd = place >= source.codePoints.count
    let isFirst = !isAtEnd && source.isFirstOnLine(place)
    index = place
    if let conflict = source.mergeConflict {
      index = conflict
      message = "A merge conflict is not resolved. Choose one side, and remove the lines with the markers."
      return
    }
    if error.problem.hasPrefix("did not find expected"), let quote = source.openQuote(endingAt: place) {
      index = quote
      message = Self.unclosedQuote
      return
    }
    switch error.problem {
    case "found character that cannot start any token" where source.text(place..<(place + 3)) == "```":
      message = "Markdown marks code with ```. Remove the line."
    case "found character that cannot start any token":
      (message, content) = Self.unexpected(source.codePoint(at: place))
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      message = Self.tab
    case "mapping values are not allowed in this context":
      let isSecondKey = source.content(before: place).hasKey
      let line = isSecondKey ? nil : Self.misplacedLine(place, source)
      (index, message) = line ?? (place, Self.key)
    case "block sequence entries are not allowed in this context":
      message = "A list cannot begin here. Begin each \"- \" on a line of its own."
    case "mapping keys are not allowed in this context":
      message = "A text cannot begin with a question mark and a space here. Quote the text."
    case "found unexpected ':'": message = "A colon is not allowed here. Quote the text that contains it."
    case "could not find expected ':'" where source.codePoint(at: start) == "-":
      index = start
      message = "A list entry begins with a dash and a space. Add the space, or correct the indentation."
    case "could not find expected ':'":
      (index, message) = Self.noColon(start, source)
    case "found unexpected end of stream", "found unexpected document indicator":
      index = source.firstOpenQuote(before: start) ?? start
      message = Self.unclosedQuote
    case "found unknown escape character" where place + 1 >= source.codePoints.count:
      index = start
      message = Self.unclosedQuote
    case "found unknown escape character":
      content = source.text(place..<(place + 2))
      message = "There is no escape …. Write \\…, or put the text in single quotes."
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      message = "An escape needs hexadecimal digits of a character: two after \\x, four after \\u, eight after \\U."
    case "did not find expected ',' or ']'": (index, message) = Self.unclosed("list", "]", start, place, source)
    case "did not find expected ',' or '}'": (index, message) = Self.unclosed("mapping", "}", start, place, source)
    case "did not find expected key" where source.codePoint(at: place) == ":": message = "A key is missing here."
    case "did not find expected key" where isFirst:
      (index, message) =
        Self.misplacedLine(place, source)
        ?? (place, "This line does not continue the mapping \(begin). Begin it with a key, or correct the indentation.")
    case "did not find expected '-' indicator" where isFirst:
      (index, message) =
        Self.misplacedLine(place, source)
        ?? (place, "This line does not continue the list \(begin). Begin it with \"- \", or correct the indentation.")
    case "did not find expected key", "did not find expected '-' indicator",
      "did not find expected <document start>":
      message = "Unexpected text after a value. Quote the whole value, or correct the indentation."
    case "did not find expected node content" where isAtEnd:
      message = "The file ends where a value is expected. Write the value, or close the brackets."
    case "did not find expected node content": message = "A value is missing here. Write \"\" for an empty text."
    case "found incompatible YAML document", "found duplicate %YAML directive": message = Self.directive
    case "found undefined tag handle": message = Self.tag(source)
    default:
      let found = Self.message(error.context, source)
      index = found == nil ? place : start
      message = found ?? "The YAML is malformed: \(error.problem)."
    }
  }

  /// Describes an error inside of a token by what libyaml was scanning.
  private static func message(_ context: String, _ source: YAMLSource) -> String? {
    switch context {
    case "while scanning a block scalar":
      "After | or >, only + or -, an indentation from 1 to 9 and a comment may follow on the line."
    case "while scanning an alias", "while scanning an anchor": "A text cannot begin with & or *. Quote the text."
    case "while scanning a tag", "while parsing a tag": tag(source)
    default: context.contains("directive") ? directive : nil
    }
  }

  /// Describes a line that cannot follow the line above: one of them is indented wrongly, or the one above lacks a colon.
  /// Returns nil if neither is the case.
  private static func misplacedLine(_ place: Int, _ source: YAMLSource) -> (Int, String)? {
    let start = source.indentationEnd(of: place)
    let column = source.mark(at: start).column
    guard let above = source.contentAbove(place) else { return nil }
    if !above.hasKey && above.column <= column { return noColon(above.start, source) }
    guard above.hasKey && above.column < column else { return nil }
    return (start, "This line is indented more deeply than the one above, which has a value. Correct the indentation.")
  }

  private static let key =
    "A key is not allowed here. Quote a text that contains a colon and a space, or correct the indentation."

  /// Describes a line without a key.
  private static func noColon(_ start: Int, _ source: YAMLSource) -> (Int, String) {
    if let space = source.noBreakSpace(onLineOf: start) {
      return (space, "A no-break space (U+00A0) is not valid YAML whitespace. Write a space.")
    }
    return (
      start, "This line has no colon and space after a key. Write \"key: value\", or correct the indentation."
    )
  }

  static let divided = "Quote an expression that contains a comma or a bracket."
  private static let unclosedQuote = "The text that begins here has no closing quote."
  private static let directive = "The only directive is \"%YAML 1.2\". Remove this one."
  private static let tab = "A tab cannot indent a line. Indent with spaces."

  private static func tag(_ source: YAMLSource) -> String {
    "\(source.dialect.files) have no tags. Quote a text that begins with an exclamation mark."
  }

  private static func unexpected(_ codePoint: Unicode.Scalar?) -> (message: String, content: String?) {
    switch codePoint {
    case "\t": (tab, nil)
    case let codePoint?: ("A text cannot begin with … here. Quote the text.", "\(codePoint)")
    case nil: ("The file ends too early.", nil)
    }
  }

  private static func unclosed(
    _ name: String, _ bracket: String, _ start: Int, _ place: Int, _ source: YAMLSource
  ) -> (Int, String) {
    let within = "in the \(name) \(begin(source.mark(at: start)))"
    return switch source.codePoint(at: place) {
    case nil: (start, "The \(name) that begins here has no closing \(bracket).")
    case ":":
      (
        place,
        "A colon is not allowed here, \(within). "
          + "Write a comma or \(bracket) before the key, or quote a text with a colon and a space."
      )
    default:
      source.expression(endingAt: place).map { ($0, divided) }
        ?? (place, "A comma or \(bracket) is missing here, \(within).")
    }
  }

  private static func begin(_ mark: SourceMark) -> String { "that begins at line \(mark.line), column \(mark.column)" }
}
