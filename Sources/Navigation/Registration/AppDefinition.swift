internal import Languages
package import Values

/// A registered app. Its declarations have indices, by which they are found, and no wiring faults.
public final class AppDefinition: Sendable {
  public let name: String
  public let title: Text
  public let summary: Text?
  /// The URL of the app's picture.
  public let image: String?
  public let version: Int
  /// The name of the time zone of sessions whose client names none; nil for UTC.
  public let timeZone: String?
  /// The lifetime of sessions; nil for a fixed one, which the operator and clients choose.
  public let life: SessionLife?
  /// Whether the app asks for a longer life than the operator allows.
  package let hasLimitedLife: Bool
  /// The identity of the files that define the app; nil for an app in Swift.
  public let digest: DefinitionDigest?
  /// The older versions whose sessions move to this definition.
  package let carriesFrom: Set<Int>
  /// The input for the creation of a session.
  public let input: InputSchema
  public let limits: Limits
  /// The root coordinator is first.
  public let coordinators: [RegisteredCoordinator]
  public let screens: [ScreenDefinition]
  public let prompts: [PromptDefinition]
  public let actions: [ActionDefinition]
  public let effects: [EffectDefinition]
  let timedEvents: [SchemaDefinition]
  public let signals: [SignalDefinition]
  /// In the order in which they are tried.
  public let links: [LinkDefinition]

  let crashName: CrashName
  let coordinatorIndex: [String: Int]
  let screenIndex: [String: Int]
  let promptIndex: [String: Int]
  let effectIndex: [String: Int]
  let timedEventIndex: [String: Int]
  let signalIndex: [String: Int]
  /// The migrations from older versions of the app.
  let migrations: [RegisteredMigration]
  /// The names of all actions, including the answers to a leave question.
  public let actionNames: Set<String>
  /// All fields that actions of one name declare, by that name.
  let inputs: [String: InputSchema]
  /// The secret and sensitive fields of actions, links and the app's input.
  package let hiddenFields: [FieldSchema]
  package let hasGuards: Bool
  /// Whether an effect makes resume addresses, for which a session keeps its sealed ID.
  package let givesResumeAddresses: Bool
  /// Whether an outcome may refuse the form behind its effect.
  package let hasRefusals: Bool
  /// By the index of the screen: whether any coordinator fills in its data.
  let isBound: [Bool]
  /// By the index of the screen: whether its title is made from its values.
  let hasMadeTitle: [Bool]
  /// Whether any screen has a property that an effect loads.
  let hasLoads: Bool
  /// Whether the code of the app consists of expressions, whose cost in one view is limited.
  let hasExpressions: Bool
  let makeRoot: @Sendable (Value) throws -> AppValue
  /// The declared titles of tabs by the names of their root coordinators. A session of another version has them instead
  /// of its own, whose keys may no longer exist.
  let tabTitles: [String: Text]
  /// The number of parts of all schemas of a flow, each with the types to which it leads.
  package let schemaPartCount: Int
  /// The labels for views. The module that writes views encodes them at its first view, and keeps them here.
  package let encodedLabels = LazyReference<AppLabels>()
  /// Writes texts in the language of the definition, which is the fallback language of its catalogue unless the
  /// definition is one of ``localizations``.
  let writer: TextWriter
  /// The same app in each language of its catalogue; empty for an app without, and for the localizations themselves.
  let localizations: [AppDefinition]
  /// Whether clients can choose between languages.
  package let hasSeveralLanguages: Bool

  /// Returns all fields that the actions of this name declare.
  public func input(of action: String) -> InputSchema { inputs[action] ?? InputSchema(fields: []) }

  /// The limits of the growth and the life of a session.
  public struct Limits: Sendable {
    /// Entries on one stack; at least 1.
    public var depth: Int
    /// The maximum lifetime from the creation for apps that declare one (`--max-session-life`).
    public var life: Duration

    public init(depth: Int = 256, life: Duration = .seconds(31_536_000)) { (self.depth, self.life) = (depth, life) }

    /// The most stacks that may nest. Reading a session recurses as deep, so the bound applies to its bytes too.
    var nesting: Int { depth + 16 }
  }

