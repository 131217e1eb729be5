internal import Values

/// One step of a session: it works on a copy of the state, which is committed as a whole or dropped.
struct Transaction {
  let app: AppDefinition
  var state: SessionState
  /// Ids from here on were made by this step.
  let firstNewID: UInt32
  /// The intent of the step; once a question is answered, the one behind it.
  var intent: Intent?
  /// The action of the step: its input has the fields that a handler can refuse. Nil for an intent without one, such as
  /// back.
  var action: ActionDefinition?
  /// The entries that the user has agreed to leave.
  var consents: [EntryID] = []
  /// Whether every question counts as answered with leave.
  var isRehearsal = false
  /// The root coordinators of tabs that have no entry in their subtrees, as of the last settling of the step.
  var vacantTabRoots: [NodeID] = []
  /// The vacant stack that the replacement of a guard fills.
  var vacantStack: StackID?
  /// Results and cancellations for parents, not yet delivered.
  var deliveries: [Delivery] = []
  private var commandCount = 0
  /// The presentation and the coordinators before this step.
  private let before: (root: Stack, nodes: [Node])

  /// Whether this step creates the session.
  var isCreation: Bool { before.nodes.isEmpty }

  /// More commands than any real step has. The limit stops an app that starts itself for ever.
  static let commandLimit = 512

  init(app: AppDefinition, state: consuming SessionState) {
    self.app = app
    firstNewID = state.nextID
    before = (state.root, state.nodes)
    self.state = state
  }

  /// Moves the final state out of the step. It is moved and not copied, because a copy counts references.
  mutating func takeState(at revision: UInt64) -> SessionState {
    state.revision = revision
    var result = SessionState.empty
    swap(&result, &state)
    return result
  }

  /// Takes over the count of commands from another attempt at the same step.
  mutating func takeCount(of attempt: Transaction) { commandCount = attempt.commandCount }

  mutating func countCommand() throws(Interruption) {
    commandCount += 1
    guard commandCount <= Self.commandLimit else {
      throw .fault(.tooManyCommands(limit: Self.commandLimit))
    }
  }

  /// Restores the last screen of a session that ends without one, so that the session stays readable.
  private mutating func keepLastScreen() {
    guard !before.nodes.isEmpty else { return }
    let living = state.nodes
    (state.root, state.nodes) = before
    for node in living {
      if let index = state.nodeIndex(node.id) { state.nodes[index].state = node.state }
    }
  }

  /// Settles, applies the guards, carries out a pending intent, and checks the invariants.
  mutating func commit() throws(Interruption) {
    try settle()
    try applyGuards()
    try resolvePendingIntent()
    if state.isFinished, state.visibleEntry == nil { keepLastScreen() }
    if let broken = state.brokenInvariant() { throw .fault(.brokenInvariant(broken)) }
  }
}

/// The result or the cancellation of an ended child, for its parent.
enum Delivery {
  case finished(parent: NodeID, coordinator: Int, result: Value)
  case cancelled(parent: NodeID, coordinator: Int)
}

// Settling: a coordinator without an entry in its subtree ends, until nothing changes any more.
extension Transaction {
  /// Ends abandoned coordinators, and delivers results. Terminates: every turn of the outer loop ends a coordinator or
  /// is the last, and a parent that keeps starting children runs into the limit of commands.
  mutating func settle() throws(Interruption) {
    repeat {
      guard !deliveries.isEmpty else { continue }
      while !deliveries.isEmpty { try deliver(deliveries.removeFirst()) }
      // Removes the modals in which no parent has gone on.
      state.root.removeEntries { _ in false }
    } while endAbandoned()
  }

  /// Ends the coordinators without entries. Returns false if all have some. A parent that ends too receives no
  /// cancellation.
  private mutating func endAbandoned() -> Bool {
    let idle = state.idleNodes
    // The common case: every step settles, and hardly any has idle nodes.
    vacantTabRoots = state.tabRoots(among: idle)
    let abandoned = idle.filter { !vacantTabRoots.contains($0.id) }
    guard !abandoned.isEmpty else { return false }
    let ended = abandoned.map(\.id)
    remove(ended)
    for node in abandoned {
      guard let parent = node.parent, !ended.contains(parent) else { continue }
      deliveries.append(.cancelled(parent: parent, coordinator: node.coordinator))
    }
    return true
  }
}

extension SessionState {
  /// The coordinators but the root that have no entry in their subtree.
  var idleNodes: [Node] {
    if nodes.count == 1 { return [] }
    var needed = [Bool](repeating: false, count: nodes.count)
    root.markOwners(in: &needed, of: nodes)
    return nodes.indices.dropFirst().filter { !needed[$0] }.map { nodes[$0] }
  }

  func tabRoots(among nodes: [Node]) -> [NodeID] { nodes.filter { isTabRoot($0) }.map(\.id) }

  /// Returns whether a tab was made for this coordinator, which then lives as long as the tab.
  func isTabRoot(_ node: Node) -> Bool { nodes.isTabRoot(node, in: root) }
}

extension [Node] {
  /// Returns whether the coordinator was the first on the stack of a tab: that stack is new when its root coordinator
  /// starts.
  func isTabRoot(_ node: Node, in root: borrowing Stack) -> Bool {
    first { $0.hostStack == node.hostStack }?.id == node.id && root.hasTab(node.hostStack)
  }
}

extension Stack {
  /// Returns whether the stack `id` is that of a tab, in or over this one.
  fileprivate func hasTab(_ id: StackID) -> Bool {
    var isFound = false
    forEachStack { stack in
      for entry in stack.entries {
        if case .tabs(let bar) = entry.content, bar.tabs.contains(where: { $0.stack.id == id }) { isFound = true }
      }
    }
    return isFound
  }

  fileprivate func markOwners(in needed: inout [Bool], of nodes: [Node]) {
    var previous: NodeID?
    let entries = entries.span
    for place in entries.indices {
      let owner = entries[place].owner
      if owner != previous, let index = nodes.index(of: owner) {
        previous = owner
        nodes.markNeeded(index, in: &needed)
      }
      guard case .tabs(let bar) = entries[place].content else { continue }
      for tab in bar.tabs { tab.stack.markOwners(in: &needed, of: nodes) }
    }
    for modal in modals { modal.markOwners(in: &needed, of: nodes) }
  }
}
