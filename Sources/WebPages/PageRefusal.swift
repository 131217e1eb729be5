internal import Languages
internal import Messages
package import Navigation

/// The notice on top of a page after a refused request, or after the refusal of a form by an outcome.
package struct PageRefusal {
  private let detail: String
  /// The refused form; nil if the page shows no form again.
  let form: RefusedForm?
  /// Whether the session has the refusal, so that a later page shows it, too.
  private let isStored: Bool

  package init(detail: String, form: RefusedForm?) { self.init(detail: detail, form: form, isStored: false) }

  private init(detail: String, form: RefusedForm?, isStored: Bool) {
    (self.detail, self.form, self.isStored) = (detail, form, isStored)
  }

  /// Creates the notice about a form that an outcome has refused; nil without one.
  ///
  /// - Parameter forms: the actions with a form on the page. Items perform the others.
  init?(of visible: VisibleScreen, _ forms: [OfferedAction], in language: ServiceLanguage) {
    guard let refused = visible.actions.first(where: { !$0.failures.isEmpty }) else { return nil }
    let name = refused.definition.name
    let hasForm = refused.disabled == nil && forms.contains { $0.definition.name == name }
    self.init(
      detail: refused.failures.sentences(in: language),
      form: hasForm ? RefusedForm(name: name, typed: nil, failures: refused.failures) : nil, isStored: true)
  }

  /// - Parameters:
  ///   - schema: the input of the refused form.
  ///   - id: the id of that form on the page.
  ///   - language: the language of the service's own texts.
  func templateValue(_ schema: InputSchema?, form id: String, _ language: ServiceLanguage) -> TemplateValue {
    guard let form, !form.failures.isEmpty else {
      return ["detail": .text(detail), "isForm": false, "isStored": .flag(isStored)]
    }
    // A field from an address has no control that the sentence could lead to.
    let fields = (schema?.fields ?? []).filter { !$0.isFromAddress }
    let general: [TemplateValue] = form.generalAdvice(beside: fields, language).map { ["advice": .text($0)] }
    let errors: [TemplateValue] = fields.compactMap { field in
      form.advice(on: field, language).map { ["advice": .text($0), "field": .text("\(id)-\(field.name)")] }
    }
    return ["isForm": true, "isStored": .flag(isStored), "errors": .list(general + errors)]
  }
}

/// A refused form, which the page shows again with the typed values and the reasons.
package struct RefusedForm {
  /// The name of the action, or of the app to start.
  let name: String
  /// The typed texts of the fields of each name, in their order; nil if the fields begin with them.
  private let typed: [String: [String]]?
  /// The faults of the input; none if the form was refused for another reason.
  let failures: [InvalidInput.Failure]

  package init(name: String, typed: [String: [String]]?, failures: [InvalidInput.Failure]) {
    self.name = name
    self.typed = typed
    self.failures = failures
  }

  /// Returns the typed texts of all fields of a name; nil if the field begins with them.
  func texts(of name: String) -> [String]? { typed.map { $0[name] ?? [] } }

  /// Returns the sentences beside a field; nil if the field is valid.
  func advice(on field: FieldSchema, _ language: ServiceLanguage) -> String? {
    let failures = failures.filter { $0.concerns(field) }
    return failures.isEmpty ? nil : failures.sentences(in: language)
  }

  /// Returns the sentences that concern none of the fields of the form, such as that of a list without items.
  func generalAdvice(beside fields: [FieldSchema], _ language: ServiceLanguage) -> [String] {
    failures.filter { failure in !fields.contains { failure.concerns($0) } }.map { $0.sentence(in: language) }
  }
}

extension InvalidInput.Failure {
  fileprivate func concerns(_ field: FieldSchema) -> Bool { pointer == "/\(field.name)" }
}
