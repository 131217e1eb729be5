/// What a coordinator declares, by the indices of its app: for whoever explains an app.
extension RegisteredCoordinator {
  /// The screens that it may put on a stack.
  public var shownScreens: [Int] { shows.indices.filter { shows[$0] } }
  /// The prompts that it may ask.
  public var askedPrompts: [Int] { asks.indices.filter { asks[$0] } }
  /// The coordinators that it may start.
  public var startedCoordinators: [Int] { children.indices.filter { children[$0] != nil } }
  /// The actions that it handles, of its own screens or of its descendants'.
  public var handledActions: [Int] { handlers.indices.filter { handlers[$0] != nil } }

  /// The screens that it protects until a condition holds.
  public var guardedScreens: [Int] {
    guards.compactMap { if case .screen(let index) = $0.protected { index } else { nil } }
  }

  /// The coordinators that it protects until a condition holds.
  public var guardedCoordinators: [Int] {
    guards.compactMap { if case .coordinator(let index) = $0.protected { index } else { nil } }
  }
}
