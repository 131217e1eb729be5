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

/// A screen that a coordinator shows, or a prompt that it asks. The registration of the app makes its definition.
struct Declaration<Definition: Sendable>: Sendable {
  let name: String
  let type: ObjectIdentifier
  let actions: @Sendable () -> [ActionDeclaration]
  let define: @Sendable ([ActionDefinition], TextWriter) -> Definition
}

extension Declaration<ScreenDefinition> {
  init<S: Screen>(_ screen: S.Type) {
    self.init(
      name: S.name, type: ObjectIdentifier(S.self), actions: { S.actions.map { ActionDeclaration($0) } },
      define: { ScreenDefinition(S.self, actions: $0, $1) })
  }
}

extension Declaration<ScreenDefinition> {
  init(_ screen: DescribedScreen) {
    self.init(
      name: screen.name, type: ObjectIdentifier(screen),
      actions: { screen.actions.map { ActionDeclaration($0) } },
      define: { ScreenDefinition(screen, actions: $0, $1) })
  }
}

extension Declaration<PromptDefinition> {
  init(_ prompt: DescribedPrompt) {
    self.init(
      name: prompt.name, type: ObjectIdentifier(prompt),
      actions: { prompt.actions.map { ActionDeclaration($0) } },
      define: { actions, _ in PromptDefinition(prompt, actions: actions) })
  }
}

extension Declaration<PromptDefinition> {
  init<P: Prompt>(_ prompt: P.Type) {
    self.init(
      name: P.name, type: ObjectIdentifier(P.self), actions: { P.actions.map { ActionDeclaration($0) } },
      define: { actions, _ in PromptDefinition(P.self, actions: actions) })
  }
}

/// An action that a screen or a prompt offers. The registration of the app makes its definition.
struct ActionDeclaration: Sendable {
  let key: ActionKey
  let define: @Sendable (_ index: Int, TextWriter) -> ActionDefinition

  init(_ action: any Action.Type) {
    key = ActionKey(action)
    define = { ActionDefinition(action, index: $0, $1) }
  }

  init(_ action: DescribedAction) {
    key = action.key
    define = { ActionDefinition(action, index: $0, $1) }
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

/// A declared prompt.
public final class PromptDefinition: Sendable {
  public let name: String
  public let actions: [ActionDefinition]
  let crashName: CrashName
  let schema: SchemaDefinition
  /// Returns the title and the message of an encoded prompt.
  let texts: @Sendable (Value) throws -> (title: Text, message: Text)

  init<P: Prompt>(_ prompt: P.Type, actions: [ActionDefinition]) {
    name = P.name
    crashName = CrashName(P.name)
    schema = SchemaDefinition(P.self)
    self.actions = actions
    texts = {
      let prompt = try $0.decode(P.self)
      return (prompt.title, prompt.message)
    }
  }

  init(_ prompt: DescribedPrompt, actions: [ActionDefinition]) {
    name = prompt.name
    crashName = CrashName(prompt.name)
    schema = SchemaDefinition(prompt.schema, of: prompt)
    self.actions = actions
    texts = prompt.texts
  }
}

/// An action of a registered app.
public final class ActionDefinition: Sendable {
  public let name: String
  public let title: Text
  public let role: ActionRole
  public let input: InputSchema
  /// The place in ``AppDefinition/actions``.
  public let index: Int
  let key: ActionKey
  let crashName: CrashName
  let fields: FieldDeclarations

  init<A: Action>(_ action: A.Type, index: Int, _ writer: TextWriter) {
    let declarations = FieldDeclarations(of: A())
    name = A.name
    crashName = CrashName(A.name)
    title = writer.written(A.title)
    role = A.role
    input = declarations.schema.written(by: writer)
    fields = declarations
    key = ActionKey(A.self)
    self.index = index
  }

  init(_ action: DescribedAction, index: Int, _ writer: TextWriter) {
    name = action.name
    crashName = CrashName(action.name)
    title = writer.written(action.title)
    role = action.role
    input = action.input.written(by: writer)
    fields = FieldDeclarations(schema: action.input)
    key = action.key
    self.index = index
  }
}

/// Tells two actions of one name apart: the screens of a flow may each have a `next` with an input of its own.
struct ActionKey: Hashable, Sendable {
  let name: String
  /// The identity of the Swift type or of the ``DescribedAction``.
  let type: ObjectIdentifier

  init(_ action: any Action.Type) {
    name = action.name
    type = ObjectIdentifier(action)
  }

  init(_ action: DescribedAction) {
    name = action.name
    type = ObjectIdentifier(action)
  }
}

/// A declared deep link.
public struct LinkDefinition: Sendable {
  public let pattern: LinkPattern
  /// The fields of the path and of the query.
  public let input: InputSchema
  let fields: FieldDeclarations
  /// Returns the steps for validated fields.
  let steps: @Sendable (Value) throws -> [Step]
  /// The steps for placeholders in place of fields. Only their names are meaningful.
  let sampleSteps: [Step]

  /// The names of the tabs and actions in the steps.
  public var stepNames: [String] {
    sampleSteps.map { step in
      switch step.kind {
      case .tab(let name): name
      case .action(let action, _): action.name
      }
    }
  }

  init<L: Link>(_ link: L.Type, _ writer: TextWriter) {
    let declarations = FieldDeclarations(of: L())
    pattern = LinkPattern(L.pattern)
    input = declarations.schema.written(by: writer)
    fields = declarations
    steps = { try $0.decode(L.self).steps }
    sampleSteps = L().steps
  }

  init(_ link: DescribedLink, _ writer: TextWriter) {
    pattern = LinkPattern(link.pattern)
    input = link.input.written(by: writer)
    fields = FieldDeclarations(schema: link.input)
    steps = link.steps
    sampleSteps = link.sampleSteps
  }
}

/// A path with placeholders, such as `/accounts/{accountId}`.
public struct LinkPattern: Sendable, Equatable {
  enum Segment: Sendable, Equatable {
    case literal(String)
    case field(String)
  }
  public let text: String
  let segments: [Segment]

  init(_ text: String) {
    self.text = text
    segments = text.split(separator: "/").map { part in
      part.hasPrefix("{") && part.hasSuffix("}") ? .field(String(part.dropFirst().dropLast())) : .literal(String(part))
    }
  }

  var fieldNames: [String] {
    segments.compactMap { if case .field(let name) = $0 { name } else { nil } }
  }

  /// Returns the texts of the placeholders in `path`, whose segments are decoded; nil if the pattern does not match.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == segments.count else { return nil }
    var fields: [String: String] = [:]
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard literal == text else { return nil }
      case .field(let name): fields[name] = text
      }
    }
    return fields
  }
}
