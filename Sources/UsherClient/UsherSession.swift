public import Values

/// A session, with the view that was last seen of it.
public actor UsherSession {
  public nonisolated let service: UsherService
  /// Where the session is, as a path: who knows it can use the session.
  public nonisolated let address: String
  public private(set) var view: View

  init(_ service: UsherService, _ view: View) {
    self.service = service
    self.view = view
    address = view.links.`self`
  }

  /// Does an action of the visible screen, or of the open prompt.
  ///
  /// - Throws: a ``UsherError``. Where the session has moved on, ``view`` is then as it is now: decide again from there.
  @discardableResult
  public func act(_ name: String, _ input: Value = .emptyObject) async throws -> View {
    let offered = view.prompt?.actions ?? view.actions
    guard let action = offered.first(where: { $0.name == name }), action.enabled else {
      throw unavailable(offered.first { $0.name == name }?.reason ?? "There is no action \(name) here.")
    }
    return try await post(action.href, input)
  }

  @discardableResult
  public func back() async throws -> View {
    guard let back = view.navigation.back else { throw unavailable("There is nothing to go back to.") }
    return try await post(back.href)
  }

  @discardableResult
  public func dismiss() async throws -> View {
    guard let dismiss = view.navigation.dismiss else { throw unavailable("There is nothing to dismiss.") }
    return try await post(dismiss.href)
  }

  @discardableResult
  public func select(tab name: String) async throws -> View {
    guard let href = view.navigation.tabs?.items.first(where: { $0.name == name })?.href else {
      throw unavailable("There is no tab \(name) here.")
    }
    return try await post(href)
  }

  /// Opens a deep link, such as `/accounts/a1`.
  @discardableResult
  public func open(_ link: String) async throws -> View {
    try await post("\(address)/open?revision=\(view.session.revision)", ["link": Value(link)])
  }

  @discardableResult
  public func refresh() async throws -> View { take(try UsherService.view(try await service.send("GET", address))) }

  /// Ends the session.
  public func end() async throws { _ = try await service.send("DELETE", address) }

  /// The view at every revision from here on, whoever brings it about; it ends with the session.
  public nonisolated func follow() -> AsyncThrowingStream<View, any Error> { EventReader.views(of: self) }

  /// A retry of a request is known by the revision in the address, so it happens once.
  private func post(_ href: String, _ body: Value? = nil) async throws -> View {
    do {
      return take(try UsherService.view(try await service.send("POST", href, body)))
    } catch let error as UsherError {
      if case .refused(let problem) = error, let view = problem.view { take(view) }
      throw error
    }
  }

  @discardableResult
  func take(_ view: View) -> View {
    if view.session.revision >= self.view.session.revision { self.view = view }
    return self.view
  }

  private func unavailable(_ reason: String) -> UsherError {
    .refused(Problem(409, ["type": "/problems/action-unavailable", "detail": Value(reason)]))
  }
}
