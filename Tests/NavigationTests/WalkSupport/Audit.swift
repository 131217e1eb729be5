import Values

@testable import Navigation

/// Checks invariants 1 to 8 and 25 with plain loops, independently of the code under test.
///
/// - Parameter hasBeenCommitted: whether the guards have been applied, so that invariant 25 holds.
func audit(_ state: SessionState, of app: AppDefinition, hasBeenCommitted: Bool = true) throws {
  let nodes = Dictionary(state.nodes.map { ($0.id, $0) }) { first, _ in first }
  let stacks = allStacks(state, from: state.stacks[0], inhabited: Set(state.nodes.map(\.hostStack)))
  let entries = stacks.flatMap(\.stack.entries)

  try hold(1, state.nodes.filter { $0.parent == nil }.count == 1, "there is not exactly one root")
  for node in state.nodes {
    try hold(1, ancestors(of: node, nodes) != nil, "a parent is missing or the parents of \(node.id) form a circle")
  }
  for entry in entries { try hold(2, nodes[entry.owner] != nil, "the owner of entry \(entry.id) is not alive") }
  let tabStacks = entries.flatMap { entry -> [StackID] in
    guard case .tabs(let bar) = entry.content else { return [] }
    return bar.tabs.map(\.stack)
  }
  for node in state.nodes where node.parent != nil {
    let hasEntry = entries.contains { entry in
      nodes[entry.owner].flatMap { ancestors(of: $0, nodes) }?.contains(node.id) ?? false
    }
    // Guards lock a tab: its root coordinator stays, and shows nothing until they pass.
    let first = state.nodes.first { $0.hostStack == node.hostStack }
    let isTabRoot = first?.id == node.id && tabStacks.contains(node.hostStack)
    try hold(3, hasEntry || isTabRoot, "coordinator \(node.id) has no entry in its subtree")
  }
  for (stack, _) in stacks {
    try hold(4, !stack.entries.isEmpty, "stack \(stack.id) is empty")
    try hold(8, state.stacks.filter { $0.covered == stack.id }.count <= 1, "stack \(stack.id) has two modals")
  }
  try hold(4, stacks.count == state.stacks.count, "a stack lies neither in a tab nor over another stack")
  try hold(4, stacks.filter { $0.stack.covered == nil }.count == tabStacks.count + 1, "a tab has no stack")
  for entry in entries {
    guard case .tabs(let bar) = entry.content else { continue }
    try hold(4, bar.tabs.indices.contains(bar.selected), "the selected tab does not exist")
  }
  try hold(5, state.visibleEntry?.screen != nil, "no screen is visible")
  let ids =
    state.nodes.map(\.id.rawValue) + stacks.map(\.stack.id.rawValue) + entries.map(\.id.rawValue)
    + state.work.map(\.id.rawValue)
  try hold(6, Set(ids).count == ids.count, "an id is used twice")
  try hold(6, ids.allSatisfy { $0 > 0 && $0 < state.nextID }, "an id was never given out")
  for (stack, covered) in stacks {
    let hosts = state.nodes.filter { $0.hostStack == stack.id || $0.hostStack == covered }
    for entry in stack.entries {
      let mayShow = hosts.contains { ancestors(of: $0, nodes)?.contains(entry.owner) ?? false }
      try hold(7, mayShow, "entry \(entry.id) lies on a stack that is not its owner's")
    }
  }
  try hold(
    5, state.prompt?.asked.map { nodes[$0.owner] != nil } ?? true, "the coordinator that asked a prompt is not alive")
  try hold(2, state.work.allSatisfy { nodes[$0.owner] != nil }, "the coordinator of pending work is not alive")
  if hasBeenCommitted { try auditLoads(of: state, app) }
  if hasBeenCommitted { try auditGuards(of: state, entries, app, nodes) }
}

