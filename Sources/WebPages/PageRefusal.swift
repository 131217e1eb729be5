internal import Navigation

/// The notice on top of a page after a refused request.
package struct PageRefusal {
  private let detail: String
  /// The rejected form; nil if the request was another one.
  let form: RefusedForm?

  package init(detail: String, form: RefusedForm?) {
    self.detail = detail
    self.form = form
  }

  /// - Parameters:
  ///   - schema: the input of the rejected form.
  ///   - id: the id of that form on the page.
  func templateValue(_ schema: InputSchema?, form id: String) -> TemplateValue {
    guard let form, !form.failures.isEmpty else { return ["detail": .text(detail), "isForm": false] }
    let general: [TemplateValue] = form.generalAdvice.map { ["advice": .text($0)] }
    let errors: [TemplateValue] = (schema?.fields ?? []).compactMap { field in
      form.advice(on: field).map { ["advice": .text($0), "field": .text("\(id)-\(field.name)")] }
    }
    return ["isForm": true, "errors": .list(general + errors)]
  }
}
