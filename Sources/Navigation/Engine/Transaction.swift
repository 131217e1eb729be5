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
  /// The form behind the commands that are given next, if an outcome of their coordinator may refuse one.
  var form: EffectForm?
  /// The property of the visible screen that the user asks to load again.
  var reloadedProperty: String?
  /// The property that this step has given an outcome to.
  var deliveredProperty: ScreenProperty?
  /// The entries that the user has agreed to leave.
  var consents: [EntryID] = []
  /// Whether every question counts as answered with leave: in a rehearsal of the answer, and for a background event,
  /// because a leave policy protects against a slip of the user and not against the app.
  var agreesToLeave = false
  /// Whether the step applies an event in the background, which may ask a prompt while another one is open.
  var isBackground = false
  /// The root coordinators of tabs that have no entry in their subtrees, as of the last settling of the step.
  var vacantTabRoots: [NodeID] = []
  /// The guards that stop coordinators of this step from starting, by coordinator: the last one is failing.
  var locking: [NodeID: [Int]] = [:]
  /// The first id of the parts that are consequences of the work of guards: the end of a coordinator may show a part that
  /// is protected as well, which is left out. Nil before the guards have removed or shown anything.
  var consequencesFrom: UInt32?
  /// The part that the guard of a pending intent has opened, while the step carries out that intent.
  var passedGate: PendingIntent.Awaited?
  /// Whether the person leaves the guards behind which other intents wait, so that the intent replaces those.
  var turnsAway = false
  /// Guards have been applied to the parts with smaller ids.
  var guardedUpTo: UInt32
  /// The vacant stack that the replacement of a guard fills.
  var vacantStack: StackID?
  /// The coordinator whose guard reacts instead of the start of a coordinator.
  var waitingGuardian: NodeID?
  /// Results and cancellations for parents, not yet delivered.
  var deliveries: [Delivery] = []
  private var commandCount = 0
  /// The number of handlers that wait for the commands of others.
  var handlerDepth = 0
  /// The presentation, the coordinators and what bindings can read, before this step.
  private let before: (stacks: [Stack], nodes: [Node], environment: SessionEnvironment)

  /// The stacks, the coordinators and the environment before this step; prompts, pending intents and work are those of
  /// now.
  var presentationBefore: SessionState {
    var earlier = state
    (earlier.stacks, earlier.nodes, earlier.environment) = before
    return earlier
  }

  /// Whether this step creates the session.
  var isCreation: Bool { before.nodes.isEmpty }

  /// More commands than any real step has. The limit stops an app that starts itself for ever.
  static let commandLimit = 512
  /// More handlers than any real step has in each other. The limit stops an app that follows its own action for ever
  /// before the stack of the thread overflows.
  static let handlerDepthLimit = 64

  init(app: AppDefinition, state: SessionState, stamp: StepStamp) {
    // Complete before it is a part of the step, because a change afterwards would copy the whole step.
    var (begun, stamp) = (state, stamp)
    stamp.revision = state.revision &+ 1
    begun.environment.begin(stamp)
    if let principal = state.environment.principal, principal.hasLapsedClaims(at: stamp.time) {
      begun.environment = begun.environment.with(principal: SessionPrincipal(subject: principal.subject))
    }
    self.app = app
    self.state = begun
    firstNewID = state.nextID
    guardedUpTo = state.nextID
    before = (state.stacks, state.nodes, state.environment)
  }

  /// Moves the final state out of the step, because a copy would count references.
  mutating func takeState(at revision: UInt64) -> SessionState {
    state.revision = revision
    // A view shows the date of the step.
    state.environment.stamp = StepStamp(time: state.environment.time)
    var result = SessionState(revision: 0, nextID: 0, nodes: [], stacks: [])
    swap(&result, &state)
    return result
  }

  /// Takes over the number of commands and the next id from another attempt at the same step.
  mutating func takeCounts(of attempt: Transaction) {
    (commandCount, state.nextID) = (attempt.commandCount, attempt.state.nextID)
  }

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
    (state.stacks, state.nodes) = (before.stacks, before.nodes)
    for node in living {
      if let index = state.nodeIndex(node.id) { state.nodes[index].state = node.state }
    }
  }

  /// Returns the fault of a broken invariant, with its location if a modal lies over a stack without entries, which the
  /// commands of one step can leave.
  private func fault(of broken: BrokenInvariant) -> AppFault {
    guard let modal = state.stacks.first(where: { $0.covered.map(isEmpty) ?? false }),
      let node = state.nodes.first(where: { $0.hostStack == modal.covered })
    else { return .brokenInvariant(broken) }
    return .located(.modalOverNothing, at: location(of: node))
  }

  /// Settles, starts the locked coordinators whose guards pass now, and applies the guards. A locked coordinator may
  /// wait for a part that the guards remove.
  @inline(__always)
  mutating func settleAndGuard() throws(Interruption) {
    try settle()
    repeat {
      if state.hasExtras { try resolveLockedStarts() }
    } while try applyGuards()
  }

  /// Carries out a pending intent, and checks the invariants, after ``attempt(_:)``.
  mutating func complete() throws(Interruption) {
    try resolvePendingIntents()
    if state.hasExtras { dropRefusalOfLostForm() }
    state.openNextPrompt()
    try requestLoads()
    if state.isFinished, state.visibleEntry == nil { keepLastScreen() }
    if let broken = state.brokenInvariant() { throw .fault(fault(of: broken)) }
  }

  // Settling: a coordinator without an entry in its subtree ends, until nothing changes any more.

  /// Ends abandoned coordinators, and delivers results. Terminates: every turn of the outer loop ends a coordinator or
  /// is the last, and a parent that keeps starting children runs into the limit of commands.
  mutating func settle() throws(Interruption) {
    repeat {
      while !deliveries.isEmpty { try deliver(deliveries.removeFirst()) }
      // Removes the modals in which no parent has gone on.
      while state.stacks.count > 1,
        let empty = state.stacks.first(where: { $0.isModal && $0.entries.isEmpty && !state.hostsLockedStart($0.id) })
      {
        state.removeStack(empty.id)
      }
    } while try endAbandoned()
  }

  /// Ends the coordinators without entries. Returns false if all have some. A parent that ends too receives no
  /// cancellation.
  private mutating func endAbandoned() throws(Interruption) -> Bool {
    let idle = state.idleNodes
    // The common case: every step settles, and hardly any has idle nodes.
    vacantTabRoots = state.tabRoots(among: idle)
    let abandoned = idle.filter { !vacantTabRoots.contains($0.id) }
    guard !abandoned.isEmpty else { return false }
    let ended = abandoned.map(\.id)
    try remove(ended)
    for node in abandoned {
      if let parent = node.parent, !ended.contains(parent) { deliveries.append(Delivery(child: node)) }
    }
    return true
  }
}

