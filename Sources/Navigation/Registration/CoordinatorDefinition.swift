internal import Values

/// A declared coordinator: its name, and closures that return commands.
public final class CoordinatorDefinition: Sendable {
  public let name: String
  let crashName: CrashName
  let schema: SchemaDefinition
  let screens: [Declaration<ScreenDefinition>]
  let prompts: [Declaration<PromptDefinition>]
  let fills: [FillDefinition]
  let handlers: [HandlerDefinition]
  let children: [ChildDefinition]
  let guards: [GuardDefinition]
  let effects: [OutcomeDefinition]
  let detached: [DetachedDefinition]
  let timedEvents: [EventHandler<TimedEventDefinition>]
  let signals: [EventHandler<SignalDefinition>]
  /// Runs with the earlier version when a session moves to this version of the app. Only flows have it: the sessions of
  /// an app in Swift move when they are read.
  let carried: ValueReaction?
  let start: @Sendable (AppValue, SessionEnvironment) throws -> [Command]
  /// The type of the services that it uses, if the services of the app do not have it.
  let missingServices: String?

  /// - Parameter services: the services of the app.
  init<C: Coordinator>(_ coordinator: C.Type, services: any Sendable) {
    let wiring = C.wiring
    let services = BoundServices(services, as: C.Services.self)
    missingServices = services.isMissing ? "\(C.Services.self)" : nil
    name = C.name
    crashName = CrashName(C.name)
    schema = SchemaDefinition(C.self)
    screens = wiring.screens
    prompts = wiring.prompts
    fills = wiring.fills.map { $0(services) }
    handlers = wiring.handlers.map { $0(services) }
    children = wiring.children.map { $0(services) }
    guards = wiring.guards.map { $0(services) }
    effects = wiring.effects.map { $0(services) }
    detached = wiring.detached
    timedEvents = wiring.timedEvents.map { $0(services) }
    signals = wiring.signals.map { $0(services) }
    carried = nil
    start = { state, environment in
      var nav = Navigator<C>(try services.erasedContext(environment))
      try state.decode(C.self).start(&nav)
      return nav.commands
    }
  }

  init(_ coordinator: DescribedCoordinator) {
    let declarations = coordinator.declarations
    missingServices = nil
    name = coordinator.name
    crashName = CrashName(coordinator.name)
    schema = SchemaDefinition(coordinator.schema, of: coordinator)
    screens = declarations.screens.map { Declaration($0) }
    prompts = declarations.prompts.map { Declaration($0) }
    fills = declarations.fills.map { FillDefinition($0) }
    handlers = declarations.handlers.map { HandlerDefinition($0) }
    children = declarations.children.map { ChildDefinition($0) }
    guards = declarations.guards.map { GuardDefinition($0) }
    effects = declarations.outcomes.map { OutcomeDefinition($0) }
    detached = declarations.detached.map { DetachedDefinition($0) }
    timedEvents = declarations.timers.map { EventHandler(TimedEventDefinition($0.timer), $0.script) }
    signals = declarations.signals.map { EventHandler(SignalDefinition($0.signal), $0.script) }
    carried = declarations.carried.map { DescribedStep.reaction($0) }
    let react = DescribedStep.reaction(withoutValue: coordinator.start)
    // The commands of the start cannot depend on a change that nothing keeps.
    start = { state, environment in
      var state = state
      return try react(&state, environment)
    }
  }
}

/// Changes a coordinator, and returns its commands.
typealias Reaction = @Sendable (inout AppValue, SessionEnvironment) throws -> [Command]

/// Changes a coordinator for an encoded argument, and returns its commands.
typealias ValueReaction = @Sendable (inout AppValue, Value, SessionEnvironment) throws -> [Command]

extension DescribedStep {
  /// Returns a reaction that runs the script.
  static func reaction(_ script: @escaping DescribedScript) -> ValueReaction {
    { state, argument, environment in
      var step = DescribedStep(state: state.encoding, argument: argument, environment: environment)
      try script(&step)
      if step.hasChanged { state = AppValue(encoding: step.state) }
      return step.commands
    }
  }

  /// Returns a reaction without an argument that runs the script.
  static func reaction(withoutValue script: @escaping DescribedScript) -> Reaction {
    let react = reaction(script)
    return { try react(&$0, .null, $1) }
  }
}

extension Navigator {
  /// Runs a typed handler on a coordinator.
  static func run(
    _ state: inout AppValue, _ context: ErasedContext, _ handle: (inout Owner, inout Navigator<Owner>) -> Void
  ) throws -> [Command] {
    var owner = try state.decode(Owner.self)
    var nav = Navigator(context)
    let before = try state.keptEncoding(Owner.self)
    handle(&owner, &nav)
    guard try state.keptEncoding(Owner.self) == before else { throw SharedReference() }
    state = try state.changed(to: owner)
    return nav.commands
  }

  /// Runs a typed handler on a coordinator and an encoded argument.
  static func run<Argument: Decodable>(
    _ state: inout AppValue, with argument: Value, _ context: ErasedContext,
    _ handle: (inout Owner, Argument, inout Navigator<Owner>) -> Void
  ) throws -> [Command] {
    let argument = try argument.decode(Argument.self)
    return try run(&state, context) { owner, nav in handle(&owner, argument, &nav) }
  }
}

