internal import Values

/// A deep link as the app knows it.
public struct LinkDefinition: Sendable {
  public let pattern: LinkPattern
  /// The fields of the link, those of its path and those of its query.
  public let input: InputSchema
  let fields: FieldDeclarations
  /// The steps for checked parameters.
  let steps: @Sendable (Value) throws -> [Step]
  /// The steps for parameters that nobody gave; good only for the names in them.
  let sampleSteps: [Step]

  /// The names of the tabs and actions on the way.
  public var stepNames: [String] {
    sampleSteps.map { step in
      switch step.kind {
      case .tab(let name): name
      case .action(let name, _, _): name
      }
    }
  }

  init<L: Link>(_ link: L.Type) {
    let declarations = FieldDeclarations(of: L())
    pattern = LinkPattern(L.pattern)
    input = declarations.schema
    fields = declarations
    steps = { try $0.decode(L.self).steps }
    sampleSteps = L().steps
  }
}

/// A path with placeholders, such as `/accounts/{accountId}`.
public struct LinkPattern: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case field(String)
  }
  public let text: String
  let segments: [Segment]

  init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map { part in
      part.hasPrefix("{") && part.hasSuffix("}") ? .field(String(part.dropFirst().dropLast())) : .literal(String(part))
    }
  }

  var fieldNames: [String] {
    segments.compactMap { segment in
      guard case .field(let name) = segment else { return nil }
      return name
    }
  }

  /// The texts of the placeholders in `path`, which is split and decoded; nil where the pattern does not match.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var fields: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard literal == text else { return nil }
      case .field(let name): fields[name] = text
      }
    }
    return fields
  }
}
