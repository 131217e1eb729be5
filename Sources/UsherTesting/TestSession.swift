internal import Messages
public import Navigation
public import Values

/// A session of an app inside a test, without a server or a store.
///
///     var session = try TestSession(clinic(.sample), locale: "de")
///     try session.act("find", ["code": "K7Q2"])
///     #expect(session.title == "Your appointment")
///
/// Every step encodes and decodes the state as a store would, so that a test fails for a state that cannot be stored.
public struct TestSession: Sendable {
  public let app: AppDefinition
  public private(set) var state: SessionState
  /// The visible screen with its data, its actions and its navigation.
  public private(set) var view: VisibleScreen

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - input: the input of the app.
  ///   - link: a deep link to open first.
  ///   - locale: a language tag such as `de-CH`.
  /// - Throws: `WiringFaults` for faults in the wiring of the app, or a `Rejection` of the creation.
  public init(_ app: App, input: Value = .emptyObject, link: String? = nil, locale: String? = nil) throws {
    let app = try AppDefinition(app)
    let state = try app.create(input: input, link: link, environment: SessionEnvironment(locale: locale))
    self.app = app
    self.state = try app.unpack(app.pack(state), environment: state.environment)
    view = try app.view(of: self.state)
  }

  /// Performs an intent. A rejected intent leaves the session unchanged.
  public mutating func perform(_ intent: Intent) throws {
    let next = try app.perform(intent, on: state)
    let stored = try app.unpack(app.pack(next), environment: next.environment)
    view = try app.view(of: stored)
    state = stored
  }
}

extension TestSession {
  /// Performs an action of the visible screen or of the open prompt.
  public mutating func act(_ name: String, _ input: Value = .emptyObject) throws {
    try perform(.action(name: name, input: input))
  }

  public mutating func act<A: Action>(_ action: A) throws { try act(A.name, try Value(encoding: action)) }

  public mutating func back() throws { try perform(.back) }

  public mutating func dismiss() throws { try perform(.dismiss) }

  public mutating func select(tab name: String) throws { try perform(.tab(name)) }

  public mutating func open(_ link: String) throws { try perform(.open(link: link)) }
}

extension TestSession {
  public var title: String { view.title.string }

  /// The titles of the visible stack, bottom first.
  public var titles: [String] {
    view.stack.map { entry in (try? app.title(of: entry, in: state).string) ?? "" }
  }

  /// Returns the visible screen, if it is of this type.
  public func screen<S: Screen>(_ type: S.Type = S.self) -> S? {
    view.screen.name == S.name ? try? view.data.decode(S.self) : nil
  }

  /// Returns the reason why an action of the visible screen is disabled, as clients read it; nil if it is enabled.
  public func disabledReason(of action: String) -> String? {
    guard let offered = view.actions.first(where: { $0.definition.name == action }) else {
      return "The screen has no action \(action)."
    }
    return offered.disabled?.sentence
  }

  /// Returns the result of the root coordinator; nil until the session has finished.
  public func result<Result: Decodable>(as type: Result.Type = Result.self) -> Result? {
    state.result.flatMap { try? $0.decode(Result.self) }
  }
}
