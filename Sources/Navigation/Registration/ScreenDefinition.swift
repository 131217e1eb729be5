internal import Values

/// A declared screen: its name, and closures that draw it.
public final class ScreenDefinition: Sendable {
  public let name: String
  /// The title of all screens of this name; nil if it is made from the values of each.
  public let fixedTitle: Text?
  public let actions: [ActionDefinition]
  public let leavePolicy: LeavePolicy
  public let leaveQuestion: LeaveQuestion
  let crashName: CrashName
  let schema: SchemaDefinition
  let decode: @Sendable (AppValue) throws -> any Screen
  let makeTitle: @Sendable (any Screen) throws -> Text
  let makeContent: @Sendable (any Screen) throws -> [Block]
  /// The values that a user agrees to, by the key of the action.
  let agreements: [(action: ActionKey, value: @Sendable (any Screen) throws -> Value)]
  let loads: [LoadDefinition]
  let choices: [ChoicesDefinition]
  /// The values with which fields begin, by the key of the action.
  let prefills: [(action: ActionKey, values: @Sendable (any Screen) throws -> Value)]

  init<S: Screen>(_ screen: S.Type, actions: [ActionDefinition], _ writer: TextWriter) {
    name = S.name
    crashName = CrashName(S.name)
    schema = SchemaDefinition(S.self)
    self.actions = actions
    leavePolicy = S.leavePolicy
    leaveQuestion = S.leaveQuestion.written(by: writer)
    decode = { try $0.decode(S.self) }
    makeContent = { $0.content }
    agreements = S.agreements.map { agreement in
      (agreement.action, { screen in try (screen as? S).map(agreement.value) ?? .null })
    }
    loads = S.loads.map { LoadDefinition($0, writer) }
    choices = S.choices.map { ChoicesDefinition($0) }
    prefills = S.prefills.map { prefill in
      (prefill.action, { screen in try (screen as? S).map(prefill.encodedValues) ?? .null })
    }
    switch S.title.source {
    case .fixed(let text):
      let title = writer.written(text)
      fixedTitle = title
      makeTitle = { _ in title }
    case .made(let make):
      fixedTitle = nil
      makeTitle = { screen in (screen as? S).map(make) ?? Text(S.name) }
    }
  }

  init(_ screen: DescribedScreen, actions: [ActionDefinition], _ writer: TextWriter) {
    name = screen.name
    crashName = CrashName(screen.name)
    schema = SchemaDefinition(screen.schema, of: screen)
    self.actions = actions
    leavePolicy = screen.leavePolicy
    leaveQuestion = screen.leaveQuestion.written(by: writer)
    decode = { try $0.decode(ScreenData.self) }
    makeContent = { try screen.content(ScreenData.values(of: $0)) }
    agreements = screen.agreements.map { agreement in
      (agreement.action.key, { try agreement.value(ScreenData.values(of: $0)) })
    }
    loads = screen.loads.map { LoadDefinition($0, writer) }
    choices = screen.choices.map { ChoicesDefinition($0) }
    prefills = screen.prefills.map { prefill in
      (prefill.action.key, { try prefill.value(ScreenData.values(of: $0)) })
    }
    switch screen.title {
    case .fixed(let text):
      let title = writer.written(text)
      fixedTitle = title
      makeTitle = { _ in title }
    case .made(let make):
      fixedTitle = nil
      makeTitle = { try make(ScreenData.values(of: $0)) }
    }
  }
}

/// A property of a screen that an effect loads.
struct LoadDefinition: Sendable {
  let field: String
  let freshness: Duration
  /// The sentence for people after a failure.
  let problem: Text
  /// Whether the property is part of the data for clients.
  let isData: Bool
  /// The name of the effect.
  let effect: String
  /// A closure, because the effect has services of its own.
  let define: @Sendable (_ services: any Sendable) -> EffectDefinition
  /// Returns the encoded effect for a screen; nil if there is nothing to load yet.
  let request: @Sendable (any Screen) throws -> Value?
  /// Encodes the screen.
  let encode: @Sendable (any Screen) throws -> Value
  /// The latest screen with the output of a public effect.
  let shared = SharedScreen()

  init<S: Screen>(_ load: Load<S>, _ writer: TextWriter) {
    field = load.field
    freshness = load.freshness
    problem = writer.written(load.problem)
    isData = load.isData
    effect = load.effect
    define = load.define
    request = { screen in try (screen as? S).flatMap { try load.request($0) } }
    encode = { screen in try (screen as? S).map { try Value(encoding: $0) } ?? .emptyObject }
  }

  init(_ load: DescribedScreen.Load, _ writer: TextWriter) {
    field = load.property
    freshness = load.freshness
    problem = writer.written(load.problem)
    isData = load.isData
    effect = load.effect.name
    define = { _ in EffectDefinition(load.effect) }
    request = { try load.request(ScreenData.values(of: $0)) }
    // The data of a screen that a file describes has every declared property.
    encode = { _ in .object([(load.property, .null)]) }
  }
}

/// The choices of an action's field that depend on the data of a screen.
struct ChoicesDefinition: Sendable {
  let field: String
  let action: ActionKey
  /// Whether the schema of the field lists the choices.
  let isListed: Bool
  let make: @Sendable (any Screen) throws -> [Choice]

  init<S: Screen>(_ choices: Choices<S>) {
    (field, action, isListed) = (choices.field, choices.action, choices.isListed)
    make = { screen in (screen as? S).map(choices.make) ?? [] }
  }

  init(_ choices: DescribedScreen.Choices) {
    (field, action, isListed) = (choices.field, choices.action.key, choices.isListed)
    make = { try choices.make(ScreenData.values(of: $0)) }
  }
}

/// The data that a coordinator fills into a screen.
struct FillDefinition: Sendable {
  let screen: String
  /// Takes the coordinator, and changes the screen.
  let fill: @Sendable (AppValue, inout any Screen, SessionEnvironment) throws -> Void

  init<Owner: Coordinator, S: Screen>(
    _ services: BoundServices, _ body: @escaping @Sendable (Owner, inout S, Context<Owner>) -> Void
  ) {
    screen = S.name
    fill = { state, screen, environment in
      guard var typed = screen as? S else { return }
      body(try state.decode(Owner.self), &typed, try services.context(environment))
      screen = typed
    }
  }

  init(_ fill: DescribedCoordinator.Fill) {
    screen = fill.screen
    self.fill = { state, screen, environment in
      screen = ScreenData(try fill.values(state.encoding, ScreenData.values(of: screen), environment))
    }
  }
}