/// Checks that the visible screen has its data, waits for it, or shows that it could not be fetched, and that no data of a
/// removed screen is awaited.
private func auditLoads(of state: SessionState, _ app: AppDefinition) throws {
  guard app.hasLoads else { return }
  let living = Set(state.stacks.flatMap { $0.entries.map(\.id) })
  let awaited = state.work.compactMap { $0.effect?.property }
  for property in awaited + state.loaded.map(\.property) {
    try hold(2, living.contains(property.entry), "the data of a removed screen is awaited or known: \(property)")
  }
  guard !state.isFinished, let entry = state.visibleEntry, let drawn = try app.draw(entry, in: state) else { return }
  let view = try app.view(of: state)
  for load in drawn.definition.loads {
    let property = ScreenProperty(entry: entry.id, name: load.field)
    let isAwaited = awaited.contains(property)
    let known = state.loaded.first { $0.property == property }
    let hasData = view.data[load.field].map { !$0.isNull } ?? false
    let problem = view.loads.first { $0.field == load.field }?.problem
    // No step has requested the data of a state that another version of the app, or this test, has made.
    let isMissing = try known?.hasFailed ?? (app.input(of: load, for: drawn) != nil)
    try hold(27, (problem != nil) == (isMissing && !isAwaited), "a failure is not shown: \(property)")
    if hasData { try hold(27, known?.arrivedAt != nil, "data without an origin: \(property)") }
    // The second property has nothing to fetch before the first one is there.
    if load.field == "rate" {
      try hold(27, hasData || isAwaited || problem != nil, "data is neither there nor awaited: \(property)")
    }
  }
}

private func auditGuards(
  of state: SessionState, _ entries: [Entry], _ app: AppDefinition, _ nodes: [NodeID: Node]
) throws {
  for guardian in state.nodes {
    for guarding in app.coordinators[guardian.coordinator].definition.guards {
      guard (try? guarding.passes(guardian.state, state.environment)) == false else { continue }
      let found = owners(of: guarding.protected, state, entries, app)
      let isLive = found.contains { id in nodes[id].flatMap { ancestors(of: $0, nodes) }?.contains(guardian.id) ?? false
      }
      try hold(25, !isLive, "\(guarding.protected) is live while its guard fails")
    }
  }
}

/// Returns the coordinators of a name, or the owners of the screens of a name.
private func owners(
  of protected: GuardDefinition.Protected, _ state: SessionState, _ entries: [Entry], _ app: AppDefinition
) -> [NodeID] {
  var found: [NodeID] = []
  switch protected {
  case .coordinator(let name):
    for node in state.nodes where app.coordinators[node.coordinator].definition.name == name {
      let shows = entries.contains { entry in
        state.path(to: entry.owner).contains { $0.id == node.id }
      }
      if shows { found.append(node.id) }
    }
  case .screen(let name):
    for entry in entries {
      if let screen = entry.screen, app.screens[screen].name == name { found.append(entry.owner) }
    }
  }
  return found
}

/// Returns a node and its ancestors; nil if a parent is missing or they form a circle.
private func ancestors(of node: Node, _ nodes: [NodeID: Node]) -> Set<NodeID>? {
  var found: Set<NodeID> = [node.id]
  var next = node.parent
  while let id = next {
    guard let parent = nodes[id], found.insert(id).inserted else { return nil }
    next = parent.parent
  }
  return found
}

/// Returns every stack. A modal has the nearest stack under it that hosts coordinators.
private func allStacks(
  _ state: SessionState, from stack: Stack, inhabited: Set<StackID>, covering: StackID? = nil
) -> [(stack: Stack, covered: StackID?)] {
  var stacks = [(stack, covering)]
  for entry in stack.entries {
    guard case .tabs(let bar) = entry.content else { continue }
    for inner in state.stacks where bar.tabs.contains(where: { $0.stack == inner.id }) {
      stacks += allStacks(state, from: inner, inhabited: inhabited)
    }
  }
  let under = inhabited.contains(stack.id) ? stack.id : covering
  for modal in state.stacks where modal.covered == stack.id {
    stacks += allStacks(state, from: modal, inhabited: inhabited, covering: under)
  }
  return stacks
}
