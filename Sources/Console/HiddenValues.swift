internal import Navigation
internal import Values
internal import WebPages

/// The values of a session that the app declares as secret or sensitive, which the console shows as bullets.
///
/// The app may store a value in a coordinator, and show it on a screen. Members of the state with the name of such a field
/// are hidden, and so is each text of theirs wherever it appears. An operator still sees the structure of the state.
struct HiddenValues {
  private static let bullets = "••••"
  /// Shorter texts would hide parts of other words.
  private static let minimumLength = 4

  private let names: Set<String>
  /// Longer ones first, because one may contain another.
  private let texts: [String]

  init(in state: SessionState, of app: AppDefinition) {
    names = app.hiddenFields
    guard !names.isEmpty else {
      texts = []
      return
    }
    var texts: Set<String> = []
    for node in state.nodes { Self.collect(node.state.encoding, names, into: &texts) }
    for entry in state.entries {
      if case .screen(_, let values) = entry.content { Self.collect(values.encoding, names, into: &texts) }
    }
    self.texts = texts.sorted { ($0.count, $0) > ($1.count, $1) }
  }

  private static func collect(
    _ value: Value, _ names: Set<String>, isHidden: Bool = false, into texts: inout Set<String>
  ) {
    if isHidden, let text = value.text, text.count >= minimumLength { texts.insert(text) }
    for member in value.members {
      collect(member.value, names, isHidden: isHidden || names.contains(member.key), into: &texts)
    }
    for element in value.elements { collect(element, names, isHidden: isHidden, into: &texts) }
  }

  /// Returns a JSON document with bullets in place of hidden members.
  func hiding(_ json: [UInt8]) -> [UInt8] {
    guard !names.isEmpty else { return json }
    return ((try? JSONParser.parse(json, depth: 64)).map { hiding($0) } ?? Value(Self.bullets)).json
  }

  private func hiding(_ value: Value) -> Value {
    switch value.kind {
    case .map:
      .object(
        value.members.map { member in
          let isHidden = names.contains(member.key) && member.value.kind != .map && !member.value.isNull
          return (member.key, isHidden ? Value(Self.bullets) : hiding(member.value))
        })
    case .array: .array(value.elements.map(hiding))
    default: value
    }
  }

  /// Returns a value of a page with bullets in place of hidden texts.
  func hiding(_ value: TemplateValue) -> TemplateValue {
    guard !texts.isEmpty else { return value }
    switch value {
    case .text(let text): return .text(texts.reduce(text) { $0.replacing($1, with: Self.bullets) })
    case .flag: return value
    case .list(let items): return .list(items.map { hiding($0) })
    case .object(let members): return .object(members.map { ($0.name, hiding($0.value)) })
    }
  }
}
