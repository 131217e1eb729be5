package import Navigation

/// A rejected form, which the page shows again as it was typed, with the reasons.
package struct RefusedForm {
  /// The name of the action, or of the app to start.
  let name: String
  /// The typed text of each field, by the field's name.
  let typed: [String: String]
  /// Empty if the action is unavailable for another reason than its input.
  let failures: [InvalidInput.Failure]

  package init(name: String, typed: [String: String], failures: [InvalidInput.Failure]) {
    self.name = name
    self.typed = typed
    self.failures = failures
  }

  /// The error text of a field: the app's own sentences if the app refused the field.
  func advice(on field: FieldSchema) -> String? {
    let failures = failures.filter { $0.pointer == "/\(field.name)" }
    let refusals = failures.filter(\.isRefusal).map(\.detail)
    return refusals.isEmpty ? failures.first.map { field.advice(on: $0.keyword) } : refusals.joined(separator: " ")
  }

  /// The reasons that concern no field.
  var generalAdvice: [String] { failures.filter(\.pointer.isEmpty).map(\.detail) }
}

extension InvalidInput.Failure {
  /// Whether the app refused the input, which keeps to the schema.
  fileprivate var isRefusal: Bool { keyword == "refused" }
}
