internal import YAML

extension FlowModel {
  /// Finds the request at the end of a journey whose answers no command sends: with `answers: true`, or as values.
  func unsentAnswers(of coordinator: CoordinatorModel) -> [FlowFault] {
    guard let journey = coordinator.journey else { return [] }
    let answers = Set(journey.questionNames + ["answers"])
    let requests = coordinator.all(journey.done).compactMap(\.performedOperation)
    guard let request = requests.first, !coordinator.commands.contains(where: { $0.passesOn(answers) }) else {
      return []
    }
    let message = "The answers are not sent. Add `answers: true` to the command, or give each answer under with."
    return [FlowFault(request.mark, message, severity: .warning)]
  }
}

extension CommandModel {
  /// The operation that the command performs; nil for another command.
  fileprivate var performedOperation: YAMLKey? {
    if case .perform(let model) = content { model.operation } else { nil }
  }

  /// Returns whether the command sends all answers, or has one of the variables as a value.
  fileprivate func passesOn(_ answers: Set<String>) -> Bool {
    if case .perform(let model) = content, model.hasAnswers { return true }
    return values.contains { $0.hasValue(of: answers) }
  }
}

extension YAMLNode {
  /// Returns whether one of the variables is the value, or a value in it.
  fileprivate func hasValue(of variables: Set<String>) -> Bool {
    switch content {
    case .mapping(let entries): entries.contains { $0.value.hasValue(of: variables) }
    case .sequence(let elements): elements.contains { $0.hasValue(of: variables) }
    default: spacelessExpression.map { variables.contains($0) } ?? false
    }
  }
}
