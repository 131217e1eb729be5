internal import YAML

/// The declarations of a flow by their names.
final class FlowModel {
  let root: YAMLNode
  let name: YAMLKey
  let rootCoordinator: YAMLKey
  let declaration: FlowDeclaration
  let coordinators: [CoordinatorModel]
  let places: Places
  let budget: WorkBudget

  var screens: [ScreenModel] { declaration.screens }
  var prompts: [PromptModel] { declaration.prompts }
  var sharedActions: [ActionModel] { declaration.sharedActions }
  var operations: [OperationModel] { declaration.operations }
  var types: [YAMLNode.Entry] { declaration.types }
  var signals: [SignalModel] { declaration.signals }
  var links: [LinkModel] { declaration.links }

  /// The places of the declarations by their names.
  struct Places {
    let coordinators: [String: Int]
    let screens: [String: Int]
    let prompts: [String: Int]
    let operations: [String: Int]
    let signals: [String: Int]
  }

  /// Reads the declarations of a file; nil without a name or a root.
  init?(_ declaration: FlowDeclaration, root: YAMLNode, visitLimit: Int = WorkBudget.limit) {
    guard let name = declaration.app, let rootCoordinator = declaration.rootCoordinator else { return nil }
    let budget = WorkBudget(limit: visitLimit)
    (self.root, self.name, self.rootCoordinator) = (root, name, rootCoordinator)
    (self.declaration, self.budget) = (declaration, budget)
    coordinators = declaration.coordinators.map { coordinator in
      var coordinator = coordinator
      coordinator.budget = budget
      return coordinator
    }
    places = Places(
      coordinators: coordinators.map(\.name.name).places, screens: declaration.screens.map(\.name.name).places,
      prompts: declaration.prompts.map(\.name.name).places, operations: declaration.operations.map(\.name).places,
      signals: declaration.signals.map(\.name.name).places)
  }

  /// The names of the fields with personal data.
  var sensitiveFields: Set<String> {
    let actions = screens.flatMap(\.actions) + prompts.flatMap(\.actions) + sharedActions
    let inputs = actions.map(\.input) + coordinators.map(\.input) + signals.map(\.input)
    return Set(
      inputs.flatMap { $0?.entries ?? [] }.filter { $0.value["sensitive"]?.boolean == true }.map(\.key.name))
  }

  func isCoordinator(_ name: String) -> Bool { places.coordinators[name] != nil }
  func coordinator(_ name: String) -> CoordinatorModel? { places.coordinators[name].map { coordinators[$0] } }
  func screen(_ name: String) -> ScreenModel? { places.screens[name].map { screens[$0] } }
  func prompt(_ name: String) -> PromptModel? { places.prompts[name].map { prompts[$0] } }
  func operation(_ name: String) -> OperationModel? { places.operations[name].map { operations[$0] } }
  func signal(_ name: String) -> SignalModel? { places.signals[name].map { signals[$0] } }

  /// Returns the declarations of names in the order of the file.
  func coordinators(_ names: Set<String>) -> [CoordinatorModel] { names.places(in: places.coordinators, coordinators) }
  func screens(_ names: Set<String>) -> [ScreenModel] { names.places(in: places.screens, screens) }
  func prompts(_ names: Set<String>) -> [PromptModel] { names.places(in: places.prompts, prompts) }
  func operations(_ names: Set<String>) -> [OperationModel] { names.places(in: places.operations, operations) }
}

extension Set<String> {
  /// Without a visit to each declaration of the flow, of which one coordinator uses few.
  fileprivate func places<Model>(in places: [String: Int], _ models: [Model]) -> [Model] {
    compactMap { places[$0] }.sorted().map { models[$0] }
  }
}

extension [String] {
  /// The first place of each text.
  fileprivate var places: [String: Int] {
    Dictionary(enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
  }
}
