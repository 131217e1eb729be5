internal import Messages
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

  /// Returns the sentences beside a field; nil if the field is valid.
  func advice(on field: FieldSchema) -> String? {
    let failures = failures.filter { $0.pointer == "/\(field.name)" }
    return failures.isEmpty ? nil : failures.sentences
  }

  /// The sentences that concern no field.
  var generalAdvice: [String] { failures.filter(\.pointer.isEmpty).map(\.sentence) }
}
