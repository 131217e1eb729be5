internal import Languages
internal import Navigation
internal import Values
internal import WebPages

/// The values of a session that the app declares as secret or sensitive, which the console shows as bullets.
///
/// The console replaces each member of the app's own values that is named like a hidden field, and each occurrence of its
/// value in texts for people. Everything of Usher stays readable.
struct HiddenValues {
  private static let bullets = "••••"
  /// Shorter texts would hide parts of other words.
  private static let minimumLength = 4

  private let fields: [FieldSchema]
  private let names: Set<String>
  /// The hidden values as people read them. Longer ones come first, because one may contain another.
  private let texts: [String]

  /// - Parameter language: the language in which a view of the session writes amounts and dates.
  init(in state: SessionState, of app: AppDefinition, _ language: ServiceLanguage) {
    fields = app.hiddenFields
    names = Set(fields.map(\.name))
    var texts: Set<String> = []
    if !fields.isEmpty {
      for value in state.storedValues { Self.collect(value, fields, language, under: nil, into: &texts) }
    }
    self.texts = texts.sorted { ($0.count, $0) > ($1.count, $1) }
  }

  /// - Parameter name: the name of the hidden field that the value belongs to; nil if it belongs to none.
  private static func collect(
    _ value: Value, _ fields: [FieldSchema], _ language: ServiceLanguage, under name: String?,
    into texts: inout Set<String>
  ) {
    for member in value.members {
      let isHidden = fields.contains { $0.name == member.key }
      collect(member.value, fields, language, under: isHidden ? member.key : name, into: &texts)
    }
    for element in value.elements { collect(element, fields, language, under: name, into: &texts) }
    guard let name, value.kind != .map, value.kind != .array, value.bool == nil else { return }
    var shown = [value.fieldText]
    for field in fields where field.name == name { shown += field.shownTexts(of: value, in: language) }
    texts.formUnion(shown.filter { $0.count >= minimumLength })
  }

  // MARK: - Texts for people

  /// Returns a text for people with bullets instead of hidden values.
  func hiding(_ text: String) -> String { texts.reduce(text) { $0.replacing($1, with: Self.bullets) } }

  /// Returns content for people with bullets instead of hidden values.
  func hiding(_ content: TemplateValue) -> TemplateValue {
    guard !texts.isEmpty else { return content }
    switch content {
    case .text(let text): return .text(hiding(text))
    case .flag: return content
    case .list(let items): return .list(items.map { hiding($0) })
    case .object(let members): return .object(members.map { ($0.name, hiding($0.value)) })
    }
  }

  // MARK: - Values

  /// Returns a value of the app, such as the state of a coordinator, with bullets instead of hidden members and texts.
  func hiding(_ value: Value) -> Value {
    guard !names.isEmpty else { return value }
    return replacing(value) { name, member in
      names.contains(name) && member.kind != .map && !member.isNull ? Value(Self.bullets) : nil
    }
  }

  /// Returns what people see of a value, with bullets instead of hidden texts.
  private func hidingTexts(_ value: Value) -> Value { replacing(value) { _, _ in nil } }

  /// - Parameter replacement: returns the value that replaces a member; nil to look into the member.
  private func replacing(_ value: Value, _ replacement: (String, Value) -> Value?) -> Value {
    switch value.kind {
    case .map:
      .object(value.members.map { ($0.key, replacement($0.key, $0.value) ?? replacing($0.value, replacement)) })
    case .array: .array(value.elements.map { replacing($0, replacement) })
    default: texts.contains(value.fieldText) ? Value(Self.bullets) : value.text.map { Value(hiding($0)) } ?? value
    }
  }

  // MARK: - The view

  /// Returns the view of the session in JSON with bullets instead of hidden values.
  func hiding(view json: [UInt8]) -> [UInt8] {
    guard !names.isEmpty else { return json }
    guard let view = try? JSONParser.parse(json, depth: Value.maximumDocumentDepth) else { return Value.null.json }
    return changing(
      view,
      [
        "session": { changing($0, ["result": hiding]) },
        "screen": {
          changing($0, ["title": hidingTexts, "data": hiding, "content": hidingTexts, "problems": hidingTexts])
        },
        "actions": action, "navigation": { changing($0, ["stack": title, "back": title]) },
        "prompt": { changing($0, ["title": hidingTexts, "message": hidingTexts, "actions": action]) },
      ]
    ).json
  }

  private func title(_ value: Value) -> Value { changing(value, ["title": hidingTexts]) }

  private func action(_ value: Value) -> Value {
    changing(
      value,
      ["reason": hidingTexts, "input": { changing($0, ["properties": hidingDefaults]) }, "errors": hidingTexts])
  }

  /// The form of a hidden field begins with its value.
  private func hidingDefaults(_ properties: Value) -> Value {
    .object(
      properties.members.map { field in
        (
          field.key,
          names.contains(field.key) ? changing(field.value, ["default": { _ in Value(Self.bullets) }]) : field.value
        )
      })
  }

  /// Returns an object, or an array of objects, with changed members.
  private func changing(_ value: Value, _ changes: [String: (Value) -> Value]) -> Value {
    switch value.kind {
    case .map: .object(value.members.map { ($0.key, changes[$0.key]?($0.value) ?? $0.value) })
    case .array: .array(value.elements.map { changing($0, changes) })
    default: value
    }
  }
}

extension FieldSchema {
  /// A value as people read it: an amount with its decimal places, a choice by its title, and a date in words.
  fileprivate func shownTexts(of value: Value, in language: ServiceLanguage) -> [String] {
    kind.texts(of: value) + kind.allChoices.filter { $0.value == value }.map(\.title.string)
      + writtenTexts(of: value, in: language)
  }

  /// A value as a view writes it that shows it as an amount of money, or as a date.
  private func writtenTexts(of value: Value, in language: ServiceLanguage) -> [String] {
    if let number = value.int {
      // An amount of money has two decimal places unless declared.
      let decimals = kind.amount.map { [$0.decimals] } ?? [0, 2]
      return decimals.flatMap { [language.number(number, decimals: $0), language.digits(of: number, decimals: $0)] }
    }
    let text = value.text ?? ""
    let typed = CalendarDate(text).map { TypedValue.date($0) } ?? OffsetDateTime(text).map { TypedValue.dateTime($0) }
    return typed.map { [language.text($0.argument)] } ?? []
  }
}

extension SessionState {
  /// Everything that the app stores in the session.
  fileprivate var storedValues: [Value] {
    var values = nodes.map(\.state.encoding)
    for entry in entries { if case .screen(_, let screen) = entry.content { values.append(screen.encoding) } }
    values += askedPrompts.map(\.value)
    for intent in pendingIntents {
      switch intent.content {
      case .action(_, let input, _, _), .button(_, let input, _): values.append(input)
      case .steps(let steps, _):
        for case .action(_, let input) in steps { values.append(input) }
      case .link, .move: break
      }
    }
    for work in work {
      switch work.content {
      case .effect(let effect):
        values.append(effect.input)
        if case .submitted(let form) = effect.form { values.append(form.input) }
      case .timer(let timer): values.append(timer.value)
      case .signal: break
      }
    }
    if let refusal { values.append(refusal.form.input) }
    return values + (result.map { [$0] } ?? [])
  }
}
