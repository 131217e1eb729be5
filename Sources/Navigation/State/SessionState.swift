public import Values

/// The whole navigation of one session, as one value: the coordinator tree and the presentation cannot drift apart,
/// because no step changes one of them without the other.
public struct SessionState: Sendable, Equatable {
  /// 1 after creation; grows by exactly 1 with every step, hand-over and report of a stuck event.
  public internal(set) var revision: UInt64
  /// The next id to give to an entry, a stack or a node.
  public internal(set) var nextID: UInt32
  /// The coordinator tree, flat, in the order of creation; the root is first.
  public internal(set) var nodes: [Node]
  /// The presentation, flat, in the order of creation; the root stack is first.
  public internal(set) var stacks: [Stack]
  /// The result of the root coordinator; nil until it has finished, which ends the session.
  public internal(set) var result: Value?
  /// The parts that most states lack.
  private var extras: Extras?

  /// Whether there is an open or queued prompt, a pending intent, a locked start, pending work, loaded data or the
  /// refusal of a form.
  var hasExtras: Bool { extras != nil }

  /// Set when the state is made or unpacked. The principal is packed with the state. The session stores the locale, the
  /// time zone and, in its history, the time of the last step beside it. The rest lasts for one step.
  public internal(set) var environment = SessionEnvironment()

  init(revision: UInt64, nextID: UInt32, nodes: [Node], stacks: [Stack]) {
    (self.revision, self.nextID, self.nodes, self.stacks) = (revision, nextID, nodes, stacks)
  }

  public var isFinished: Bool { result != nil }

  /// Returns the same navigation one revision later, for a change of the session that is not a step of navigation.
  ///
  /// - Parameter time: the time of the change.
  public func atNextRevision(_ time: Timestamp) -> SessionState {
    var next = self
    next.revision += 1
    next.environment.begin(StepStamp(time: time))
    return next
  }

  private struct Parts: Sendable, Equatable {
    var prompt: OpenPrompt?
    var queuedPrompts: [AskedPrompt] = []
    var pendingIntents: [PendingIntent] = []
    var lockedStarts: [LockedStart] = []
    var work: [PendingWork] = []
    var loaded: [LoadedProperty] = []
    var refusal: FormRefusal?
  }

  /// The parts in one object, so that each copy of a state counts one reference for all of them.
  private final class Extras: Sendable, Equatable {
    let parts: Parts

    init(_ parts: Parts) { self.parts = parts }

    static func == (a: Extras, b: Extras) -> Bool { a === b || a.parts == b.parts }
  }

  private mutating func update(_ change: (inout Parts) -> Void) {
    var parts = extras?.parts ?? Parts()
    change(&parts)
    extras = parts == Parts() ? nil : Extras(parts)
  }

  /// Whether work is pending. To ask ``work`` would count a reference.
  public var hasWork: Bool { extras.map { !$0.parts.work.isEmpty } ?? false }

  var hasPrompt: Bool { extras.map { $0.parts.prompt != nil } ?? false }

  public internal(set) var prompt: OpenPrompt? {
    get { extras?.parts.prompt }
    set { update { $0.prompt = newValue } }
  }

  /// The prompts that events in the background have asked while another one was open, in the order in which they open.
  public internal(set) var queuedPrompts: [AskedPrompt] {
    get { extras?.parts.queuedPrompts ?? [] }
    set { update { $0.queuedPrompts = newValue } }
  }

  /// The intents that wait behind guards. Each but the first comes from the part that the guard of the one before has
  /// opened, such as a sign-in, and is carried out before that one.
  public internal(set) var pendingIntents: [PendingIntent] {
    get { extras?.parts.pendingIntents ?? [] }
    set { update { $0.pendingIntents = newValue } }
  }

  /// The pending intent that is carried out first. Without it, the one before it is the first.
  public internal(set) var pending: PendingIntent? {
    get { extras?.parts.pendingIntents.last }
    set {
      update { parts in
        _ = parts.pendingIntents.popLast()
        if let newValue { parts.pendingIntents.append(newValue) }
      }
    }
  }