/// The end of a child, for its parent.
struct Delivery {
  let child: Node
  /// Nil if the child was cancelled.
  var result: Value?
}

extension SessionState {
  /// Returns whether a guard has stopped the coordinator from starting. Such a coordinator lives without an entry.
  func isLocked(_ id: NodeID) -> Bool { hasExtras && lockedStarts.contains { $0.coordinator == id } }

  func hostsLockedStart(_ stack: StackID) -> Bool { nodes.contains { $0.hostStack == stack && isLocked($0.id) } }

  /// The coordinators but the root that have no entry in their subtree, without those that wait for their start in a
  /// stack that they share.
  var idleNodes: [Node] {
    var idle = nodes.dropFirst().filter { node in
      !hasEntry(of: node.id) && (!isLocked(node.id) || isTabRoot(node) || stack(node.hostStack) == nil)
    }
    // A coordinator stays for a child that has entries. The last ones come first, because children follow parents.
    for node in idle.reversed() {
      let isNeeded = nodes.contains { child in child.parent == node.id && !idle.contains { $0.id == child.id } }
      if isNeeded { idle.removeAll { $0.id == node.id } }
    }
    return idle
  }

  private func hasEntry(of owner: NodeID) -> Bool { stacks.contains { $0.entries.contains { $0.owner == owner } } }

  func tabRoots(among nodes: [Node]) -> [NodeID] { nodes.filter { isTabRoot($0) }.map(\.id) }

  /// Returns whether a tab was made for this coordinator, which then lives as long as the tab. The coordinator was the
  /// first on the stack of the tab: that stack is new when its root coordinator starts.
  func isTabRoot(_ node: Node) -> Bool {
    guard node.hostStack != stacks[0].id, let stack = stack(node.hostStack), !stack.isModal else { return false }
    return nodes.first { $0.hostStack == node.hostStack }?.id == node.id
  }
}
