/// A session, with its last known view.
public actor UsherSession {
  public nonisolated let service: UsherService
  /// The path of the session. Any client that knows it can use the session.
  public nonisolated let address: String
  public private(set) var view: SessionView

  init(_ service: UsherService, _ view: SessionView) {
    self.service = service
    self.view = view
    address = view.links.session
  }

  /// Performs an action of the visible screen or of the open prompt.
  ///
  /// - Throws: a ``UsherError``. After a `stale-revision`, ``view`` is the current view: decide again from there.
  @discardableResult
  public func act(_ name: String, _ input: JSONValue = [:]) async throws -> SessionView {
    let action = (view.prompt?.actions ?? view.actions).first { $0.name == name }
    guard let action, action.isEnabled else { throw unavailable(action?.reason ?? "There is no action \(name) here.") }
    return try await post(action.href, input)
  }

  /// Performs the action of an item of a list.
  ///
  /// - Throws: as ``act(_:_:)``.
  @discardableResult
  public func perform(_ action: Block.ItemAction) async throws -> SessionView {
    try await post(action.href, action.input)
  }

  /// Gets the current view with another page of a list.
  ///
  /// - Parameter path: the link of a list.
  /// - Throws: a ``UsherError``.
  @discardableResult
  public func show(page path: String) async throws -> SessionView {
    update(try UsherService.view(try await service.send("GET", path)))
  }

  /// Goes back to the screen below.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if there is no screen to go back to.
  @discardableResult
  public func back() async throws -> SessionView {
    guard let back = view.navigation.back else { throw unavailable("There is no screen to go back to.") }
    return try await post(back.href)
  }

  /// Dismisses the top modal.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if no modal is open, or if it cannot be dismissed.
  @discardableResult
  public func dismiss() async throws -> SessionView {
    guard let dismiss = view.navigation.dismiss else { throw unavailable("There is no modal to dismiss.") }
    return try await post(dismiss.href)
  }

  /// Selects a tab by its name. Selecting the visible tab pops its stack to the root.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if the tab cannot be selected.
  @discardableResult
  public func select(tab name: String) async throws -> SessionView {
    guard let href = view.navigation.tabBars.flatMap(\.items).first(where: { $0.name == name })?.href else {
      throw unavailable("There is no tab \(name) here.")
    }
    return try await post(href)
  }

  /// Loads a member of the screen's data again that could not be loaded.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if there is no such problem.
  @discardableResult
  public func reload(_ field: String) async throws -> SessionView {
    guard let retry = view.screen.problems.first(where: { $0.field == field })?.retry else {
      throw unavailable("There is no \(field) here that could not be loaded.")
    }
    return try await post(retry.href)
  }

  /// Tries an event again that the app could not handle, as the problems of the session name it.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if there is no such problem.
  @discardableResult
  public func retry(_ event: Int64) async throws -> SessionView {
    guard let retry = view.session.problems.first(where: { $0.id == event })?.retry else {
      throw unavailable("There is no event \(event) here that could not be handled.")
    }
    return try await post(retry.href)
  }

  /// Changes the language of the session.
  ///
  /// - Parameter locale: a language tag (BCP 47). The texts are in the best language that the app has for it.
  /// - Throws: as ``act(_:_:)``; `invalid-request` if the text is not a language tag.
  @discardableResult
  public func change(locale: String) async throws -> SessionView {
    try await post("\(address)/locale?revision=\(view.session.revision)", ["locale": .string(locale)])
  }

  /// Opens a deep link, such as `/accounts/a1`.
  ///
  /// - Throws: as ``act(_:_:)``; `invalid-link` if the link has no destination.
  @discardableResult
  public func open(_ link: String) async throws -> SessionView {
    try await post("\(address)/open?revision=\(view.session.revision)", ["link": .string(link)])
  }

  /// Gets the current view.
  ///
  /// - Throws: a ``UsherError``: `session-expired` if the session has expired or was ended.
  @discardableResult
  public func refresh() async throws -> SessionView {
    update(try UsherService.view(try await service.send("GET", address)))
  }

  /// Gets the view once no effect of the session is under way, or after a time.
  ///
  /// - Parameter seconds: the maximum time, 0 to 20 seconds.
  @discardableResult
  public func refresh(waiting seconds: Int) async throws -> SessionView {
    update(try UsherService.view(try await service.send("GET", address, nil, ["Prefer": "wait=\(seconds)"])))
  }

  /// Ends the session. Succeeds if the session has ended already.
  public func end() async throws {
    do {
      _ = try await service.send("DELETE", address)
    } catch UsherError.refused(let problem) where problem.status == 410 {
      // The response to an earlier attempt may have been lost.
    }
  }

  /// Offers the session to another device. Once that device has taken the session over, this one can only read and
  /// follow it.
  ///
  /// - Returns: the path of the link, for ``UsherService/takeOver(_:)`` or a browser. It is valid once, for ten
  ///   minutes.
  /// - Throws: a ``UsherError``: `action-unavailable` if the session has finished, or if another device has taken it
  ///   over.
  public func handOver() async throws -> String {
    guard let path = view.links.handOver else { throw unavailable("The session cannot be handed over.") }
    guard let link = try await service.send("POST", path)["href"]?.string else {
      throw UsherError.unreadable("The response to the hand-over has no link.")
    }
    return link
  }

  /// Returns the current view, and the view at each later revision, until the session ends.
  ///
  /// The stream reconnects after a lost connection. It keeps the newest 64 views for a slow reader, and drops older
  /// ones.
  ///
  /// - Throws: a ``UsherError`` if the session cannot be followed.
  public nonisolated func follow() -> AsyncThrowingStream<SessionView, any Error> { EventSubscription.views(of: self) }

  /// The address has the revision, so that the service recognises a retry.
  private func post(_ href: String, _ body: JSONValue? = nil) async throws -> SessionView {
    do {
      return update(try UsherService.view(try await service.send("POST", href, body)))
    } catch let error as UsherError {
      if case .refused(let problem) = error, let view = problem.view { update(view, isCurrent: true) }
      throw error
    }
  }

  /// Takes a view over, unless a newer one is known.
  ///
  /// - Parameter isCurrent: whether the view is current even if its revision is lower, as after a restore of the
  ///   database.
  @discardableResult
  func update(_ view: SessionView, isCurrent: Bool = false) -> SessionView {
    if isCurrent || view.session.revision >= self.view.session.revision { self.view = view }
    return self.view
  }

  private func unavailable(_ reason: String) -> UsherError {
    .refused(Problem(409, ["type": "/problems/action-unavailable", "detail": .string(reason)]))
  }
}