  /// The coordinators that have not started yet, in the order in which guards have stopped them.
  public internal(set) var lockedStarts: [LockedStart] {
    get { extras?.parts.lockedStarts ?? [] }
    set { update { $0.lockedStarts = newValue } }
  }

  /// The requested effects, the scheduled events and the awaited signals, in the order of their requests.
  public internal(set) var work: [PendingWork] {
    get { extras?.parts.work ?? [] }
    set { update { $0.work = newValue } }
  }

  /// The properties of screens that effects have loaded, or failed to load, in the order of their first outcomes.
  public internal(set) var loaded: [LoadedProperty] {
    get { extras?.parts.loaded ?? [] }
    set { update { $0.loaded = newValue } }
  }

  /// The refusal of an open form by an outcome; nil without one.
  public internal(set) var refusal: FormRefusal? {
    get { extras?.parts.refusal }
    set { update { $0.refusal = newValue } }
  }

  /// A session before its root coordinator starts.
  static var empty: SessionState {
    SessionState(revision: 0, nextID: 2, nodes: [], stacks: [Stack(id: ID(1), covered: nil, entries: [])])
  }

  mutating func makeID<Kind>() -> ID<Kind> {
    defer { nextID += 1 }
    return ID(nextID)
  }

  /// Returns the index in `nodes` of the node `id`; nil if it is not alive.
  func nodeIndex(_ id: NodeID) -> Int? { nodes.firstIndex { $0.id == id } }

  public func node(_ id: NodeID) -> Node? { nodes.first { $0.id == id } }

  /// Returns whether `ancestor` is `node` or one of its ancestors.
  func isSelfOrAncestor(_ ancestor: NodeID, of node: NodeID) -> Bool {
    var next: NodeID? = node
    while let current = next {
      if current == ancestor { return true }
      next = nodeIndex(current).flatMap { nodes[$0].parent }
    }
    return false
  }

  /// Returns `node` and all of its descendants.
  func subtree(of node: NodeID) -> [NodeID] {
    var members = [node]
    // A child is created after its parent, so one pass in the order of creation finds them all.
    for candidate in nodes {
      if let parent = candidate.parent, members.contains(parent) { members.append(candidate.id) }
    }
    return members
  }

  /// The live entries of every coordinator that has any.
  public var entriesByOwner: [NodeID: [EntryID]] {
    var entries: [NodeID: [EntryID]] = [:]
    for entry in self.entries { entries[entry.owner, default: []].append(entry.id) }
    return entries
  }

  /// Returns the coordinators from the root down to `node`.
  public func path(to node: NodeID) -> [Node] {
    var path: [Node] = []
    var next: NodeID? = node
    while let id = next, let node = self.node(id) {
      path.append(node)
      next = node.parent
    }
    return path.reversed()
  }
}

/// One live coordinator of a session.
public struct Node: Sendable, Equatable {
  public let id: NodeID
  /// Nil for the root only.
  public let parent: NodeID?
  /// The stack that the coordinator was started in, or the one below after the coordinator has dismissed that one. The
  /// stack is stored and not inferred, so that it stays right when screens move.
  public internal(set) var hostStack: StackID
  /// The index in ``AppDefinition/coordinators``.
  public let coordinator: Int
  public var state: AppValue
}

/// The identity of one entry, stack, coordinator, prompt or piece of work of a session.
///
/// All kinds draw from one counter of the session (``SessionState/nextID``), so an id names one thing for the
/// whole life of its session and is never used again. The phantom parameter keeps the kinds apart at compile time.
public struct ID<Kind>: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// At least 1.
  public let rawValue: UInt32

  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }

  public var description: String { String(rawValue) }
}

public typealias EntryID = ID<Entry>
public typealias StackID = ID<Stack>
public typealias NodeID = ID<Node>
public typealias PromptID = ID<OpenPrompt>
