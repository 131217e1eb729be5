package import Values

/// The code of a described coordinator for one event.
package typealias DescribedScript = @Sendable (inout DescribedStep) throws -> Void

/// The coordinator and the commands of a ``DescribedScript``: what a handler in Swift has in its `Navigator` and in
/// `inout self`.
package struct DescribedStep {
  /// The encoded coordinator.
  package var state: Value { didSet { hasChanged = true } }
  /// The encoded input, output, result or failure.
  package let argument: Value
  package let environment: SessionEnvironment
  private(set) var commands: [Command] = []
  private(set) var hasChanged = false

  init(state: Value, argument: Value, environment: SessionEnvironment) {
    (self.state, self.argument, self.environment) = (state, argument, environment)
  }

  /// The time of the step.
  package var now: Timestamp { environment.stamp.time }

  /// A screen or a coordinator with its encoded values.
  package struct Item: Sendable {
    let name: String
    let values: Value

    package init(_ name: String, _ values: Value) { (self.name, self.values) = (name, values) }

    var draft: Draft { Draft(values, named: name) }
  }

  private func entry(_ screen: Item, _ leavePolicy: LeavePolicy) -> EntryDraft {
    EntryDraft(screen: screen.draft, leavePolicy: leavePolicy)
  }
}

// The commands have the names and the meaning of those of `Navigator`.
extension DescribedStep {
  package mutating func push(_ screen: Item, leaving: LeavePolicy) { commands.append(.push(entry(screen, leaving))) }

  package mutating func pushSingleTop(_ screen: Item, leaving: LeavePolicy) {
    commands.append(.pushSingleTop(entry(screen, leaving)))
  }

  package mutating func bringToFront(_ screen: Item, leaving: LeavePolicy) {
    commands.append(.bringToFront(entry(screen, leaving)))
  }

  package mutating func replaceTop(_ screen: Item, leaving: LeavePolicy) {
    commands.append(.replaceTop(entry(screen, leaving)))
  }

  package mutating func setStack(_ screens: [(screen: Item, leaving: LeavePolicy)]) {
    commands.append(.setStack(screens.map { entry($0.screen, $0.leaving) }))
  }

  package mutating func pop(_ count: Int) { commands.append(.pop(count)) }
  package mutating func popTo(_ screen: String) { commands.append(.popTo(screen)) }
  package mutating func popToRoot() { commands.append(.popToRoot) }

  package mutating func present(screen: Item, leaving: LeavePolicy) {
    commands.append(.present(entry(screen, leaving)))
  }

  package mutating func dismiss() { commands.append(.dismiss) }
  package mutating func dismissAll() { commands.append(.dismissAll) }
  package mutating func ask(_ prompt: Item) { commands.append(.ask(prompt.draft)) }

  package mutating func start(_ coordinator: Item, asModal isModal: Bool) {
    commands.append(.start(coordinator.draft, modal: isModal))
  }

  package mutating func finish(_ result: Item) { commands.append(.finish(result.draft)) }

  package mutating func refuse(_ reason: Text, field: String?) { commands.append(.refuse(reason, field: field)) }

  /// Whether one of the commands refuses the action.
  package var hasRefused: Bool {
    commands.contains { if case .refuse = $0 { true } else { false } }
  }

  package mutating func setTabs(_ tabs: [(root: Item, title: Text, icon: String?)]) {
    commands.append(.setTabs(tabs.map { TabDraft(child: $0.root.draft, title: $0.title, icon: $0.icon) }))
  }

  package mutating func select(_ tab: String, reselecting: Bool) {
    commands.append(.select(tab, reselect: reselecting))
  }

  package mutating func follow(_ steps: [Step]) { commands.append(.follow(steps)) }

  package mutating func badge(_ count: Int?, tab: String?) { commands.append(.badge(count, tab: tab)) }

  package mutating func perform(_ effect: Item, key: String?, compensation: Item?) {
    commands.append(.perform(effect.draft, key: key, compensation: compensation?.draft))
  }

  package mutating func perform(detached effect: Item, key: String?) {
    commands.append(.performDetached(effect.draft, key: key))
  }

  package mutating func schedule(_ timer: Item, after delay: Duration, key: String?) {
    commands.append(.schedule(timer.draft, after: delay, key: key))
  }

  package mutating func await(_ signal: String, key: String?) { commands.append(.await(signal, key: key)) }

  package mutating func cancel(effect name: String, key: String?) { commands.append(.cancel(.effect, name, key: key)) }
  package mutating func cancel(timer name: String, key: String?) { commands.append(.cancel(.timer, name, key: key)) }
  package mutating func cancel(signal name: String, key: String?) { commands.append(.cancel(.signal, name, key: key)) }
}