  /// Registers an app.
  ///
  /// - Parameter digest: the identity of the files that the app was compiled from; nil for an app in Swift.
  /// - Throws: every wiring fault with its location.
  public convenience init(
    _ app: App, limits: Limits = Limits(), digest: DefinitionDigest? = nil
  ) throws(WiringFaults) {
    var registration = Registration(of: app)
    registration.check()
    guard registration.faults.isEmpty else { throw WiringFaults(app: app.name, faults: registration.faults) }
    let localizations = (app.catalogue?.languageTexts() ?? []).map { Registration(of: app, .texts($0)) }
    // The fallback language is one of the languages, or the catalogue has a fault.
    let fallback = localizations.first { $0.writer.language?.language == app.catalogue?.fallback } ?? registration
    self.init(fallback, limits, digest, localizations.map { AppDefinition($0, limits, digest) })
  }

  /// - Precondition: the registration has no faults.
  private init(
    _ registration: Registration, _ limits: Limits, _ digest: DefinitionDigest?,
    _ localizations: [AppDefinition] = []
  ) {
    let app = registration.app
    writer = registration.writer
    self.localizations = localizations
    hasSeveralLanguages = app.catalogue.map { $0.languages.count > 1 } ?? false
    name = app.name
    crashName = CrashName(app.name)
    title = writer.written(app.title)
    summary = app.summary.map { registration.writer.written($0) }
    image = app.image
    version = app.version
    timeZone = app.timeZoneName
    life = app.declaredLife.map { SessionLife($0, maximum: limits.life) }
    hasLimitedLife = app.declaredLife.map { max($0.idle ?? .zero, $0.most ?? .zero) > limits.life } ?? false
    self.digest = digest
    carriesFrom = app.carriesFrom
    input = app.inputFields.schema.written(by: writer)
    hasExpressions = app.hasExpressions
    makeRoot = app.makeRoot
    tabTitles = app.tabTitles
    schemaPartCount = app.schemaPartCount
    self.limits = limits
    let coordinators = registration.coordinators.map { RegisteredCoordinator($0, in: registration) }
    self.coordinators = coordinators
    screens = registration.screens.items
    prompts = registration.prompts.items
    actions = registration.actions
    links = registration.links
    effects = registration.effects.items
    timedEvents = registration.timedEvents.items
    signals = registration.signals.items
    coordinatorIndex = registration.coordinators.indexByName
    screenIndex = registration.screens.indexByName
    promptIndex = registration.prompts.indexByName
    effectIndex = registration.effects.indexByName
    timedEventIndex = registration.timedEvents.indexByName
    signalIndex = registration.signals.indexByName
    migrations = registration.registeredMigrations()
    actionNames = Set(registration.actions.map(\.name))
      .union(ServiceAnswer.allCases.map(\.rawValue) + [JourneyDefinition.takingName])
    hasMadeTitle = registration.screens.map { $0.fixedTitle == nil }
    let bound = Set(registration.coordinators.flatMap(\.bindings).map(\.screen))
    isBound = registration.screens.map { bound.contains($0.name) }
    inputs = Dictionary(actions.map { ($0.name, $0.input) }) { $0.adding($1) }
    let schemas = actions.map(\.input) + links.map(\.input) + [input]
    hiddenFields = schemas.flatMap(\.fields).filter(\.isHidden)
    hasLoads = registration.screens.contains { !$0.loads.isEmpty }
    hasGuards = registration.coordinators.contains { !$0.guards.isEmpty }
    givesResumeAddresses = app.givesResumeAddresses || effects.contains(where: \.givesResumeAddresses)
    hasRefusals = coordinators.contains(where: \.mayRefuse)
  }

  /// Returns the intent without the members of its input that no action of its name declares: they have no effect, and
  /// are not stored. A journey refuses such an answer.
  public func declared(_ intent: Intent) -> Intent {
    guard case .action(let name, let input) = intent, input.kind == .map, input.count > 0,
      name != JourneyDefinition.takingName
    else { return intent }
    return .action(name: name, input: self.input(of: name).declared(of: input))
  }
}

