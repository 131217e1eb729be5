internal import CYAML

/// The scanner and the parser of libyaml. An instance returns either tokens or events.
///
/// All indices are in code points of the source. libyaml does not resolve aliases here, so that none can multiply the
/// content.
final class LibYAMLParser {
  // The structure contains pointers to itself, so it stays at one address in memory.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let bytes: UnsafeMutableBufferPointer<UInt8>
  private let input: LibYAMLInput

  init(_ input: LibYAMLInput) {
    self.input = input
    bytes = .allocate(capacity: input.bytes.count)
    _ = bytes.initialize(from: input.bytes)
    // The only failure is a lack of memory.
    guard yaml_parser_initialize(parser) == 1 else { fatalError("libyaml found no memory") }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    bytes.deallocate()
  }

  /// Returns the next token, or nil after the last.
  func token() throws(LibYAMLError) -> LibYAMLToken? {
    var token = yaml_token_t()
    guard yaml_parser_scan(parser, &token) == 1 else { throw LibYAMLError(parser.pointee, input) }
    defer { yaml_token_delete(&token) }
    switch token.type {
    case YAML_NO_TOKEN, YAML_STREAM_END_TOKEN: return nil
    default: return LibYAMLToken(token, input)
    }
  }

  /// Returns the next event, or nil after the last.
  func event() throws(LibYAMLError) -> LibYAMLEvent? {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw LibYAMLError(parser.pointee, input) }
    defer { yaml_event_delete(&event) }
    let kind: LibYAMLEvent.Kind
    switch event.type {
    case YAML_NO_EVENT, YAML_STREAM_END_EVENT: return nil
    case YAML_SEQUENCE_START_EVENT: kind = .sequenceStart
    case YAML_MAPPING_START_EVENT: kind = .mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .collectionEnd
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      kind = .scalar(text, Self.style(scalar.style))
    default: kind = .other
    }
    // An empty scalar after an anchor or a tag ends before it begins.
    let (start, end) = (event.start_mark.index, event.end_mark.index)
    return LibYAMLEvent(kind: kind, range: input.sourceIndex(start)..<input.sourceIndex(max(start, end)))
  }

  private static func style(_ style: yaml_scalar_style_t) -> YAMLNode.Style {
    switch style {
    case YAML_SINGLE_QUOTED_SCALAR_STYLE, YAML_DOUBLE_QUOTED_SCALAR_STYLE: .quoted
    case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: .block
    default: .plain
    }
  }
}

/// A token, with as much as the check for unsupported syntax needs.
struct LibYAMLToken {
  let type: yaml_token_type_t
  let range: Range<Int>
  let isDoubleQuoted: Bool
  /// Whether the token is the directive `%YAML 1.2`.
  let isVersion12: Bool

  init(_ token: yaml_token_t, _ input: LibYAMLInput) {
    let (data, version) = (token.data, token.data.version_directive)
    type = token.type
    range = input.sourceIndex(token.start_mark.index)..<input.sourceIndex(token.end_mark.index)
    isDoubleQuoted = type == YAML_SCALAR_TOKEN && data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE
    isVersion12 = type == YAML_VERSION_DIRECTIVE_TOKEN && version.major == 1 && version.minor == 2
  }
}

struct LibYAMLEvent {
  enum Kind {
    case sequenceStart
    case mappingStart
    case collectionEnd
    case scalar(String, YAMLNode.Style)
    /// An alias, or the start or the end of the stream or of a document.
    case other
  }

  let kind: Kind
  /// The code points of the event, from its anchor or tag on.
  let range: Range<Int>
}

/// An error of libyaml.
struct LibYAMLError: Error {
  /// The words of libyaml, such as `did not find expected key`.
  let problem: String
  let index: Int
  /// The step of libyaml, such as `while parsing a block mapping`, and the location where it began.
  let context: String
  let contextIndex: Int

  init(_ parser: yaml_parser_t, _ input: LibYAMLInput) {
    problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
    index = input.sourceIndex(parser.error == YAML_READER_ERROR ? parser.mark.index : parser.problem_mark.index)
    context = parser.context.map { String(cString: $0) } ?? ""
    contextIndex = parser.context == nil ? index : input.sourceIndex(parser.context_mark.index)
  }
}
