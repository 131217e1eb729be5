package import Values

/// A declared deep link.
public struct LinkDefinition: Sendable {
  public let pattern: LinkPattern
  /// The fields of the path and of the query.
  public var input: InputSchema { fields.schema }
  private(set) var fields: FieldDeclarations
  /// Returns the steps for validated fields.
  let steps: @Sendable (Value) throws -> [Step]
  /// The steps without their inputs.
  let sampleSteps: [Step]

  /// The names of the tabs and actions in the steps.
  public var stepNames: [String] { sampleSteps.map(\.name) }

  /// The fields that a link has in its query.
  package var queryFields: [FieldSchema] { input.fields.filter { !pattern.fieldNames.contains($0.name) } }

  /// Whether a secret or sensitive field is in the path.
  package var hasHiddenPath: Bool {
    input.fields.contains { $0.isHidden && pattern.fieldNames.contains($0.name) }
  }

  /// - Parameters:
  ///   - pattern: a path such as `/inbox/{messageId}`.
  ///   - steps: returns the steps for validated fields.
  ///   - sampleSteps: the steps without their inputs.
  package init(
    _ pattern: String, _ fields: FieldDeclarations, sampleSteps: [Step],
    steps: @escaping @Sendable (Value) throws -> [Step]
  ) {
    (self.pattern, self.fields) = (LinkPattern(pattern), fields)
    (self.sampleSteps, self.steps) = (sampleSteps, steps)
  }

  func written(by writer: TextWriter) -> LinkDefinition {
    copy(of: self) { $0.fields = fields.written(by: writer) }
  }
}

/// The error of a link from whose fields no step can be made: the sender of the link is at fault, and not the app.
package struct UnusableLink: Error {
  package init() {}
}

extension AppDefinition {
  /// The text instead of a link of which nothing is known.
  package static let hiddenLink = "/\(InputSchema.hiddenText)"

  /// Returns a link with bullets instead of its secret and sensitive fields, and of those that no link declares: an
  /// earlier version of the app may have kept them secret.
  package func hidingSecrets(ofLink text: String) -> String {
    let hidden = InputSchema.hiddenText
    let parts = text.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first?.split(separator: "/") ?? []
    guard let location = LinkLocation(text), let link = links.first(where: { $0.pattern.match(location.path) != nil }),
      path.count == link.pattern.segments.count
    else { return Self.hiddenLink }
    let shown = Set(link.input.fields.filter { !$0.isHidden }.map(\.name))
    let shownPath = zip(link.pattern.segments, path).map { segment, text in
      if case .field(let name) = segment, !shown.contains(name) { "/\(hidden)" } else { "/\(text)" }
    }
    let query = parts.dropFirst().flatMap { $0.split(separator: "&") }.map { item in
      let name = item.prefix { $0 != "=" }
      return shown.contains(String(name)) ? String(item) : "\(name)=\(hidden)"
    }
    return shownPath.joined() + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
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
    segments.compactMap { if case .field(let name) = $0 { name } else { nil } }
  }

  /// Returns the texts of the placeholders in `path`, whose segments are decoded; nil if the pattern does not match.
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
