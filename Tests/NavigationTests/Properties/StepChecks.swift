import Values

@testable import Navigation

/// Carries out one intent and checks everything that holds for a single step.
struct StepChecks {
  let app: AppDefinition
  /// The same app, registered once more: what another process has.
  let elsewhere: AppDefinition

  init(_ app: App) throws {
    self.app = try AppDefinition(app)
    elsewhere = try AppDefinition(app)
  }

  /// - Parameter isOffered: whether the view offered the intent; nil where that is not known (a replay).
  /// - Returns: what came of it, or nil for a rejection.
  func perform(_ intent: Intent, on packed: [UInt8], isOffered: Bool?) throws -> Transition? {
    let before = try app.unpack(packed)
    let transition: Transition
    do throws(Rejection) {
      transition = try app.perform(intent, on: packed)
    } catch {
      try hold(13, isOffered != true, "\(intent) is offered and was rejected: \(error)")
      if case .fault(let sentence) = error { throw PropertyFailure(29, "a rejection is the app's fault: \(sentence)") }
      return nil
    }
    try hold(13, isOffered != false, "\(intent) is not offered and was accepted")
    let after = transition.state
    try audit(after, of: app)
    try checkWish(of: after)
    try hold(9, after.revision == before.revision + 1, "the revision went from \(before.revision) to \(after.revision)")
    let read = try elsewhere.unpack(transition.packed)
    try hold(10, read == after, "reading the packed form gives another state")
    try hold(10, app.pack(read) == transition.packed, "the packed form is not canonical")
    let there = try elsewhere.perform(intent, on: packed)
    try hold(11, there.packed == transition.packed, "another process comes to another state")
    var again = Transaction(app: app, state: after)
    try again.settle()
    try hold(21, again.state == after, "settling a settled state changes it")
    try checkAppearance(transition, from: before)
    return transition
  }

  private func checkWish(of state: SessionState) throws {
    guard let wish = state.pending else { return }
    try hold(25, !state.isFinished, "a wish waits in a finished session")
    let guardian = state.node(wish.guardian).map { app.coordinators[$0.coordinator].definition.guards }
    try hold(25, guardian?.indices.contains(wish.guardIndex) ?? false, "a wish waits for a guard that does not exist")
    let isComing =
      switch wish.awaited {
      case .coordinator(let id): state.node(id) != nil
      case .entry(let id): state.root.place(of: id) != nil
      case .prompt: state.prompt != nil
      case .nothing: true
      }
    try hold(25, isComing, "a wish waits for what has gone")
  }

  private func checkAppearance(_ transition: Transition, from before: SessionState) throws {
    let (was, now) = (before.visibleEntry?.id, transition.state.visibleEntry?.id)
    if was == now {
      try hold(27, transition.appeared == nil && transition.disappeared == nil, "a screen that stays has appeared")
    } else {
      try hold(27, transition.appeared == now, "the screen that shows has not appeared")
      try hold(27, transition.disappeared == was, "the screen that showed has not disappeared")
    }
  }
}
