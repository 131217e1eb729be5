import Values

@testable import Navigation

/// Carries out one intent, and checks every property of a single step.
struct StepChecks {
  let app: AppDefinition
  /// The same app, registered once more, as in another process.
  let elsewhere: AppDefinition

  init(_ app: App) throws {
    self.app = try AppDefinition(app)
    elsewhere = try AppDefinition(app)
  }

  /// - Parameter isOffered: whether the view offered the intent; nil if that is unknown, as in a replay.
  /// - Returns: the next state, or nil for a rejection.
  func perform(_ intent: Intent, on packed: [UInt8], isOffered: Bool?) throws -> Moment? {
    let before = try app.unpack(packed)
    let step: Moment
    do throws(Rejection) {
      step = try app.perform(intent, on: packed)
    } catch {
      try hold(13, isOffered != true, "\(intent) is offered and was rejected: \(error)")
      if case .fault(let sentence) = error { throw PropertyFailure(29, "a rejection is the app's fault: \(sentence)") }
      return nil
    }
    try hold(13, isOffered != false, "\(intent) is not offered and was accepted")
    let after = step.state
    try audit(after, of: app)
    try LeaveChecks(app: app).check(intent, from: before, to: after)
    try checkPendingIntent(of: after)
    try hold(9, after.revision == before.revision + 1, "the revision went from \(before.revision) to \(after.revision)")
    let read = try elsewhere.unpack(step.packed)
    try hold(10, read == after, "reading the packed form gives another state")
    try hold(10, app.pack(read) == step.packed, "the packed form is not canonical")
    let there = try elsewhere.perform(intent, on: packed)
    try hold(11, there.packed == step.packed, "another process comes to another state")
    var again = Transaction(app: app, state: after)
    try again.settle()
    try hold(21, again.state == after, "settling a settled state changes it")
    let shown = after.root.shownScreens(isShown: true)
    try hold(27, shown.count == 1 && shown.first == after.visibleEntry?.id, "\(shown.count) screens show")
    return step
  }

  private func checkPendingIntent(of state: SessionState) throws {
    guard let pending = state.pending else { return }
    try hold(25, !state.isFinished, "an intent is pending in a finished session")
    let guardian = state.node(pending.guardian).map { app.coordinators[$0.coordinator].definition.guards }
    try hold(
      25, guardian?.indices.contains(pending.guardIndex) ?? false,
      "an intent is pending behind a guard that does not exist")
    let isComing =
      switch pending.awaited {
      case .coordinator(let id): state.node(id) != nil
      case .entry(let id): state.root.place(of: id) != nil
      case .prompt: state.prompt != nil
      case .nothing: true
      }
    try hold(25, isComing, "the awaited part of the pending intent is gone")
  }
}

extension Stack {
  /// The visible screens of this stack and those in and over it, found by a visit of every entry.
  fileprivate func shownScreens(isShown: Bool) -> [EntryID] {
    var shown: [EntryID] = []
    for (place, entry) in entries.enumerated() {
      let isEntryShown = isShown && modal == nil && place == entries.count - 1
      switch entry.content {
      case .screen: if isEntryShown { shown.append(entry.id) }
      case .tabs(let bar):
        for (index, tab) in bar.tabs.enumerated() {
          shown += tab.stack.shownScreens(isShown: isEntryShown && index == bar.selected)
        }
      }
    }
    return shown + (modal?.shownScreens(isShown: isShown) ?? [])
  }
}
