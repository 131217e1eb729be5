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

  /// - Throws: as ``act(_:_:)``; `action-unavailable` where there is nothing to go back to.
  @discardableResult
  public func back() async throws -> View {
    guard let back = view.navigation.back else { throw unavailable("There is nothing to go back to.") }
    return try await post(back.href)
  }

  /// Dismisses the top modal.
  ///
  /// - Throws: as ``act(_:_:)``; `action-unavailable` where none is open, or it cannot be dismissed.
  @discardableResult
  public func dismiss() async throws -> View {
    guard let dismiss = view.navigation.dismiss else { throw unavailable("There is nothing to dismiss.") }
    return try await post(dismiss.href)
  }

  /// Shows a tab, by its name; the one that shows is popped to its root.
  ///
  /// - Throws: as ``act(_:_:)``.
  @discardableResult
  public func select(tab name: String) async throws -> View {
    guard let href = view.navigation.tabs?.items.first(where: { $0.name == name })?.href else {
      throw unavailable("There is no tab \(name) here.")
    }
    return try await post(href)
  }

  /// Opens a deep link, such as `/accounts/a1`.
  ///
  /// - Throws: as ``act(_:_:)``; `invalid-link` where it leads nowhere.
  @discardableResult
  public func open(_ link: String) async throws -> View {
    try await post("\(address)/open?revision=\(view.session.revision)", ["link": Value(link)])
  }

  /// Looks at the session as it is.
  ///
  /// - Throws: a ``UsherError``: `session-expired` where it is over.
  @discardableResult
  public func refresh() async throws -> View { take(try UsherService.view(try await service.send("GET", address))) }

  /// Ends the session; one that has ended is as good.
  ///
  /// - Throws: a ``UsherError``.
  public func end() async throws {
    do {
      _ = try await service.send("DELETE", address)
    } catch UsherError.refused(let problem) where problem.status == 410 {
      // Its first answer may have been lost.
    }
  }

  /// Offers the session to another device. Once that has taken it over, this one can read and follow it, and do nothing.
  ///
  /// - Returns: the path of the link for ``UsherService/takeOver(_:)``, and for a browser; it is good once, for ten minutes.
  /// - Throws: a ``UsherError``: `action-unavailable` where the session has finished, or another device has it already.
  public func handOver() async throws -> String {
    guard let path = view.links.handOver else { throw unavailable("The session cannot be handed over.") }
    guard let link = try await service.send("POST", path)["href"]?.text else {
      throw UsherError.unreadable("The link cannot be read.")
    }
    return link
  }

  /// The view at every revision from here on, whoever brings it about, the current one first; it ends with the session. Who does not
  /// keep up gets the newest 64.
  ///
  /// - Throws: a ``UsherError`` where the session cannot be followed.
  public nonisolated func follow() -> AsyncThrowingStream<View, any Error> { EventReader.views(of: self) }

  /// A retry of a request is known by the revision in the address, so it happens once.
  private func post(_ href: String, _ body: Value? = nil) async throws -> View {
    do {
      return take(try UsherService.view(try await service.send("POST", href, body)))
    } catch let error as UsherError {
      if case .refused(let problem) = error, let view = problem.view { take(view, isCertain: true) }
      throw error
    }
  }

  /// - Parameter isCertain: whether it is the current one, even if it is older: a database may have been set back.
  @discardableResult
  func take(_ view: View, isCertain: Bool = false) -> View {
    if isCertain || view.session.revision >= self.view.session.revision { self.view = view }
    return self.view
  }

  private func unavailable(_ reason: String) -> UsherError {
    .refused(Problem(409, ["type": "/problems/action-unavailable", "detail": Value(reason)]))
  }
}
