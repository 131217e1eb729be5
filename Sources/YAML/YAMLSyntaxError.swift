/// An error of libyaml as a fault with sentences that tell the author what to do.
struct YAMLSyntaxError {
  let source: YAMLSource
  let error: LibYAMLError

  private var index: Int { error.index }
  private var start: Int { error.contextIndex }

  /// The fault where the author has to look.
  var fault: YAMLFault {
    let begin = begin(source.mark(at: start))
    let isAtEnd = index >= source.codePoints.count
    let isFirst = !isAtEnd && source.isFirstOnLine(index)
    if let conflict = source.mergeConflict {
      let rule = "A merge conflict is not resolved. Choose one side, and remove the lines with the markers."
      return source.fault(at: conflict, rule)
    }
    if error.problem.hasPrefix("did not find expected"), let quote = source.openQuote(endingAt: index) {
      return source.fault(at: quote, Self.unclosedQuote)
    }
    return switch error.problem {
    case "found character that cannot start any token" where source.text(index..<(index + 3)) == "```":
      here("Markdown marks code with ```. Remove the line.")
    case "found character that cannot start any token": unexpectedCharacter
    case "found a tab character that violates indentation",
      "found a tab character where an indentation space is expected":
      here(Self.tab)
    case "mapping values are not allowed in this context":
      (source.content(before: index).hasKey ? nil : misplacedLine) ?? here(Self.key)
    case "block sequence entries are not allowed in this context":
      here("A list cannot begin here. Begin each \"- \" on a line of its own.")
    case "mapping keys are not allowed in this context":
      here("A text cannot begin with a question mark and a space here. Quote the text.")
    case "found unexpected ':'": here("A colon is not allowed here. Quote the text that contains it.")
    case "could not find expected ':'" where source.codePoint(at: start) == "-":
      atStart("A list entry begins with a dash and a space. Add the space, or correct the indentation.")
    case "could not find expected ':'": noColon(start)
    case "found unexpected end of stream", "found unexpected document indicator":
      source.fault(at: source.firstOpenQuote(before: start) ?? start, Self.unclosedQuote)
    case "found unknown escape character" where index + 1 >= source.codePoints.count: atStart(Self.unclosedQuote)
    case "found unknown escape character":
      here(
        "There is no escape …. Write \\…, or put the text in single quotes.",
        quoting: source.text(index..<(index + 2)))
    case "did not find expected hexdecimal number", "found invalid Unicode character escape code":
      here("An escape needs hexadecimal digits of a character: two after \\x, four after \\u, eight after \\U.")
    case "did not find expected ',' or ']'": unclosed("list", "]")
    case "did not find expected ',' or '}'": unclosed("mapping", "}")
    case "did not find expected key" where source.codePoint(at: index) == ":": here("A key is missing here.")
    case "did not find expected key" where isFirst:
      misplacedLine
        ?? here("This line does not continue the mapping \(begin). Begin it with a key, or correct the indentation.")
    case "did not find expected '-' indicator" where isFirst:
      misplacedLine
        ?? here("This line does not continue the list \(begin). Begin it with \"- \", or correct the indentation.")
    case "did not find expected key", "did not find expected '-' indicator",
      "did not find expected <document start>":
      here("Unexpected text after a value. Quote the whole value, or correct the indentation.")
    case "did not find expected node content" where isAtEnd:
      here("The file ends where a value is expected. Write the value, or close the brackets.")
    case "did not find expected node content": here("A value is missing here. Write \"\" for an empty text.")
    case "found incompatible YAML document", "found duplicate %YAML directive": here(Self.directive)
    case "found undefined tag handle": here(tag)
    default: contextMessage.map { atStart($0) } ?? here("The YAML is malformed: \(error.problem).")
    }
  }

  private func here(_ rule: String, quoting content: String? = nil) -> YAMLFault {
    source.fault(at: index, rule, quoting: content)
  }

  private func atStart(_ rule: String) -> YAMLFault { source.fault(at: start, rule) }

  /// The error inside of a token by what libyaml was scanning.
  private var contextMessage: String? {
    switch error.context {
    case "while scanning a block scalar":
      "After | or >, only + or -, an indentation from 1 to 9 and a comment may follow on the line."
    case "while scanning an alias", "while scanning an anchor": "A text cannot begin with & or *. Quote the text."
    case "while scanning a tag", "while parsing a tag": tag
    case let context: context.contains("directive") ? Self.directive : nil
    }
  }

  /// A line that cannot follow the line above: one of them is indented wrongly, or the one above lacks a colon. Nil if
  /// neither is the case.
  private var misplacedLine: YAMLFault? {
    let start = source.indentationEnd(of: index)
    let column = source.mark(at: start).column
    guard let above = source.contentAbove(index) else { return nil }
    if !above.hasKey && above.column <= column { return noColon(above.start) }
    guard above.hasKey && above.column < column else { return nil }
    let rule = "This line is indented more deeply than the one above, which has a value. Correct the indentation."
    return source.fault(at: start, rule)
  }

  /// Describes a line without a key.
  private func noColon(_ start: Int) -> YAMLFault {
    if let space = source.noBreakSpace(onLineOf: start) {
      return source.fault(at: space, "A no-break space (U+00A0) is not valid YAML whitespace. Write a space.")
    }
    let rule = "This line has no colon and space after a key. Write \"key: value\", or correct the indentation."
    return source.fault(at: start, rule)
  }

  static let divided = "Quote an expression that contains a comma or a bracket."
  private static let key =
    "A key is not allowed here. Quote a text that contains a colon and a space, or correct the indentation."
  private static let unclosedQuote = "The text that begins here has no closing quote."
  private static let directive = "The only directive is \"%YAML 1.2\". Remove this one."
  private static let tab = "A tab cannot indent a line. Indent with spaces."

  private var tag: String {
    "\(source.dialect.files) have no tags. Quote a text that begins with an exclamation mark."
  }

  private var unexpectedCharacter: YAMLFault {
    switch source.codePoint(at: index) {
    case "\t": here(Self.tab)
    case let codePoint?: here("A text cannot begin with … here. Quote the text.", quoting: "\(codePoint)")
    case nil: here("The file ends too early.")
    }
  }

  private func unclosed(_ name: String, _ bracket: String) -> YAMLFault {
    let within = "in the \(name) \(begin(source.mark(at: start)))"
    return switch source.codePoint(at: index) {
    case nil: atStart("The \(name) that begins here has no closing \(bracket).")
    case ":":
      here(
        "A colon is not allowed here, \(within). "
          + "Write a comma or \(bracket) before the key, or quote a text with a colon and a space.")
    default:
      source.expression(endingAt: index).map { source.fault(at: $0, Self.divided) }
        ?? here("A comma or \(bracket) is missing here, \(within).")
    }
  }

  private func begin(_ mark: SourceMark) -> String { "that begins at line \(mark.line), column \(mark.column)" }
}
