internal import CEL
internal import Navigation
internal import YAML

// Commands that can fail in an event. An event has no user who could correct an input: it would wait for a new version
// of the app.
extension CommandCompiler {
  /// Checks the commands of an event, also those in steps.
  ///
  /// - Parameter mayRefuse: whether a form may have requested the event.
  func checkEvent(_ commands: [CommandModel], _ coordinator: CoordinatorModel, mayRefuse: Bool) {
    checkFailures(of: commands, coordinator)
    for command in coordinator.all(commands) {
      if command.effect == .refuses, !mayRefuse, faultyRefusals.insert(command.verb.mark).inserted {
        fault(
          command.verb.mark,
          "A timer, a signal or a move has no form that it could refuse, so it would never complete. Show a screen "
            + "instead.")
      }
      guard checkedInEvents.insert(command.verb.mark).inserted else { continue }
      if command.needsScreens, !isAboutFirstScreen(command, of: coordinator) {
        warn(
          command.verb.mark,
          "People may have gone back before the event, and \(command.verb.name) then fails. Use setStack, replaceTop or "
            + "popToRoot.")
      }
    }
  }

  /// Returns whether a command is about the first screen of its coordinator, which stays while people go back.
  private func isAboutFirstScreen(_ command: CommandModel, of coordinator: CoordinatorModel) -> Bool {
    guard case .onScreen(let name?, _) = command.content else { return false }
    return coordinator.start.first?.isCommand(for: name) ?? false
  }

  /// Warns about commands of an event, also those in steps, that can fail at run time. Commands in conditions are left
  /// out: the condition may be the test.
  private func checkFailures(of commands: [CommandModel], _ coordinator: CoordinatorModel) {
    let states = declared.states[coordinator.name.name] ?? FieldSet()
    for command in coordinator.all(commands, inConditions: false) {
      if !command.branches.isEmpty { continue }
      guard checkedForFailures.insert(command.verb.mark).inserted else { continue }
      for node in command.values { checkOperators(in: node) }
      for entry in command.setStates {
        guard let field = states[entry.key.name], let limit = field.node["maxItems"]?.integer,
          let source = entry.value.spacelessExpression, source.hasPrefix("\(entry.key.name)+")
        else { continue }
        warn(
          entry.value.mark,
          "The event fails when \(entry.key.name) has \(limit) elements (maxItems). Test size(\(entry.key.name)) in an if "
            + "first.")
      }
    }
  }

  private func checkOperators(in node: YAMLNode) {
    for entry in node.entries ?? [] { checkOperators(in: entry.value) }
    for element in node.elements ?? [] { checkOperators(in: element) }
    guard let source = node.expression, let program = try? CEL.Program(unchecked: source) else { return }
    for failure in program.possibleFailures {
      let condition =
        switch failure.part {
        case .divisor: "the divisor is 0"
        case .index: "there is no such element"
        case .list: "the list is empty"
        }
      warn(node.mark(of: failure.location, in: source), "The event fails if \(condition). Test it in an if first.")
    }
  }
}

extension CommandModel {
  /// Returns whether the command shows or starts something of this name.
  fileprivate func isCommand(for other: YAMLKey) -> Bool {
    switch reference {
    case .screen(let name), .coordinator(let name), .presented(let name): name.name == other.name
    case .nothing, .screens, .tabs, .prompt, .operation, .timer, .signal, .step: false
    }
  }
}
