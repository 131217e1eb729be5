import Values

@testable import Navigation

/// Checks of short sequences of intents, tried from the states of a walk.
struct JourneyChecks {
  let app: AppDefinition

  func check(_ intent: Intent, from before: [UInt8], to after: Moment) throws {
    try checkPushAndBack(intent, from: try app.unpack(before), to: after)
    try checkTabs(of: after)
  }

  /// 14: back undoes a push. 15 and 16: back over everything that a child has pushed ends the child.
  private func checkPushAndBack(_ intent: Intent, from before: SessionState, to after: Moment) throws {
    guard case .action = intent, before.prompt == nil, after.state.prompt == nil,
      let (was, now) = VisiblePath.both(before, after.state), was.stack.id == now.stack.id,
      now.stack.entries.count == was.stack.entries.count + 1, was.entry.id != now.entry.id,
      now.stack.entries.dropLast().map(\.id) == was.stack.entries.map(\.id), now.entry.leavePolicy == .free
    else { return }
    let back = try app.perform(.back, on: after.packed).state
    try hold(14, back.root.shape == before.root.shape, "back does not undo the push of \(intent)")
    let property = after.state.nodes.count > before.nodes.count ? 15 : 14
    try hold(property, back.nodes.map(\.id) == before.nodes.map(\.id), "back leaves other coordinators than before")
    try hold(14, back.revision == after.state.revision + 1, "back is not one revision")
  }

  /// 17: a reselection is idempotent and changes no other tab. 18: a tab keeps its state while another one is selected.
  private func checkTabs(of here: Moment) throws {
    let view = try app.view(of: here.state)
    guard let bar = view.tabBar, view.canSelect.allSatisfy({ $0 }) else { return }
    let selected = bar.tabs[bar.selected]
    // A tab may show another bar in its place, or a modal over it.
    let stacks = { (state: SessionState) in VisiblePath(of: state.root)?.tabBar?.tabs.map(\.stack.id) }
    for other in bar.tabs where other.name != selected.name {
      let there = try app.perform(.tab(other.name), on: here.packed)
      guard stacks(there.state) == stacks(here.state) else { continue }
      let back = try app.perform(.tab(selected.name), on: there.packed)
      try hold(18, back.state.root == here.state.root, "tab \(selected.name) is not as it was")
      try hold(18, back.state.nodes == here.state.nodes, "the coordinators are not as they were")
    }
    let once = try app.perform(.tab(selected.name), on: here.packed)
    guard once.state.prompt == nil, stacks(once.state) == stacks(here.state) else { return }
    let twice = try app.perform(.tab(selected.name), on: once.packed)
    try hold(17, once.state.root == twice.state.root, "reselecting twice is not reselecting once")
    let others = { (state: SessionState) in
      VisiblePath(of: state.root)?.tabBar?.tabs.filter { $0.name != selected.name }
    }
    try hold(17, others(once.state) == others(here.state), "reselecting changed another tab")
  }

  /// 24: a link leads to the same stack from every state, and back leads from there to a root.
  func checkLink(_ link: String, from packed: [UInt8]) throws {
    var reached = try? app.perform(.open(link: link), on: packed)
    while let asked = reached, asked.state.prompt != nil {
      reached = try app.perform(.action(name: LeaveAnswer.leave.rawValue, input: .emptyObject), on: asked.packed)
    }
    // A sealed screen refuses the link, and a guard makes it wait.
    guard var here = reached, here.state.pending == nil else { return }
    let fresh = try app.begin()
    let direct = try app.perform(.open(link: link), on: fresh.packed)
    if direct.state.pending == nil {
      let (one, other) = (VisiblePath(of: here.state.root)?.stack, VisiblePath(of: direct.state.root)?.stack)
      try hold(24, one?.entries.map(\.content) == other?.entries.map(\.content), "\(link) leads to another stack")
    }
    var steps = 0
    while here.state.backTarget != nil {
      here = try app.perform(.back, on: here.packed)
      steps += 1
      try hold(24, steps < 100, "back never comes to a root")
    }
  }
}

extension VisiblePath {
  static func both(_ one: SessionState, _ other: SessionState) -> (VisiblePath, VisiblePath)? {
    guard let first = VisiblePath(of: one.root), let second = VisiblePath(of: other.root) else { return nil }
    return (first, second)
  }
}

extension Stack {
  /// The ids and contents, without badges: reading a message lowers its badge, and back does not raise it again.
  var shape: [String] {
    var shape = ["stack \(id)"]
    for entry in entries {
      switch entry.content {
      case .screen(let screen, let value): shape.append("\(entry.id) \(entry.owner) \(screen) \(value)")
      case .tabs(let bar): shape += ["\(entry.id) tabs \(bar.selected)"] + bar.tabs.flatMap(\.stack.shape)
      }
    }
    return shape + modals.flatMap(\.shape)
  }
}
