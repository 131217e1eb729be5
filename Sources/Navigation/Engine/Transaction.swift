internal import Values

/// One step of a session under way: it works on a state of its own, and either all of it is committed or none.
struct Transaction {
  let app: AppDefinition
  var state: SessionState
  /// Ids from here on were made by this step.
  let firstNewID: UInt32
  /// The intent that is being carried out; the one behind a prompt once its question is answered.
  var intent: Intent?
  /// The action that is being done: its input has the fields that a handler can refuse. Nil where there is none, as for back.
  var action: ActionDefinition?
  /// The entries that the user agreed to leave.
  var consents: [EntryID] = []
  /// Whether the user would agree to leave whatever asks.
  var isRehearsal = false
  /// The root coordinators of tabs that have no entry in their subtrees, as of the last time that the step settled.
  var vacantTabRoots: [NodeID] = []
  /// The stack that a guard's offer fills.
  var vacantStack: StackID?
  /// Results and cancellations that their parents have not heard of yet.
  var deliveries: [Delivery] = []
  private var commandCount = 0
  /// The presentation and the coordinators before this step.
  private let before: (root: Stack, nodes: [Node])

  /// Whether the session is being created: there was nothing before this step.
  var isCreation: Bool { before.nodes.isEmpty }

  /// More commands than any real step has; stops an app that starts itself for ever.
  static let commandLimit = 512

  init(app: AppDefinition, state: consuming SessionState) {
    self.app = app
    firstNewID = state.nextID
    before = (state.root, state.nodes)
    self.state = state
  }

  /// Hands out the state that the step has led to; the step is over then. Taken out and not copied, because a copy counts
  /// references.
  mutating func takeState(at revision: UInt64) -> SessionState {
    state.revision = revision
    var result = SessionState.empty
    swap(&result, &state)
    return result
  }

  /// Goes on counting where another attempt at the same step has stopped.
  mutating func takeCount(of attempt: Transaction) { commandCount = attempt.commandCount }

  mutating func countCommand() throws(Interruption) {
    commandCount += 1
    guard commandCount <= Self.commandLimit else {
      throw .fault(.tooManyCommands(limit: Self.commandLimit))
    }
  }

  /// Lets a session that ends with no screen left show what it showed last: it stays readable.
  private mutating func keepLastScreen() {
    guard !before.nodes.isEmpty else { return }
    let living = state.nodes
    (state.root, state.nodes) = before
    for node in living {
      if let index = state.nodeIndex(node.id) { state.nodes[index].state = node.state }
    }
  }

  /// Settles, holds the guards, fulfils a pending, and checks what came out.
  mutating func commit() throws(Interruption) {
    try settle()
    try applyGuards()
    try resolvePendingIntent()
    if state.isFinished, state.visibleEntry == nil { keepLastScreen() }
    if let broken = state.brokenInvariant() { throw .fault(.brokenInvariant(broken)) }
  }
}

/// What a parent is still to be told about a child that has ended.
enum Delivery {
  case finished(parent: NodeID, coordinator: Int, result: Value)
  case cancelled(parent: NodeID, coordinator: Int)
}

/// Settle: a coordinator that has no entry left in its subtree is over, until nothing changes any more.
extension Transaction {
  /// Every turn of the outer loop ends a coordinator or is the last, and a parent that keeps starting children runs into
  /// the limit of commands, so it comes to an end.
  mutating func settle() throws(Interruption) {
    repeat {
      guard !deliveries.isEmpty else { continue }
      while !deliveries.isEmpty { try deliver(deliveries.removeFirst()) }
      // The modals that no parent has gone on in.
      state.root.removeEntries { _ in false }
    } while endAbandoned()
  }

  /// Ends the coordinators without entries; false where all have some. Only a parent that lives on is told.
  private mutating func endAbandoned() -> Bool {
    let idle = state.idleNodes
    // Every step settles, and hardly any has idle nodes.
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
    // The root alone needs no look.
    if nodes.count == 1 { return [] }
    var needed = IndexSet(upTo: nodes.count)
    root.markOwners(in: &needed, of: nodes)
    var idle: [Node] = []
    for index in nodes.indices.dropFirst() where !needed.contains(index) { idle.append(nodes[index]) }
    return idle
  }

  func tabRoots(among nodes: [Node]) -> [NodeID] { nodes.filter { isTabRoot($0) }.map(\.id) }

  /// Whether a tab was made for this coordinator, which then lives as long as the tab.
  func isTabRoot(_ node: Node) -> Bool { nodes.isTabRoot(node, in: root) }
}

extension [Node] {
  /// A tab's stack is new when its root coordinator is started, so that none lives there before.
  func isTabRoot(_ node: Node, in root: borrowing Stack) -> Bool {
    first { $0.hostStack == node.hostStack }?.id == node.id && root.hasTab(node.hostStack)
  }
}

extension Stack {
  /// Whether the stack `id` is that of a tab, in or over this one.
  fileprivate func hasTab(_ id: StackID) -> Bool {
    var isFound = false
    forEachStack { stack in
      for entry in stack.entries {
        if case .tabs(let bar) = entry.content, bar.tabs.contains(where: { $0.stack.id == id }) { isFound = true }
      }
    }
    return isFound
  }

  fileprivate func markOwners(in needed: inout IndexSet, of nodes: [Node]) {
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
