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

  /// Performs an action of a view. The service refuses it if the session has another revision than the view.
  ///
  /// - Throws: as ``act(_:_:)``.
  @discardableResult
  package func perform(_ action: Action, _ input: JSONValue) async throws -> SessionView {
    try await post(action.href, input)
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
    update(try await service.view("GET", path))
  }

  /// Goes back to the screen below.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if there is no screen to go back to.
  @discardableResult
  public func back() async throws -> SessionView {
    try await follow(view.navigation.back?.href, otherwise: "There is no screen to go back to.")
  }

  /// Dismisses the top modal.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if no modal is open, or if it cannot be dismissed.
  @discardableResult
  public func dismiss() async throws -> SessionView {
    try await follow(view.navigation.dismiss?.href, otherwise: "There is no modal to dismiss.")
  }

  /// Selects a tab by its name. Selecting the visible tab pops its stack to the root.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if the tab cannot be selected.
  @discardableResult
  public func select(tab name: String) async throws -> SessionView {
    let tab = view.navigation.tabBars.flatMap(\.items).first { $0.name == name }
    return try await follow(tab?.href, otherwise: "There is no tab \(name) here.")
  }

  /// Loads a member of the screen's data again that could not be loaded.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if there is no such problem.
  @discardableResult
  public func reload(_ field: String) async throws -> SessionView {
    let problem = view.screen.problems.first { $0.field == field }
    return try await follow(problem?.retry?.href, otherwise: "There is no \(field) here that could not be loaded.")
  }

  /// Tries an event again that the app could not handle, as the problems of the session name it.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if there is no such problem.
  @discardableResult
  public func retry(_ event: Int64) async throws -> SessionView {
    let problem = view.session.problems.first { $0.id == event }
    let reason = "There is no event \(event) here that could not be handled."
    return try await follow(problem?.retry?.href, otherwise: reason)
  }

  /// Extends a session with an idle limit, as an action would.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` if the session cannot be extended.
  @discardableResult
  public func extend() async throws -> SessionView {
    try await follow(view.session.extend?.href, otherwise: "The session cannot be extended.")
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

  /// Gets the current view, or the view once no effect of the session is under way.
  ///
  /// - Parameter seconds: the maximum time to wait for effects, 0 to 20 seconds; nil to wait for none.
  /// - Throws: a ``UsherError``: `session-expired` if the session has expired or was ended.
  @discardableResult
  public func refresh(waiting seconds: Int? = nil) async throws -> SessionView {
    update(try await service.view("GET", address, nil, seconds.map { ["Prefer": "wait=\($0)"] } ?? [:]))
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

  /// Posts to a link of the view.
  ///
  /// - Parameter reason: the reason why the view has no such link.
  private func follow(_ href: String?, otherwise reason: String) async throws -> SessionView {
    guard let href else { throw unavailable(reason) }
    return try await post(href)
  }

  /// The address has the revision, so that the service recognises a retry.
  private func post(_ href: String, _ body: JSONValue? = nil) async throws -> SessionView {
    do {
      return update(try await service.view("POST", href, body))
    } catch UsherError.refused(let problem) {
      if let view = problem.view { update(view, isCurrent: true) }
      throw UsherError.refused(problem)
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