/// The names, titles and schemas of an app in the encoding of the views, encoded once for all of them.
///
/// The labels lie with the app, so that a view finds them without a lookup. For this module, the labels are mere bytes.
package final class AppLabels: Sendable {
  /// By the index of the action: the name, the title and the role; and the schema of the input.
  package let actions: [(label: [UInt8], schema: [UInt8])]
  /// By the index of the screen: the name and the title; nil if the title is made from the values of the screen.
  package let screens: [[UInt8]?]

  package init(actions: [(label: [UInt8], schema: [UInt8])], screens: [[UInt8]?]) {
    self.actions = actions
    self.screens = screens
  }
}

/// A coordinator of a registered app, with tables by the indices of actions, screens, prompts and coordinators.
public final class RegisteredCoordinator: Sendable {
  public let definition: CoordinatorDefinition
  /// By the index of the action.
  let handlers: IndexTable<HandlerDefinition>
  /// By the index of the screen.
  let bindings: IndexTable<BindingDefinition>
  /// By the index of the screen: whether the coordinator may put it on a stack.
  let shows: IndexTable<ScreenDefinition>
  /// By the index of the prompt: whether the coordinator may ask it.
  let asks: IndexTable<PromptDefinition>
  /// By the index of the coordinator that is started.
  let children: IndexTable<ChildDefinition>
  let guards: [RegisteredGuard]
  /// By the index of the effect.
  let outcomes: IndexTable<OutcomeDefinition>
  /// By the index of the effect: whether the coordinator may request it without an outcome.
  let detached: IndexTable<EffectReference>
  /// By the index of the timed event.
  let timedEvents: IndexTable<EventHandler<SchemaDefinition>>
  /// By the index of the signal.
  let signals: IndexTable<EventHandler<SignalDefinition>>
  /// Whether an outcome of the coordinator may refuse the form behind its effect.
  let mayRefuse: Bool

  /// - Precondition: the registration has no faults.
  init(_ definition: CoordinatorDefinition, in app: Registration) {
    self.definition = definition
    handlers = IndexTable(app.actions.count, definition.handlers) { app.actionIndex[$0.key] }
    bindings = IndexTable(app.screens, definition.bindings, name: \.screen)
    shows = IndexTable(app.screens, definition.screens, name: \.name)
    asks = IndexTable(app.prompts, definition.prompts, name: \.name)
    children = IndexTable(app.coordinators, definition.children, name: \.name)
    outcomes = IndexTable(app.effects, definition.outcomes, name: \.effect.name)
    detached = IndexTable(app.effects, definition.detached, name: \.name)
    timedEvents = IndexTable(app.timedEvents, definition.timedEvents, name: \.definition.name)
    signals = IndexTable(app.signals, definition.signals, name: \.definition.name)
    mayRefuse = definition.outcomes.contains(where: \.mayRefuse)
    guards = definition.guards.compactMap { definition in
      let protected: DeclaredName? =
        switch definition.protected {
        case .coordinator(let name):
          app.coordinators.indexByName[name].map { DeclaredName(kind: .coordinator, index: $0) }
        case .screen(let name): app.screens.indexByName[name].map { DeclaredName(kind: .screen, index: $0) }
        }
      return protected.map { RegisteredGuard(definition: definition, protectedName: $0) }
    }
  }

  // MARK: The declarations by the indices of the app, for an outline of it

  /// The screens that it may put on a stack.
  public var shownScreens: [Int] { shows.indices }
  /// The prompts that it may ask.
  public var askedPrompts: [Int] { asks.indices }
  /// The coordinators that it may start.
  public var startedCoordinators: [Int] { children.indices }
  /// The actions that it handles, of its own screens or of its descendants'.
  public var handledActions: [Int] { handlers.indices }

  /// The screens that it protects until a condition holds.
  public var guardedScreens: [Int] { guards.map(\.protectedName).filter { $0.kind == .screen }.map(\.index) }

  /// The coordinators that it protects until a condition holds.
  public var guardedCoordinators: [Int] { guards.map(\.protectedName).filter { $0.kind == .coordinator }.map(\.index) }
}

struct RegisteredGuard: Sendable {
  let definition: GuardDefinition
  /// The protected coordinator or screen.
  let protectedName: DeclaredName
}
