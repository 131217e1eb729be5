package import Values

/// An app whose declarations are values and not Swift types, such as an app from a file.
///
/// The registration treats it as an app in Swift: it has the same definitions, and the same rules apply to them. Each
/// described declaration is an object, whose identity stands for that of a Swift type: a screen that two coordinators
/// show is one object, and two declarations of one name are a wiring fault.
package struct DescribedApp: Sendable {
  package let name: String
  package var title: Text
  package var summary: Text?
  package var image: String?
  package var version = 1
  package var links: [DescribedLink] = []
  /// The titles of tabs by the names of their root coordinators, as far as they do not depend on values.
  package var tabTitles: [String: Text] = [:]
  /// The number of parts of all schemas, each with the types to which it leads.
  package var schemaPartCount = 0
  /// The input of a session.
  package var input = InputSchema(fields: [])
  /// All coordinators. They start each other by their names.
  package let coordinators: [DescribedCoordinator]
  /// Returns the encoded state of the root coordinator for a validated input.
  package let rootState: @Sendable (Value) throws -> Value

  /// - Parameter coordinators: the root coordinator first.
  package init(
    name: String, title: Text, coordinators: [DescribedCoordinator],
    rootState: @escaping @Sendable (Value) throws -> Value
  ) {
    (self.name, self.title, self.coordinators, self.rootState) = (name, title, coordinators, rootState)
  }
}

/// The coordinators of an app by their names.
///
/// They stand in the place of the services of an app in Swift. A coordinator therefore refers to its children by name:
/// flows may start each other in a circle, and references in a circle would never be released.
struct DescribedCoordinators: Sendable {
  private let byName: [String: DescribedCoordinator]

  init(_ coordinators: [DescribedCoordinator]) {
    byName = Dictionary(coordinators.map { ($0.name, $0) }) { first, _ in first }
  }

  /// - Precondition: the app declares the coordinator. The module that describes an app checks that.
  subscript(name: String) -> DescribedCoordinator {
    guard let coordinator = byName[name] else { preconditionFailure("The app has no coordinator \(name).") }
    return coordinator
  }
}

/// The stored form of a declaration: its name, and the adaptation of the values of other versions.
package struct StoredSchema: Sendable {
  package let name: String
  /// Returns an encoded value of another version of the app as one of the declaration. Throws if it cannot be.
  package let adapt: @Sendable (Value) throws -> Value

  package init(name: String, adapt: @escaping @Sendable (Value) throws -> Value) {
    (self.name, self.adapt) = (name, adapt)
  }
}

/// The error of a link from whose fields no step can be made: the sender of the link is at fault, and not the app.
package struct UnusableLink: Error {
  package init() {}
}

/// A deep link.
package struct DescribedLink: Sendable {
  /// A path such as `/inbox/{messageId}`.
  package let pattern: String
  package let input: InputSchema
  /// Returns the steps for validated fields.
  package let steps: @Sendable (Value) throws -> [Step]
  /// The steps without their inputs.
  package let sampleSteps: [Step]

  package init(
    pattern: String, input: InputSchema, sampleSteps: [Step], steps: @escaping @Sendable (Value) throws -> [Step]
  ) {
    (self.pattern, self.input, self.sampleSteps, self.steps) = (pattern, input, sampleSteps, steps)
  }
}

/// An action of screens or prompts.
package final class DescribedAction: Sendable {
  package let name: String
  package let title: Text
  package let role: ActionRole
  package let input: InputSchema

  var key: ActionKey { ActionKey(self) }

  package init(name: String, title: Text, role: ActionRole, input: InputSchema) {
    (self.name, self.title, self.role, self.input) = (name, title, role, input)
  }
}

/// An alert or a confirmation.
package final class DescribedPrompt: Sendable {
  package let name: String
  package let schema: StoredSchema
  package let actions: [DescribedAction]
  let texts: @Sendable (Value) throws -> (title: Text, message: Text)

  /// - Parameter texts: returns the texts for an encoded prompt.
  package init(
    name: String, schema: StoredSchema, actions: [DescribedAction],
    texts: @escaping @Sendable (Value) throws -> (title: Text, message: Text)
  ) {
    (self.name, self.schema, self.actions, self.texts) = (name, schema, actions, texts)
  }
}

/// An event that coordinators schedule.
package final class DescribedTimer: Sendable {
  package let name: String
  package let schema: StoredSchema

  package init(name: String, schema: StoredSchema) { (self.name, self.schema) = (name, schema) }
}

/// A signal that coordinators wait for.
package final class DescribedSignal: Sendable {
  package let name: String
  /// The sender whose signature is required; nil for none.
  package let sender: String?
  package let input: InputSchema

  package init(name: String, sender: String?, input: InputSchema) {
    (self.name, self.sender, self.input) = (name, sender, input)
  }
}

/// Work outside of the session, such as a call to a backend.
package final class DescribedEffect: Sendable {
  package let name: String
  package let schema: StoredSchema
  package let policy: EffectPolicy
  package let httpServices: [String]
  /// The age up to which the output of a run serves other sessions; nil if sessions do not share outputs.
  package let maximumAge: Duration?
  /// Returns the failure that an output is; nil for a valid one.
  let failure: @Sendable (Value) -> EffectFailure?
  let run: @Sendable (Value, EffectAttempt) async throws -> Value

  /// - Parameters:
  ///   - failure: returns the failure that an output is; nil for a valid one.
  ///   - run: performs one attempt with the encoded effect, and returns the encoded output.
  package init(
    name: String, schema: StoredSchema, policy: EffectPolicy, httpServices: [String], maximumAge: Duration?,
    failure: @escaping @Sendable (Value) -> EffectFailure?,
    run: @escaping @Sendable (Value, EffectAttempt) async throws -> Value
  ) {
    (self.name, self.schema, self.policy) = (name, schema, policy)
    (self.httpServices, self.maximumAge, self.failure, self.run) = (httpServices, maximumAge, failure, run)
  }
}
