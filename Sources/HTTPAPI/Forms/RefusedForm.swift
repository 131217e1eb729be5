internal import Navigation

/// A form whose input did not fit: it comes back as it was typed, with what is wrong.
struct RefusedForm {
  /// The name of the action, or of the app that was to be started.
  let name: String
  let input: FormInput
  let failures: [InvalidInput.Failure]

  /// What is wrong with a field, in one sentence.
  func advice(on field: FieldSchema) -> String? {
    failures.first { $0.pointer == "/\(field.name)" }.map { field.advice(on: $0.keyword) }
  }
}

extension Problem {
  /// The problem with the form that it is about, if what does not fit was typed there.
  func about(_ form: FormInput, named name: String) -> Problem {
    guard !failures.isEmpty else { return self }
    var copy = self
    copy.form = RefusedForm(name: name, input: form, failures: failures)
    return copy
  }
}
