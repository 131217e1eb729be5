internal import Navigation

/// A form that was refused: it comes back as it was typed, with the reasons.
struct RefusedForm {
  /// The name of the action, or of the app that was to be started.
  let name: String
  let input: FormInput
  /// Empty where the action is not available for another reason than its input.
  let failures: [InvalidInput.Failure]

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

extension Problem {
  /// The problem with the form that it is about, if the form can be sent again from the same page.
  func about(_ form: FormInput, named name: String) -> Problem {
    guard !failures.isEmpty || kind == .actionUnavailable else { return self }
    var copy = self
    copy.form = RefusedForm(name: name, input: form, failures: failures)
    return copy
  }
}
