import Values

@testable import Navigation

/// Property 26 along a walk: every removal of an entry is subject to its leave policy.
///
/// Only its own coordinator or a guard removes a sealed entry, or a confirm entry without the consent of the user.
struct LeaveChecks {
  let app: AppDefinition

  func check(_ intent: Intent, from before: SessionState, to after: SessionState) throws {
    var remaining: Set<EntryID> = []
    after.root.forEachEntry { remaining.insert($0.id) }
    var gone: [Entry] = []
    before.root.forEachEntry { if !remaining.contains($0.id) { gone.append($0) } }
    guard gone.contains(where: { $0.leavePolicy != .free }), before.pending == after.pending,
      !gone.contains(where: isGuarded), !hasLostGuardedCoordinator(before, after)
    else { return }
    let (origin, consents) = origin(of: intent, in: before)
    let actors = actors(of: origin, in: before) + parentsOfEnded(before, after)
    for entry in gone where !actors.contains(entry.owner) {
      try hold(26, entry.leavePolicy != .sealed, "the sealed entry \(entry.id) went by \(intent)")
      let isAgreed = entry.leavePolicy == .free || consents.contains(entry.id)
      try hold(26, isAgreed, "entry \(entry.id) went by \(intent) and was not asked")
    }
  }

  /// Returns the intent behind an answer, and the entries that the user has agreed to leave.
  private func origin(of intent: Intent, in state: SessionState) -> (Intent, [EntryID]) {
    guard case .leaving(let entry, let asked, let consents, _) = state.prompt, case .action(let name, _) = intent,
      name == LeaveAnswer.leave.rawValue
    else { return (intent, []) }
    return (asked, consents + [entry])
  }

  /// Returns the coordinator that handles an action; none for back, dismiss and tabs.
  private func actors(of intent: Intent, in state: SessionState) -> [NodeID] {
    guard case .action(let name, _) = intent, let action = app.actions.firstIndex(where: { $0.name == name }) else {
      return []
    }
    var next = state.prompt?.asked?.owner ?? state.visibleEntry?.owner
    while let id = next, let node = state.node(id) {
      if app.coordinators[node.coordinator].handlers[action] != nil { return [id] }
      next = node.parent
    }
    return []
  }

  /// Returns the coordinators that received the result or cancellation of a child, and may have acted on it.
  private func parentsOfEnded(_ before: SessionState, _ after: SessionState) -> [NodeID] {
    before.nodes.filter { after.node($0.id) == nil }.compactMap(\.parent)
  }

  private func isGuarded(_ entry: Entry) -> Bool {
    guard let screen = entry.screen else { return false }
    return guards.contains { if case .screen(app.screens[screen].name) = $0.protected { true } else { false } }
  }

  private func hasLostGuardedCoordinator(_ before: SessionState, _ after: SessionState) -> Bool {
    before.nodes.contains { node in
      let name = app.coordinators[node.coordinator].definition.name
      return after.node(node.id) == nil
        && guards.contains { if case .coordinator(name) = $0.protected { true } else { false } }
    }
  }

  private var guards: [GuardDefinition] { app.coordinators.flatMap(\.definition.guards) }
}
