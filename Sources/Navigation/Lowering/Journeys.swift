internal import Values

extension Journey {
  /// Adds the journey to its coordinator.
  ///
  /// - Parameter done: runs when people send the answers.
  func add(to coordinator: inout CoordinatorDefinition, done: @escaping Reaction) {
    let definition = JourneyDefinition(
      pages: pages.map { $0.definition }, check: check, encoded: { try Value(encoding: $0.decode(Owner.self)) },
      done: done)
    let repeated = definition.questions.map(\.name).repeated
    coordinator.journeyFaults =
      pages.flatMap { $0.wiringFaults } + repeated.map { WiringFaults.Fault(location: $0, .repeatedQuestion) }
    definition.add(to: &coordinator)
  }
}
