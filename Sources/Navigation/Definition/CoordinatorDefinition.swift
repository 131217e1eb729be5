internal import Values

/// A coordinator as the app knows it: found by its declared name, run through closures from encoded values to commands.
/// A coordinator whose flow is data rather than Swift is one of these too.
public final class CoordinatorDefinition: Sendable {
  public let name: String
  let schema: SchemaDefinition
  let screens: [ScreenDeclaration]
  let prompts: [PromptDeclaration]
  let fills: [FillDefinition]
  let handlers: [HandlerDefinition]
  let children: [ChildDefinition]
  let guards: [GuardDefinition]
  let start: @Sendable (Value) throws -> [Command]
  let type: ObjectIdentifier

  init<C: Coordinator>(_ coordinator: C.Type) {
    let wiring = C.wiring
    name = C.name
    schema = SchemaDefinition(C.self)
    screens = wiring.screens
    prompts = wiring.prompts
    fills = wiring.fills
    handlers = wiring.handlers
    children = wiring.children
    guards = wiring.guards
    type = ObjectIdentifier(C.self)
    start = { state in
      var nav = Navigator<C>()
      try state.decode(C.self).start(&nav)
      return nav.commands
    }
  }
}

/// Changes an encoded coordinator and says what it asks for.
typealias Reaction = @Sendable (inout Value) throws -> [Command]

extension Navigator {
  /// Runs a typed handler on an encoded coordinator.
  fileprivate static func run(
    _ state: inout Value, _ handle: (inout Owner, inout Navigator<Owner>) -> Void
  ) throws -> [Command] {
    var owner = try state.decode(Owner.self)
    var nav = Navigator()
    handle(&owner, &nav)
    state = try Value(encoding: owner)
    return nav.commands
  }

  /// Runs a typed handler on an encoded coordinator and an encoded argument.
  fileprivate static func run<Argument: Decodable>(
    _ state: inout Value, with argument: Value, _ handle: (inout Owner, Argument, inout Navigator<Owner>) -> Void
  ) throws -> [Command] {
    let argument = try argument.decode(Argument.self)
    return try run(&state) { owner, nav in handle(&owner, argument, &nav) }
  }
}

/// How a coordinator handles one action.
final class HandlerDefinition: Sendable {
  let key: ActionKey
  /// Why the action cannot be done now; the closure itself is nil where it always can.
  let disabled: (@Sendable (Value) throws -> Text?)?
  /// From the encoded coordinator and the checked input.
  let handle: @Sendable (inout Value, Value) throws -> [Command]

  init<Owner: Coordinator, A: Action>(
    disabled: (@Sendable (Owner) -> Text?)?,
    handle: @escaping @Sendable (inout Owner, A, inout Navigator<Owner>) -> Void
  ) {
    key = ActionKey(A.self)
    if let disabled {
      self.disabled = { disabled(try $0.decode(Owner.self)) }
    } else {
      self.disabled = nil
    }
    self.handle = { state, input in try Navigator<Owner>.run(&state, with: input, handle) }
  }
}

/// A child that a coordinator starts, and what it does at the child's end.
final class ChildDefinition: Sendable {
  let name: String
  /// Made late: flows may start each other in a circle.
  let define: @Sendable () -> CoordinatorDefinition
  let finished: @Sendable (inout Value, Value) throws -> [Command]
  let cancelled: Reaction?

  init<Owner: Coordinator, Child: Coordinator>(
    _ child: Child.Type, finished: (@Sendable (inout Owner, Child.Result, inout Navigator<Owner>) -> Void)?,
    cancelled: (@Sendable (inout Owner, inout Navigator<Owner>) -> Void)?
  ) {
    name = Child.name
    define = { CoordinatorDefinition(Child.self) }
    self.finished = { state, value in
      guard let finished else { return [] }
      return try Navigator<Owner>.run(&state, with: value, finished)
    }
    if let cancelled {
      self.cancelled = { try Navigator<Owner>.run(&$0, cancelled) }
    } else {
      self.cancelled = nil
    }
  }
}

/// What a coordinator protects.
struct GuardDefinition: Sendable {
  enum Protected: Sendable {
    case coordinator(String)
    case screen(String)
  }
  let protected: Protected
  let passes: @Sendable (Value) throws -> Bool
  let otherwise: Reaction

  init<Owner: Coordinator>(
    _ protected: Protected, passes: @escaping @Sendable (Owner) -> Bool,
    otherwise: @escaping @Sendable (inout Owner, inout Navigator<Owner>) -> Void
  ) {
    self.protected = protected
    self.passes = { passes(try $0.decode(Owner.self)) }
    self.otherwise = { try Navigator<Owner>.run(&$0, otherwise) }
  }
}
