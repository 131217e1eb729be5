internal import Navigation

/// A refused form, which the page shows again with the typed values and the reasons.
struct RefusedForm {
  /// The name of the action, or of the app that was to be started.
  let name: String
  let input: FormInput
  /// Empty if the action is unavailable for another reason than its input.
  let failures: [InvalidInput.Failure]

  /// The sentences beside a field; nil if the field is valid.
  func advice(on field: FieldSchema) -> String? {
    let failures = failures.filter { $0.pointer == "/\(field.name)" }
    return failures.isEmpty ? nil : failures.sentences
  }

  /// The sentences that concern no field.
  var generalAdvice: [String] { failures.filter(\.pointer.isEmpty).map(\.sentence) }
}

extension Problem {
  /// Returns the problem with its form, if the form can be sent again from the same page.
  func about(_ form: FormInput, named name: String) -> Problem {
    guard !failures.isEmpty || kind == .actionUnavailable else { return self }
    var copy = self
    copy.form = RefusedForm(name: name, input: form, failures: failures)
    return copy
  }
}
