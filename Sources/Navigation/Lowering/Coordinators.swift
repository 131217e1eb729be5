internal import Values

extension CoordinatorDefinition {
  /// - Parameter services: the services of the app.
  init<C: Coordinator>(_ coordinator: C.Type, services: any Sendable) {
    let services = BoundServices(services, as: C.Services.self)
    let wiring = C.wiring
    let questions = wiring.journeys.flatMap { $0.journey.pages }.flatMap { $0.questions }.map { $0.name }
    self.init(SchemaDefinition(C.self, questions: questions)) { state, environment in
      var nav = Navigator<C>(ErasedContext(bound: services, environment: environment))
      try state.decode(C.self).start(&nav)
      return nav.commands
    }
    missingServices = services.missing
    for declare in wiring.declarations { declare(&self, services) }
    for (journey, done) in wiring.journeys { journey.add(to: &self, done: Navigator<C>.reaction(services, done)) }
  }
}

extension HandlerDefinition {
  convenience init<Owner: Coordinator, A: Action>(
    _ services: BoundServices, obstacle: (@Sendable (Owner, Context<Owner>) -> Unavailability?)?,
    handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) {
    var lowered: Obstacle?
    if let obstacle { lowered = { obstacle(try $0.decode(Owner.self), services.context($1)) } }
    self.init(ActionKey(A.self), obstacle: lowered, handle: Navigator.reaction(services, handle))
  }
}

extension Navigator {
  /// Lowers a handler.
  static func reaction(
    _ services: BoundServices, _ handle: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) -> Reaction {
    { try run(&$0, ErasedContext(bound: services, environment: $1), handle) }
  }

  /// Lowers a handler with an argument.
  static func reaction<Argument: Decodable & SendableMetatype>(
    _ services: BoundServices, _ handle: @escaping @Sendable (inout Owner, Argument, inout Navigator<Owner>) -> Void
  ) -> ValueReaction {
    { state, argument, environment in
      let argument = try argument.decode(Argument.self)
      return try run(&state, ErasedContext(bound: services, environment: environment)) { owner, nav in
        handle(&owner, argument, &nav)
      }
    }
  }

  /// Runs a handler on a coordinator.
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
}

/// A handler has changed its coordinator through a reference, which a rejection of the step would not undo.
struct SharedReference: Error, CustomStringConvertible {
  var description: String {
    "The handler changed an object that its coordinator refers to. Store values, such as structs, in a coordinator."
  }
}
