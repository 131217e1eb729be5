internal import Languages
internal import Messages
package import Navigation

/// The notice on top of a page after a refused request.
package struct PageRefusal {
  private let detail: String
  /// The refused form; nil if the page shows no form again.
  let form: RefusedForm?

  package init(detail: String, form: RefusedForm?) {
    self.detail = detail
    self.form = form
  }

  /// - Parameters:
  ///   - schema: the input of the refused form.
  ///   - id: the id of that form on the page.
  ///   - language: the language of the service's own texts.
  func templateValue(_ schema: InputSchema?, form id: String, _ language: ServiceLanguage) -> TemplateValue {
    guard let form, !form.failures.isEmpty else { return ["detail": .text(detail), "isForm": false] }
    let general: [TemplateValue] = form.generalAdvice(language).map { ["advice": .text($0)] }
    let errors: [TemplateValue] = (schema?.fields ?? []).compactMap { field in
      form.advice(on: field, language).map { ["advice": .text($0), "field": .text("\(id)-\(field.name)")] }
    }
    return ["isForm": true, "errors": .list(general + errors)]
  }
}

/// A refused form, which the page shows again with the typed values and the reasons.
package struct RefusedForm {
  /// The name of the action, or of the app to start.
  let name: String
  /// The typed texts of the fields of each name, in their order.
  private let typed: [String: [String]]
  /// The faults of the input; none if the form was refused for another reason.
  let failures: [InvalidInput.Failure]

  package init(name: String, typed: [String: [String]], failures: [InvalidInput.Failure]) {
    self.name = name
    self.typed = typed
    self.failures = failures
  }

  /// Returns the typed texts of all fields of a name.
  func texts(of name: String) -> [String] { typed[name] ?? [] }

  /// Returns the sentences beside a field; nil if the field is valid.
  func advice(on field: FieldSchema, _ language: ServiceLanguage) -> String? {
    let failures = failures.filter { $0.pointer == "/\(field.name)" }
    return failures.isEmpty ? nil : failures.sentences(in: language)
  }

  /// Returns the sentences that concern no field.
  func generalAdvice(_ language: ServiceLanguage) -> [String] {
    failures.filter(\.pointer.isEmpty).map { $0.sentence(in: language) }
  }
}
