extension FlowModel {
  /// Reads the declarations of a file; nil without a name or a root.
  init?(_ root: YAMLNode, visitLimit: Int = WorkBudget.limit) {
    guard let name = root["app"]?.key, let rootCoordinator = root["root"]?.key else { return nil }
    self.root = root
    (self.name, self.rootCoordinator) = (name, rootCoordinator)
    let budget = WorkBudget(limit: visitLimit)
    self.budget = budget
    coordinators = root.declarations("coordinators").map { CoordinatorModel(name: $0.key, $0.value, budget) }
    screens = root.declarations("screens", orNull: true).map { ScreenModel(name: $0.key, $0.value) }
    prompts = root.declarations("prompts").map { PromptModel(name: $0.key, $0.value) }
    sharedActions = root.actions("actions")
    operations = root.declarations("services").flatMap { service in
      (service.value.entries ?? []).filter { $0.value.entries != nil }
        .map { OperationModel(service: service.key, operation: $0.key, node: $0.value) }
    }
    types = root.declarations("types")
    signals = root.declarations("signals", orNull: true).map { SignalModel(name: $0.key, node: $0.value) }
    links = (root["links"]?.entries ?? []).map { LinkModel(pattern: $0.key, $0.value) }
    places = Places(
      coordinators: coordinators.map(\.name.name).places, screens: screens.map(\.name.name).places,
      prompts: prompts.map(\.name.name).places, operations: operations.map(\.name).places,
      signals: signals.map(\.name.name).places)
  }
}

extension [String] {
  /// The first place of each text.
  fileprivate var places: [String: Int] {
    Dictionary(enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
  }
}

extension CoordinatorModel {
  fileprivate init(name: YAMLKey, _ node: YAMLNode, _ budget: WorkBudget) {
    func scripts(_ key: String) -> [(YAMLKey, [CommandModel])] {
      (node[key]?.entries ?? []).map { ($0.key, $0.value.commands) }
    }
    self.name = name
    self.node = node
    self.budget = budget
    start = node["start"]?.commands ?? []
    steps = scripts("steps")
    stepCommands = Dictionary(steps.map { ($0.name.name, $0.commands) }) { first, _ in first }
    handlers = (node["handles"]?.entries ?? []).map { entry in
      HandlerModel(
        action: entry.key, commands: (entry.value["do"] ?? entry.value).commands, enabled: entry.value["enabled"],
        reason: entry.value["reason"], hidden: entry.value["hidden"])
    }
    outcomes = (node["outcomes"]?.entries ?? []).map {
      ($0.key, $0.value["done"]?.commands ?? [], $0.value["failed"]?.commands ?? [])
    }
    operationNames = Set(outcomes.map(\.operation.name))
    timers = (node["timers"]?.entries ?? []).map {
      TimerModel(name: $0.key, input: $0.value["input"], commands: ($0.value["do"] ?? $0.value).commands)
    }
    timerNames = Set(timers.map(\.name.name))
    signals = scripts("signals")
    signalNames = Set(signals.map(\.name.name))
    finished = scripts("finished")
    cancelled = scripts("cancelled")
    carried = node["carried"]?.commands ?? []
    guards = (node["guards"]?.elements ?? []).compactMap { GuardModel($0) }
    fills = (node["fills"]?.entries ?? []).map { ($0.key, $0.value) }
  }
}

extension GuardModel {
  fileprivate init?(_ node: YAMLNode) {
    guard node.entries != nil else { return nil }
    // Without a name, the guard is a fault, but its commands show what they show.
    protected = (node["protects"] ?? node["screen"])?.key ?? YAMLKey(name: "", mark: node.mark)
    isScreen = node["protects"] == nil
    until = node["until"]
    otherwise = node["otherwise"]?.commands ?? []
  }
}

extension ScreenModel {
  fileprivate init(name: YAMLKey, _ node: YAMLNode) {
    self.name = name
    self.node = node
    actions = node.actions("actions")
    loads = node.declarations("load").map {
      LoadModel(property: $0.key, operation: $0.value["perform"]?.key, node: $0.value)
    }
  }
}

extension PromptModel {
  fileprivate init(name: YAMLKey, _ node: YAMLNode) {
    self.name = name
    self.node = node
    actions = node.actions("actions")
  }
}

extension LinkModel {
  fileprivate init(pattern: YAMLKey, _ node: YAMLNode) {
    self.pattern = pattern
    input = node["input"]
    steps = node.elements ?? node["steps"]?.elements ?? []
  }
}

extension CommandModel {
  private static let verbs = Set(FlowFormat.commands.map(\.name))

  fileprivate init?(_ node: YAMLNode) {
    self.node = node
    if let verb = node.key {
      self.verb = verb
      (argument, then, otherwise) = (nil, [], [])
      return
    }
    guard let entry = node.entries?.first(where: { Self.verbs.contains($0.key.name) }) else { return nil }
    verb = entry.key
    argument = entry.value.isNull ? nil : entry.value
    then = node["then"]?.commands ?? []
    otherwise = node["else"]?.commands ?? []
  }
}

extension YAMLNode {
  /// The text of the node as a name with its place.
  var key: YAMLKey? { text.map { YAMLKey(name: $0, mark: mark) } }

  fileprivate var commands: [CommandModel] { (elements ?? []).compactMap { CommandModel($0) } }

  /// The entries of a mapping whose values are mappings, or also null.
  fileprivate func declarations(_ key: String, orNull: Bool = false) -> [Entry] {
    (self[key]?.entries ?? []).filter { $0.value.entries != nil || orNull && $0.value.isNull }
  }

  fileprivate func actions(_ key: String) -> [ActionModel] {
    (self[key]?.entries ?? []).map { ActionModel(name: $0.key, node: $0.value.entries == nil ? nil : $0.value) }
  }
}