/// A handler has changed its coordinator through a reference, which a rejection of the step would not undo.
struct SharedReference: Error, CustomStringConvertible {
  var description: String {
    "The handler changed an object that its coordinator refers to. Store values, such as structs, in a coordinator."
  }
}

/// The handler of a coordinator for one action.
final class HandlerDefinition: Sendable {
  let key: ActionKey
  /// Returns the reason why the action is hidden or disabled now. The closure itself is nil for an action that is always
  /// enabled.
  let obstacle: (@Sendable (AppValue, SessionEnvironment) throws -> Unavailability?)?
  /// Takes the coordinator and the validated input.
  let handle: @Sendable (inout AppValue, Value, SessionEnvironment) throws -> [Command]

  init<Owner: Coordinator, A: Action>(
    _ services: BoundServices, obstacle: (@Sendable (Owner, Context<Owner>) -> Unavailability?)?,
    handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) {
    key = ActionKey(A.self)
    if let obstacle {
      self.obstacle = { obstacle(try $0.decode(Owner.self), try services.context($1)) }
    } else {
      self.obstacle = nil
    }
    self.handle = { try Navigator<Owner>.run(&$0, with: $1, try services.erasedContext($2), handle) }
  }

  init(_ handler: DescribedCoordinator.Handler) {
    key = handler.action.key
    if let obstacle = handler.obstacle {
      self.obstacle = { try obstacle($0.encoding, $1) }
    } else {
      obstacle = nil
    }
    handle = DescribedStep.reaction(handler.script)
  }
}

/// A child coordinator, and the handlers for its result and its cancellation.
final class ChildDefinition: Sendable {
  let name: String
  /// A closure, because flows may start each other in a circle.
  let define: @Sendable (_ services: any Sendable) -> CoordinatorDefinition
  let finished: @Sendable (inout AppValue, Value, SessionEnvironment) throws -> [Command]
  let cancelled: Reaction?

  init<Owner: Coordinator, Child: Coordinator>(
    _ services: BoundServices, _ child: Child.Type,
    finished: (@Sendable (inout Owner, Child.Result, inout Navigator<Owner>) -> Void)?,
    cancelled: (@Sendable (inout Owner, inout Navigator<Owner>) -> Void)?
  ) {
    name = Child.name
    define = { CoordinatorDefinition(Child.self, services: $0) }
    self.finished = { state, value, environment in
      guard let finished else { return [] }
      return try Navigator<Owner>.run(&state, with: value, try services.erasedContext(environment), finished)
    }
    if let cancelled {
      self.cancelled = { try Navigator<Owner>.run(&$0, try services.erasedContext($1), cancelled) }
    } else {
      self.cancelled = nil
    }
  }

  init(_ child: DescribedCoordinator.Child) {
    name = child.name
    define = { [name] services in
      guard let coordinators = services as? DescribedCoordinators else {
        preconditionFailure("The app of the coordinator \(name) is not a described one.")
      }
      return CoordinatorDefinition(coordinators[name])
    }
    finished = DescribedStep.reaction(child.finished ?? { _ in })
    cancelled = child.cancelled.map { DescribedStep.reaction(withoutValue: $0) }
  }
}

/// A guard: the protected coordinator or screen, its condition, and the reaction while the condition fails.
struct GuardDefinition: Sendable {
  enum Protected: Sendable {
    case coordinator(String)
    case screen(String)
  }
  let protected: Protected
  let passes: @Sendable (AppValue, SessionEnvironment) throws -> Bool
  let otherwise: Reaction

  init<Owner: Coordinator>(
    _ services: BoundServices, _ protected: Protected,
    passes: @escaping @Sendable (Owner, Context<Owner>) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) {
    self.protected = protected
    self.passes = { passes(try $0.decode(Owner.self), try services.context($1)) }
    self.otherwise = { try Navigator<Owner>.run(&$0, try services.erasedContext($1), otherwise) }
  }

  init(_ described: DescribedCoordinator.Guard) {
    protected =
      switch described.protected {
      case .coordinator(let name): .coordinator(name)
      case .screen(let name): .screen(name)
      }
    passes = { try described.passes($0.encoding, $1) }
    otherwise = DescribedStep.reaction(withoutValue: described.otherwise)
  }
}

// The declarations of a coordinator, by the indices of its app, for an outline of the app.
extension RegisteredCoordinator {
  /// The screens that it may put on a stack.
  public var shownScreens: [Int] { shows.indices }
  /// The prompts that it may ask.
  public var askedPrompts: [Int] { asks.indices }
  /// The coordinators that it may start.
  public var startedCoordinators: [Int] { children.indices }
  /// The actions that it handles, of its own screens or of its descendants'.
  public var handledActions: [Int] { handlers.indices }

  /// The screens that it protects until a condition holds.
  public var guardedScreens: [Int] {
    guards.compactMap { if case .screen(let index) = $0.protected { index } else { nil } }
  }

  /// The coordinators that it protects until a condition holds.
  public var guardedCoordinators: [Int] {
    guards.compactMap { if case .coordinator(let index) = $0.protected { index } else { nil } }
  }
}
