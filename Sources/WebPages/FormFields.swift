internal import Languages
internal import Messages
internal import Navigation
internal import Values

extension InputSchema {
  /// The fields of a form that people fill in, for the templates.
  ///
  /// - Parameters:
  ///   - form: the name of the form, which makes the ids of the fields unique on a page.
  ///   - prefix: the prefix of the field names.
  ///   - titleField: the field whose label is the title of the screen.
  ///   - refused: a refused form, whose values are shown again.
  ///   - language: the language of the service's own texts.
  func templateValue(
    form: String, prefix: String = "", titleField: TitleField? = nil, _ language: ServiceLanguage,
    refused: RefusedForm? = nil
  ) -> TemplateValue {
    .list(
      fields.filter { !$0.isFromAddress }.map { field in
        let id = Self.id(of: field, form: form)
        return field.templateValue(
          id: id, name: prefix + field.name, isTitle: id == titleField?.id, language, refused,
          condition: condition(of: field))
      })
  }

  /// The hidden fields of a form that an address fills in, for the templates.
  ///
  /// - Parameters:
  ///   - values: the values of the address.
  ///   - prefix: the prefix of the field names.
  ///   - language: the language in which the form is read.
  ///   - refused: a refused form, whose valid values are sent again.
  func hiddenTemplateValue(
    _ values: Value, prefix: String, _ language: ServiceLanguage, refused: RefusedForm?
  ) -> TemplateValue {
    .list(
      fields.filter(\.isFromAddress).flatMap { field -> [TemplateValue] in
        let name = prefix + field.name
        // People have no control with which they could correct a value that was refused.
        let sent = refused?.advice(on: field, language) == nil ? refused?.texts(of: name) : nil
        let texts = sent ?? values[field.name].map { field.texts(of: $0, language) } ?? []
        return texts.map { ["name": .text(name), "value": .text($0)] }
      })
  }

  /// Returns the id of the control of a field on a page.
  fileprivate static func id(of field: FieldSchema, form: String) -> String { "\(form)-\(field.name)" }

  /// Returns the condition of a field for the script of a page, which has amounts as people type them; nil without one
  /// that the script can test.
  private func condition(of field: FieldSchema) -> String? {
    guard let condition = field.condition, condition != .unknown else { return nil }
    let schema = condition.schema { name, value in
      guard value.int != nil, let amount = fields.first(where: { $0.name == name })?.kind.amount else { return value }
      return JSONParser.number(amount.text(of: value)) ?? value
    }
    return schema.description
  }
}

/// The only field of a screen whose label is the title of the screen. The title is its label, so that people read and
/// hear the question once.
struct TitleField {
  private let field: FieldSchema
  /// The id of the control.
  fileprivate let id: String

  /// Returns nil if the form has other fields or another label, and for a checkbox, which has its label beside it.
  init?(_ input: InputSchema, form: String, of title: Text) {
    guard input.fields.count == 1, input.fields[0].title.string == title.string,
      input.fields[0].kind.control != .checkbox
    else { return nil }
    field = input.fields[0]
    id = InputSchema.id(of: field, form: form)
  }

  /// The field as the title of the template `session`.
  var templateValue: TemplateValue {
    [
      "control": isGroup ? nil : .text(id), "label": .text(field.title.string), "unit": .text(field.unit),
      "isOptional": .flag(field.isNullable), "isConditional": .flag(field.condition != nil),
    ]
  }

  /// Whether the field has several controls, which the title labels together.
  private var isGroup: Bool {
    switch field.kind.control {
    case .radio, .checkboxes, .dateTime: true
    case .checkbox, .select, .textArea, .input: false
    }
  }
}

