internal import Navigation

/// A form that was refused: it comes back as it was typed, with the reasons.
struct RefusedForm {
  /// The name of the action, or of the app that was to be started.
  let name: String
  let input: FormInput
  /// Empty where the action is not available for another reason than its input.
  let failures: [InvalidInput.Failure]

  /// The sentences beside a field; nil if the field is valid.
  func advice(on field: FieldSchema) -> String? {
    let failures = failures.filter { $0.pointer == "/\(field.name)" }
    return failures.isEmpty ? nil : failures.sentences
  }

  /// The reasons that concern no field.
  var generalAdvice: [String] { failures.filter(\.pointer.isEmpty).map(\.sentence) }
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
