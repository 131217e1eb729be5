internal import CYAML

/// The scanner and the parser of libyaml. An instance returns either tokens or events.
///
/// All indices are in code points. libyaml does not resolve aliases here, so that none can multiply the content.
final class LibYAMLParser {
  // The structure contains pointers to itself, so it stays at one address in memory.
  private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
  private let input: UnsafeMutableBufferPointer<UInt8>

  /// - Parameter bytes: valid UTF-8.
  init(_ bytes: [UInt8]) {
    input = .allocate(capacity: bytes.count)
    _ = input.initialize(from: bytes)
    // It fails for lack of memory only.
    guard yaml_parser_initialize(parser) == 1 else { fatalError("libyaml found no memory") }
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
    input.deallocate()
  }

  /// Returns the next token, or nil after the last.
  func token() throws(LibYAMLError) -> LibYAMLToken? {
    var token = yaml_token_t()
    guard yaml_parser_scan(parser, &token) == 1 else { throw LibYAMLError(parser.pointee) }
    defer { yaml_token_delete(&token) }
    let kind: LibYAMLToken.Kind
    switch token.type {
    case YAML_NO_TOKEN, YAML_STREAM_END_TOKEN: return nil
    case YAML_VERSION_DIRECTIVE_TOKEN:
      let version = token.data.version_directive
      kind = .version(major: Int(version.major), minor: Int(version.minor))
    case YAML_TAG_DIRECTIVE_TOKEN: kind = .tagDirective
    case YAML_ALIAS_TOKEN: kind = .alias
    case YAML_ANCHOR_TOKEN: kind = .anchor
    case YAML_TAG_TOKEN: kind = .tag
    case YAML_SCALAR_TOKEN where token.data.scalar.style == YAML_DOUBLE_QUOTED_SCALAR_STYLE: kind = .doubleQuoted
    case YAML_BLOCK_SEQUENCE_START_TOKEN, YAML_BLOCK_MAPPING_START_TOKEN, YAML_FLOW_SEQUENCE_START_TOKEN,
      YAML_FLOW_MAPPING_START_TOKEN:
      kind = .collectionStart
    case YAML_BLOCK_END_TOKEN, YAML_FLOW_SEQUENCE_END_TOKEN, YAML_FLOW_MAPPING_END_TOKEN: kind = .collectionEnd
    default: kind = .other
    }
    return LibYAMLToken(kind: kind, range: token.start_mark.index..<token.end_mark.index)
  }

  /// Returns the next event, or nil after the last.
  func event() throws(LibYAMLError) -> LibYAMLEvent? {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw LibYAMLError(parser.pointee) }
    defer { yaml_event_delete(&event) }
    let kind: LibYAMLEvent.Kind
    switch event.type {
    case YAML_NO_EVENT, YAML_STREAM_END_EVENT: return nil
    case YAML_STREAM_START_EVENT: kind = .streamStart
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
    case YAML_SEQUENCE_START_EVENT: kind = .sequenceStart
    case YAML_MAPPING_START_EVENT: kind = .mappingStart
    case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: kind = .collectionEnd
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      kind = .scalar(text, Self.style(scalar.style))
    default: kind = .alias
    }
    // An empty scalar after an anchor or a tag ends before it begins.
    let (start, end) = (event.start_mark.index, event.end_mark.index)
    return LibYAMLEvent(kind: kind, range: start..<max(start, end))
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
  enum Kind {
    case version(major: Int, minor: Int)
    case tagDirective
    case alias
    case anchor
    case tag
    case doubleQuoted
    case collectionStart
    case collectionEnd
    case other
  }

  let kind: Kind
  let range: Range<Int>
}

struct LibYAMLEvent {
  enum Kind {
    case streamStart
    case documentStart
    case documentEnd
    case sequenceStart
    case mappingStart
    case collectionEnd
    case alias
    case scalar(String, YAMLNode.Style)
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

  init(_ parser: yaml_parser_t) {
    problem = parser.problem.map { String(cString: $0) } ?? "out of memory"
    index = parser.error == YAML_READER_ERROR ? parser.mark.index : parser.problem_mark.index
    context = parser.context.map { String(cString: $0) } ?? ""
    contextIndex = parser.context == nil ? index : parser.context_mark.index
  }
}
