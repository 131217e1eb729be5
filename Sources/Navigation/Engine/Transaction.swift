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

  /// Settles, holds the guards, fulfils a wish, and checks what came out.
  mutating func commit() throws(Interruption) {
    try settle()
    try holdGuards()
    try resolveWish()
    if state.isFinished, state.visibleEntry == nil { keepLastScreen() }
    if let broken = state.brokenInvariant() { throw .fault(.brokenInvariant(broken)) }
  }
}

/// What a parent is still to be told about a child that has ended.
enum Delivery {
  case finished(parent: NodeID, coordinator: Int, result: Value)
  case cancelled(parent: NodeID, coordinator: Int)
}
