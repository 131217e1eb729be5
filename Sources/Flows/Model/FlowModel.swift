internal import YAML

/// The declarations of a flow by their names.
final class FlowModel {
  let root: YAMLNode
  let name: YAMLKey
  let rootCoordinator: YAMLKey
  let declaration: FlowDeclaration
  let coordinators: Declarations<CoordinatorModel>
  let screens: Declarations<ScreenModel>
  let prompts: Declarations<PromptModel>
  let operations: Declarations<OperationModel>
  let signals: Declarations<SignalModel>
  let budget: WorkBudget

  /// Reads the declarations of a file; nil without a name or a root.
  init?(_ declaration: FlowDeclaration, root: YAMLNode, visitLimit: Int = WorkBudget.limit) {
    guard let name = declaration.app, let rootCoordinator = declaration.rootCoordinator else { return nil }
    let budget = WorkBudget(limit: visitLimit)
    (self.root, self.name, self.rootCoordinator) = (root, name, rootCoordinator)
    (self.declaration, self.budget) = (declaration, budget)
    let coordinators = declaration.coordinators.map { coordinator in
      var coordinator = coordinator
      coordinator.budget = budget
      return coordinator
    }
    self.coordinators = Declarations(coordinators, by: \.name.name)
    screens = Declarations(declaration.screens, by: \.name.name)
    prompts = Declarations(declaration.prompts, by: \.name.name)
    operations = Declarations(declaration.operations, by: \.name)
    signals = Declarations(declaration.signals, by: \.name.name)
  }

  /// The names of the fields with personal data.
  var sensitiveFields: Set<String> {
    let actions = screens.flatMap(\.actions) + prompts.flatMap(\.actions) + declaration.sharedActions
    let inputs = actions.map(\.input) + coordinators.map(\.input) + signals.map(\.input)
    return Set(
      inputs.flatMap { $0?.entries ?? [] }.filter { $0.value["sensitive"]?.boolean == true }.map(\.key.name))
  }

  func isCoordinator(_ name: String) -> Bool { coordinators[name] != nil }
}
