package import Values

/// A declared coordinator: its name, and closures that return commands.
public struct CoordinatorDefinition: Declaration, Sendable {
  public var name: String { schema.name }
  let schema: SchemaDefinition
  private(set) var start: Reaction
  package var screens: [ScreenDefinition] = []
  package var prompts: [PromptDefinition] = []
  package var bindings: [BindingDefinition] = []
  package var handlers: [HandlerDefinition] = []
  package var children: [ChildDefinition] = []
  package var guards: [GuardDefinition] = []
  package var outcomes: [OutcomeDefinition] = []
  /// The effects that it requests without an outcome.
  package var detached: [EffectReference] = []
  package var timedEvents: [EventHandler<SchemaDefinition>] = []
  package var signals: [EventHandler<SignalDefinition>] = []
  /// Runs with the earlier version when a session moves to this version of the app. Only flows have it: the sessions of
  /// an app in Swift move when they are read.
  package var carried: ValueReaction?
  /// The faults of its journey, with the names of the pages and questions.
  var journeyFaults: [WiringFaults.Fault] = []
  /// The type of the services that it uses, if the services of the app do not have it.
  var missingServices: String?

  package init(_ schema: SchemaDefinition, start: @escaping Reaction) {
    (self.schema, self.start) = (schema, start)
  }

  /// Returns the coordinator with another start.
  func starting(_ start: @escaping Reaction) -> CoordinatorDefinition { copy(of: self) { $0.start = start } }
}

/// Changes a coordinator, and returns its commands.
package typealias Reaction = @Sendable (inout AppValue, SessionEnvironment) throws -> [Command]

/// Changes a coordinator for an encoded argument, and returns its commands.
package typealias ValueReaction = @Sendable (inout AppValue, Value, SessionEnvironment) throws -> [Command]

/// The handler of a coordinator for one action.
package final class HandlerDefinition: Sendable {
  package typealias Obstacle = @Sendable (AppValue, SessionEnvironment) throws -> Unavailability?

  let key: ActionKey
  /// Returns the reason why the action is hidden or disabled now. The closure itself is nil for an action that is always
  /// enabled.
  let obstacle: Obstacle?
  /// Whether the handler reads the screen whose action it handles, and handles no action without one.
  let readsScreen: Bool
  /// Takes the validated input.
  let handle: ValueReaction

  package init(
    _ key: ActionKey, obstacle: Obstacle?, readsScreen: Bool = false, handle: @escaping ValueReaction
  ) {
    (self.key, self.obstacle, self.readsScreen, self.handle) = (key, obstacle, readsScreen, handle)
  }
}

/// A child coordinator, and the handlers for its result and its cancellation.
package final class ChildDefinition: Sendable {
  let name: String
  /// Returns the definition of a Swift type; nil for a coordinator of ``App/coordinators``. Coordinators may start each
  /// other in a circle.
  let define: (@Sendable (_ services: any Sendable) -> CoordinatorDefinition)?
  /// Takes the result.
  let finished: ValueReaction?
  let cancelled: Reaction?

  package init(
    _ name: String, define: (@Sendable (_ services: any Sendable) -> CoordinatorDefinition)? = nil,
    finished: ValueReaction?, cancelled: Reaction?
  ) {
    (self.name, self.define, self.finished, self.cancelled) = (name, define, finished, cancelled)
  }
}

/// A guard: the protected coordinator or screen, its condition, and the reaction while the condition fails.
package struct GuardDefinition: Sendable {
  package enum Protected: Sendable {
    case coordinator(String)
    case screen(String)
  }
  let protected: Protected
  let passes: @Sendable (AppValue, SessionEnvironment) throws -> Bool
  let otherwise: Reaction

  package init(
    _ protected: Protected, passes: @escaping @Sendable (AppValue, SessionEnvironment) throws -> Bool,
    otherwise: @escaping Reaction
  ) {
    (self.protected, self.passes, self.otherwise) = (protected, passes, otherwise)
  }
}
