internal import Values

extension Journey {
  /// Adds the journey to its coordinator.
  ///
  /// - Parameter done: runs when people send the answers.
  func add(to coordinator: inout CoordinatorDefinition, done: @escaping Reaction) {
    let definition = JourneyDefinition(
      pages: pages.map { $0.definition }, check: check, tasks: tasks, showsProgress: showsProgress,
      encoded: { try Value(encoding: $0.decode(Owner.self)) }, done: done)
    let outcomes = Set(coordinator.outcomes.map { $0.effect.name })
    coordinator.journeyFaults = pages.flatMap { $0.wiringFaults(outcomes) } + definition.wiringFaults
    let verifying = Set(definition.pages.compactMap { $0.verification?.effect })
    coordinator.outcomes = coordinator.outcomes.map { verifying.contains($0.effect.name) ? $0.refusing : $0 }
    definition.add(to: &coordinator)
  }
}

extension JourneyDefinition {
  /// The faults of its questions, pages and sections together.
  fileprivate var wiringFaults: [WiringFaults.Fault] {
    func repeated(_ names: [String], _ fault: WiringFault) -> [WiringFaults.Fault] {
      names.repeated.map { WiringFaults.Fault(location: $0, fault) }
    }
    let sections = tasks?.sections ?? []
    var faults = repeated(questions.map { $0.name }, .repeatedQuestion)
    faults += repeated(pages.map { $0.name }, .repeatedPage)
    faults += repeated(sections.map { $0.name }, .repeatedSection)
    for section in sections {
      if !section.name.isName { faults.append(WiringFaults.Fault(location: section.name, .invalidName)) }
      if section.pages.isEmpty { faults.append(WiringFaults.Fault(location: section.name, .sectionWithoutPage)) }
    }
    return faults
  }
}
