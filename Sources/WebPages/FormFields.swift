internal import Navigation

extension InputSchema {
  /// The fields of a form, as the templates take them.
  ///
  /// - Parameters:
  ///   - form: names the form, so that no two fields of a page have one id.
  ///   - prefix: before the names of the fields.
  ///   - refused: what was typed before, where that is shown again.
  func templateValue(form: String, prefix: String = "", refused: RefusedForm? = nil) -> TemplateValue {
    .list(fields.map { $0.templateValue(id: "\(form)-\($0.name)", name: prefix + $0.name, refused) })
  }
}

extension FieldSchema {
  /// From this length on, a text is typed on several lines.
  private static let longText = 200

  fileprivate func templateValue(id: String, name: String, _ refused: RefusedForm?) -> TemplateValue {
    let typed = rules.isSecret ? nil : refused?.typed[name]
    let error = refused?.advice(on: self)
    let hints = [hint.map { _ in "\(id)-hint" }, error.map { _ in "\(id)-error" }].compactMap { $0 }
    return [
      "id": .text(id), "name": .text(name), "label": .text(rules.title.string), "isRequired": .flag(isRequired),
      "value": .text(typed ?? ""), "hint": .text(hint), "error": .text(error),
      "describedBy": hints.isEmpty ? nil : .text(hints.joined(separator: " ")),
      "choice": rules.choices.map { choice(among: $0, typed) },
      "box": type == .boolean ? ["isChecked": .flag(typed == "true")] : nil,
      "lines": isLong ? ["maxLength": .text("\(rules.length?.upperBound ?? 0)")] : nil,
      "input": rules.choices == nil && type != .boolean && !isLong ? inputAttributes : nil,
    ]
  }

  private var isLong: Bool {
    rules.choices == nil && !rules.isSecret && (rules.length?.upperBound ?? 0) > Self.longText
  }

  private func choice(among choices: [Choice], _ typed: String?) -> TemplateValue {
    [
      "options": .list(
        choices.map {
          ["value": .text($0.value), "title": .text($0.title.string), "isSelected": .flag($0.value == typed)]
        })
    ]
  }

  private var inputAttributes: TemplateValue {
    if type == .string {
      return [
        "type": rules.isSecret ? "password" : "text", "mode": rules.digitsOnly ? "numeric" : nil,
        "minLength": rules.length.flatMap { $0.lowerBound > 0 ? .text("\($0.lowerBound)") : nil },
        "maxLength": rules.length.map { .text("\($0.upperBound)") },
      ]
    }
    return [
      "type": "number", "mode": type == .integer ? "numeric" : "decimal", "step": type == .integer ? "1" : "any",
      "minimum": (rules.minimum ?? rules.exclusiveMinimum).map { .text(formatted($0)) },
      "maximum": rules.maximum.map { .text(formatted($0)) },
    ]
  }
}
