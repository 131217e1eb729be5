internal import Navigation

/// Why something did not happen, as it stands on top of a page.
struct PageRefusal {
  let status: Int
  let detail: String
  /// What was typed, where that is what was refused.
  let form: RefusedForm?

  /// - Parameters:
  ///   - schema: of the form that was refused.
  ///   - id: of that form on the page.
  func templateValue(_ schema: InputSchema?, form id: String) -> TemplateValue {
    guard let form else { return ["detail": .text(detail), "isForm": false] }
    let errors: [TemplateValue] = (schema?.fields ?? []).compactMap { field in
      form.advice(on: field).map { ["advice": .text($0), "field": .text("\(id)-\(field.name)")] }
    }
    return ["isForm": true, "errors": .list(errors)]
  }
}