extension FieldSchema {
  fileprivate func templateValue(
    id: String, name: String, isTitle: Bool, _ language: ServiceLanguage, _ refused: RefusedForm?,
    condition rule: String?
  ) -> TemplateValue {
    let typed = isSecret ? [] : refused?.texts(of: name) ?? initial.map { texts(of: $0, language) } ?? []
    let error = refused?.advice(on: self, language)
    let hint = hint(in: language)
    let hints = [hint.map { _ in "\(id)-hint" }, error.map { _ in "\(id)-error" }].compactMap { $0 }
    var value = typed.last
    let control: (name: StaticString, values: TemplateValue)
    switch kind.control {
    case .select(let choices): control = ("choice", ["options": options(choices, selected: typed.last)])
    case .radio(let choices):
      let none = isNullable ? [Choice("", title: Text(language(.pageNoChoice)))] : []
      let selected = typed.isEmpty && isNullable ? [""] : typed
      control = ("group", ["kind": "radio", "members": members(choices + none, id: id, selected: selected, language)])
    case .checkboxes(let choices):
      let members = members(choices, id: id, selected: typed, language)
      control = ("group", ["kind": "checkbox", "isSeveral": true, "members": members])
    case .checkbox: control = ("box", ["isChecked": .flag(typed.last == "true")])
    case .textArea(let attributes): control = ("lines", ["attributes": members(attributes)])
    case .dateTime:
      value = typed.first
      let offset = typed.count == 2 ? typed[1] : "+00:00"
      let offsets = OffsetDateTime.offsets.contains(offset) ? OffsetDateTime.offsets : [offset] + OffsetDateTime.offsets
      let options = offsets.map { ["offset": .text($0), "isSelected": .flag($0 == offset)] as TemplateValue }
      // Without an offset of the app, a script chooses that of the browser.
      control = ("moment", ["offsets": .list(options), "isLocal": .flag(typed.count != 2)])
    case .input(let type, let attributes):
      let own = attributes.first { $0.name == "autocomplete" }?.value
      var all = attributes.filter { $0.name != "autocomplete" }.map { localized($0, language) }
      if let amount = kind.amount {
        all.append(FieldControl.Attribute("pattern", amount.pattern(in: language)))
        all.append(tooltip(language.number(1250, decimals: amount.decimals), language))
      }
      all.append(FieldControl.Attribute("autocomplete", autofill?.rawValue ?? own ?? "off"))
      control = ("input", ["type": .text(type), "attributes": members(all)])
    }
    return [
      "id": .text(id), "name": .text(name), "label": .text(title.string), "isRequired": .flag(isRequired),
      "isOptional": .flag(isNullable), "isConditional": .flag(condition != nil), "condition": .text(rule),
      "isTitle": isTitle ? .flag(true) : nil, "value": .text(value ?? ""), "hint": .text(hint), "error": .text(error),
      "describedBy": hints.isEmpty ? nil : .text(hints.joined(separator: " ")),
      control.name: control.values, "unit": .text(unit), "autofill": .text(autofill?.rawValue),
    ]
  }

  /// Returns the tooltip of a pattern in a language, and any other attribute as it is.
  private func localized(_ attribute: FieldControl.Attribute, _ language: ServiceLanguage) -> FieldControl.Attribute {
    guard attribute.name == "title" else { return attribute }
    for case .pattern(let pattern) in kind.limits { return tooltip(pattern.example, language) }
    return attribute
  }

  private func tooltip(_ example: String, _ language: ServiceLanguage) -> FieldControl.Attribute {
    FieldControl.Attribute("title", language(.pageSuchAs, ["example": .text(example)]))
  }

  /// The texts of the controls for a value.
  fileprivate func texts(of value: Value, _ language: ServiceLanguage) -> [String] {
    kind.amount == nil ? kind.texts(of: value) : [kind.text(of: value, in: language)]
  }

  /// The unit of an amount.
  fileprivate var unit: String? { kind.amount?.unit?.string }

  private func members(_ attributes: [FieldControl.Attribute]) -> TemplateValue {
    .list(attributes.map { ["attribute": .text($0.name), "setting": .text($0.value)] })
  }

  private func members(
    _ choices: [Choice], id: String, selected: [String], _ language: ServiceLanguage
  ) -> TemplateValue {
    .list(
      choices.enumerated().map { number, choice -> TemplateValue in
        let value = choice.value.fieldText
        return [
          "memberID": .text("\(id)-\(number)"), "choiceValue": .text(value),
          "choiceTitle": .text(choice.title.written(in: language).string), "choiceHint": .text(choice.hint?.string),
          "isExclusive": .flag(choice.excludesOthers),
          "isChosen": .flag(selected.contains(value)),
        ]
      })
  }

  private func options(_ choices: [Choice], selected: String?) -> TemplateValue {
    .list(
      choices.map { choice -> TemplateValue in
        let value = choice.value.fieldText
        return ["value": .text(value), "title": .text(choice.title.string), "isSelected": .flag(value == selected)]
      })
  }
}
