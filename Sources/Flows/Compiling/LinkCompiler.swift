internal import CEL
internal import Navigation
internal import Values
internal import YAML

/// A compiler of deep links and their steps.
final class LinkCompiler: PartCompiler {
  func compile(_ link: LinkModel) -> LinkDefinition? {
    let pattern = link.pattern.name
    if !pattern.hasPrefix("/") {
      fault(link.pattern.mark, "The pattern does not begin with /. Write /\(pattern).")
    } else if let advice = OperationPath(pattern).foreignPlaceholder {
      fault(link.pattern.mark, advice)
    } else if pattern.contains("?") {
      fault(link.pattern.mark, "A pattern has no query. Declare its fields under input.")
    }
    if link.steps.isEmpty { fault(link.pattern.mark, "The link has no steps. Add at least one.") }
    let declared = schemas.fields(link.input, isForm: true)
    let placeholders = OperationPath(pattern).parameters
    for segment in pattern.split(separator: "/") where segment.contains("{") || segment.contains("}") {
      guard placeholders.contains(where: { segment == "{\($0)}" }) else {
        fault(link.pattern.mark, "A placeholder stands alone between slashes. Write it as in /orders/{id}.")
        break
      }
    }
    for name in Set(placeholders).sorted() {
      if placeholders.filter({ $0 == name }).count > 1 {
        fault(link.pattern.mark, "The placeholder \(name.shortened) occurs twice. Rename one of them.")
      } else if link.input != nil, declared[name] == nil {
        let advice = advice(for: name, among: declared.names, or: "Declare it under input.")
        fault(link.pattern.mark, "The placeholder \(name.shortened) is not a field of the link. \(advice)")
      } else if !name.isFieldName {
        fault(
          link.pattern.mark,
          "The name \(name.shortened) is not valid. Begin it with a lower-case letter, and use letters and digits only."
        )
      }
    }
    let input = link.input == nil ? textInput(placeholders) : schemas.inputSchema(link.input)
    let types = ScopeTypes(
      link.input == nil ? Dictionary(placeholders.map { ($0, .string) }) { first, _ in first } : declared.types)
    let steps = link.steps.compactMap { step($0, types, declared) }
    return LinkDefinition(pattern, FieldDeclarations(schema: input), sampleSteps: steps.map(\.sample)) { values in
      let scope = Scope(values)
      do { return try steps.map { try $0.make(scope) } } catch is FlowError { throw UnusableLink() }
    }
  }

  private func textInput(_ names: [String]) -> InputSchema {
    InputSchema(fields: names.map { FieldSchema($0, title: Text($0.asTitle), kind: TextKind()) })
  }

  /// Compiles a step of a link, or one that a command follows.
  ///
  /// - Parameter declared: the fields of the link; none for a command.
  func step(
    _ model: LinkStepModel, _ types: ScopeTypes, _ declared: FieldSet = FieldSet()
  ) -> (sample: Step, make: @Sendable (Scope) throws -> Step)? {
    if let key = model.superfluousKey {
      fault(key.mark, "A step with a tab has no \(key.name). Make it a step of its own.")
    }
    if let tab = model.tab {
      guard isTab(tab) else { return nil }
      let step = Step.tab(named: tab.name)
      return (step, { _ in step })
    }
    guard let name = model.action else {
      fault(model.mark, "The step has neither a tab nor an action. Add one of them.")
      return nil
    }
    let given = Set((model.input?.entries ?? []).map(\.key.name))
    // Several actions may have the name. The link means the one with these fields.
    let named = screenCompiler.screenActions[name.name] ?? []
    let meant = named.first { given.isSubset(of: $0.fields.names) } ?? named.first
    guard let action = known(meant, "action", name, among: screenCompiler.screenActions.keys.sorted()) else {
      return nil
    }
    checkLimits(of: model.input, for: action, declared)
    let members = templates.values(model.input, for: action.fields, types, at: name.mark, of: "action \(name.name)")
    // The action itself checks its input, and refuses the link.
    let values = Template.object(members.map { ($0.name, $0.template.unchecked) }, omitsNull: true)
    return (.action(action.action, input: .emptyObject), { .action(action.action, input: try values.value($0)) })
  }

  /// Warns about values of a link that the action of a step may refuse, because the link has no limits of its own.
  private func checkLimits(of node: YAMLNode?, for action: CompiledAction, _ declared: FieldSet) {
    for entry in node?.entries ?? [] {
      guard let field = action.fields[entry.key.name], field.hasLimits, let source = entry.value.expression else {
        continue
      }
      let name = source.filter { $0 != " " }
      guard Substring(name).isVariableName, declared[name]?.hasLimits != true else { continue }
      warn(
        entry.value.mark,
        "The action \(action.action.name) may refuse \(name), and so the link. Declare \(name) under input of the link "
          + "with the limits of the field \(entry.key.name).")
    }
  }
}
