internal import CYAML

/// The check for the syntax of YAML that the subset does not have.
///
/// The check runs on tokens, because only tokens have the exact locations of tags and anchors. The reader runs on the
/// events of the ``input`` that the check leaves to it.
struct YAMLTokenCheck {
  /// The faults in any order.
  private(set) var faults: [YAMLFault] = []
  /// The text for the parser of libyaml.
  let input: LibYAMLInput

  init(_ source: YAMLSource) {
    let unprintable = source.codePoints.indices.filter { !source.codePoints[$0].isAllowed }
    var codePoints = source.codePoints
    for index in unprintable { codePoints[index] = "_" }
    let masked = SurrogateEscape.masked(codePoints)
    var escapes: [SurrogateEscape] = []
    var (depth, end) = (0, 0)
    let parser = LibYAMLParser(LibYAMLInput(masked))
    // An error ends the check. The reader finds it too. Nesting ends the check, because libyaml takes time in proportion
    // to the depth for every token.
    while depth <= YAMLReader.maximumDepth, let token = try? parser.token() {
      end = max(end, token.range.upperBound)
      switch token.type {
      case YAML_BLOCK_SEQUENCE_START_TOKEN, YAML_BLOCK_MAPPING_START_TOKEN, YAML_FLOW_SEQUENCE_START_TOKEN,
        YAML_FLOW_MAPPING_START_TOKEN:
        depth += 1
      case YAML_BLOCK_END_TOKEN, YAML_FLOW_SEQUENCE_END_TOKEN, YAML_FLOW_MAPPING_END_TOKEN: depth -= 1
      case YAML_SCALAR_TOKEN where token.isDoubleQuoted:
        escapes += SurrogateEscape.all(in: token.range, of: codePoints)
      default:
        guard let rule = Self.rule(about: token, source.dialect.files) else { break }
        let content = source.text(token.range).quotedForMessage
        faults.append(source.fault(at: token.range.lowerBound, rule, quoting: content))
      }
    }
    // After an error, libyaml would complain about the first escape instead.
    codePoints[end...] = masked[end...]
    input = LibYAMLInput(codePoints, shortening: escapes)
    for escape in escapes where escape.codePoint == nil {
      let advice = "Write both halves, such as \\ud83d\\ude00, or the character itself."
      faults.append(
        source.fault(
          at: escape.range.lowerBound, "The escape … is half of a surrogate pair. \(advice)",
          quoting: source.text(escape.range)))
    }
    for index in unprintable.prefix(YAMLReader.maximumFaultCount) {
      let advice = "Remove it, or write it as \\u… in double quotes."
      let rule = "The character U+… is not allowed. \(advice)"
      faults.append(source.fault(at: index, rule, quoting: source.codePoints[index].hexadecimal))
    }
  }

  private static func rule(about token: LibYAMLToken, _ files: String) -> String? {
    switch token.type {
    case YAML_VERSION_DIRECTIVE_TOKEN: token.isVersion12 ? nil : "\(files) follow YAML 1.2. Remove …."
    case YAML_TAG_DIRECTIVE_TOKEN: "\(files) have no tags. Remove …."
    case YAML_TAG_TOKEN: "\(files) have no tags. Remove …. To make a value a text, quote it."
    case YAML_ANCHOR_TOKEN: "\(files) have no anchors. Remove …."
    case YAML_ALIAS_TOKEN: "\(files) have no aliases. Replace … with the value that it stands for."
    default: nil
    }
  }
}

extension Unicode.Scalar {
  /// Whether a file may contain the character.
  ///
  /// Not allowed are the characters that YAML excludes, and those that editors do not show: a byte order mark inside of
  /// the file, and the line breaks of YAML 1.1, which are line breaks for libyaml.
  fileprivate var isAllowed: Bool {
    switch value {
    case 0x20...0x7E, 0x09, 0x0A, 0x0D: true
    case 0x2028, 0x2029, 0xFEFF: false
    case 0xA0...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// The value in at least four digits.
  fileprivate var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
