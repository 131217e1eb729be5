internal import Navigation
internal import Values
internal import WebPages

/// The values of a session that the app declares as secret or sensitive, which the console shows as bullets.
///
/// The app may store a value in a coordinator, and show it on a screen. Members of the state with the name of such a field
/// are hidden. So is each of their texts and amounts in the content for people. An operator still sees the structure.
struct HiddenValues {
  private static let bullets = "••••"
  /// Shorter texts would hide parts of other words.
  private static let minimumLength = 4

  private let fields: [FieldSchema]
  private let names: Set<String>
  /// The hidden values as people read them. Longer ones come first, because one may contain another.
  private let texts: [String]

  init(in state: SessionState, of app: AppDefinition) {
    fields = app.hiddenFields
    names = Set(fields.map(\.name))
    guard !fields.isEmpty else {
      texts = []
      return
    }
    var texts: Set<String> = []
    for value in state.storedValues { Self.collect(value, fields, under: nil, into: &texts) }
    self.texts = texts.sorted { ($0.count, $0) > ($1.count, $1) }
  }

  /// - Parameter name: the name of the hidden field that the value belongs to; nil if it belongs to none.
  private static func collect(
    _ value: Value, _ fields: [FieldSchema], under name: String?, into texts: inout Set<String>
  ) {
    for member in value.members {
      let isHidden = fields.contains { $0.name == member.key }
      collect(member.value, fields, under: isHidden ? member.key : name, into: &texts)
    }
    for element in value.elements { collect(element, fields, under: name, into: &texts) }
    guard let name, value.kind != .map, value.kind != .array else { return }
    // An amount is read with its decimal places.
    for field in fields where field.name == name { texts.formUnion(field.kind.texts(of: value).filter(isLong)) }
    texts.formUnion([value.fieldText].filter(isLong))
  }

  private static func isLong(_ text: String) -> Bool { text.count >= minimumLength }

  /// Returns a text for people with bullets in place of hidden values.
  func hiding(_ text: String) -> String { texts.reduce(text) { $0.replacing($1, with: Self.bullets) } }

  /// Returns content for people with bullets in place of hidden values.
  func hiding(_ value: TemplateValue) -> TemplateValue {
    guard !texts.isEmpty else { return value }
    switch value {
    case .text(let text): return .text(hiding(text))
    case .flag: return value
    case .list(let items): return .list(items.map { hiding($0) })
    case .object(let members): return .object(members.map { ($0.name, hiding($0.value)) })
    }
  }

  /// Returns a JSON document with bullets in place of hidden members and values.
  func hiding(_ json: [UInt8]) -> [UInt8] {
    guard !names.isEmpty else { return json }
    return ((try? JSONParser.parse(json, depth: 64)).map { hiding($0) } ?? Value(Self.bullets)).json
  }

  func hiding(_ value: Value) -> Value {
    switch value.kind {
    case .map:
      // The schema of a hidden field has the value with which its form begins.
      let isSchema = value["sensitive"] == true || value["writeOnly"] == true
      return .object(
        value.members.map { member in
          let isHidden = names.contains(member.key) && member.value.kind != .map || isSchema && member.key == "default"
          return (member.key, isHidden && !member.value.isNull ? Value(Self.bullets) : hiding(member.value))
        })
    case .array: return .array(value.elements.map { hiding($0) })
    default:
      return texts.contains(value.fieldText) ? Value(Self.bullets) : value.text.map { Value(hiding($0)) } ?? value
    }
  }
}

extension SessionState {
  /// Everything that the app stores in the session.
  fileprivate var storedValues: [Value] {
    var values = nodes.map(\.state.encoding)
    for entry in entries { if case .screen(_, let screen) = entry.content { values.append(screen.encoding) } }
    values += askedPrompts.map(\.value)
    switch pending?.content {
    case .action(_, let input, _), .button(_, let input, _): values.append(input)
    case .link, nil: break
    }
    for work in work {
      switch work.content {
      case .effect(let effect): values.append(effect.input)
      case .timer(let timer): values.append(timer.value)
      case .signal: break
      }
    }
    return values + (result.map { [$0] } ?? [])
  }
}
