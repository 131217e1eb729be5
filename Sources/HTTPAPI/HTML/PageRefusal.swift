internal import Navigation

/// Why something did not happen, as it stands on top of a page.
struct PageRefusal {
  let status: Int
  let detail: String
  /// The input that was typed, where a form was refused.
  let form: RefusedForm?

  /// - Parameters:
  ///   - schema: of the form that was refused.
  ///   - id: of that form on the page.
  func templateValue(_ schema: InputSchema?, form id: String) -> TemplateValue {
    guard let form, !form.failures.isEmpty else { return ["detail": .text(detail), "isForm": false] }
    let general: [TemplateValue] = form.generalAdvice.map { ["advice": .text($0)] }
    let errors: [TemplateValue] = (schema?.fields ?? []).compactMap { field in
      form.advice(on: field).map { ["advice": .text($0), "field": .text("\(id)-\(field.name)")] }
    }
    return ["isForm": true, "errors": .list(general + errors)]
  }
}
