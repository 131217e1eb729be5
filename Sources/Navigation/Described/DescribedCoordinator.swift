package import Values

/// A coordinator: its declarations, and scripts that give its commands.
package final class DescribedCoordinator: Sendable {
  package typealias Condition = @Sendable (_ state: Value, SessionEnvironment) throws -> Bool

  /// Data of the coordinator for a screen.
  package struct Fill: Sendable {
    let screen: String
    let values: @Sendable (_ state: Value, _ data: Value, SessionEnvironment) throws -> Value

    /// - Parameter values: returns the data of the screen with the properties that the coordinator knows.
    package init(
      screen: String, values: @escaping @Sendable (_ state: Value, _ data: Value, SessionEnvironment) throws -> Value
    ) {
      (self.screen, self.values) = (screen, values)
    }
  }

  package struct Handler: Sendable {
    let action: DescribedAction
    let obstacle: (@Sendable (_ state: Value, SessionEnvironment) throws -> Unavailability?)?
    let script: DescribedScript

    /// - Parameter obstacle: returns the reason why the action is hidden or disabled; nil if it never is.
    package init(
      action: DescribedAction,
      obstacle: (@Sendable (_ state: Value, SessionEnvironment) throws -> Unavailability?)?,
      script: @escaping DescribedScript
    ) {
      (self.action, self.obstacle, self.script) = (action, obstacle, script)
    }
  }

  package struct Child: Sendable {
    let name: String
    let finished: DescribedScript?
    let cancelled: DescribedScript?

    /// - Parameter finished: a script whose argument is the result of the child.
    package init(name: String, finished: DescribedScript?, cancelled: DescribedScript?) {
      (self.name, self.finished, self.cancelled) = (name, finished, cancelled)
    }
  }

  package enum Protected: Sendable {
    case coordinator(String)
    case screen(String)
  }

  package struct Guard: Sendable {
    let protected: Protected
    let passes: Condition
    let otherwise: DescribedScript

    package init(_ protected: Protected, passes: @escaping Condition, otherwise: @escaping DescribedScript) {
      (self.protected, self.passes, self.otherwise) = (protected, passes, otherwise)
    }
  }

  package struct Outcome: Sendable {
    let effect: DescribedEffect
    let done: DescribedScript
    let failed: DescribedScript

    /// - Parameters:
    ///   - done: its argument is the output.
    ///   - failed: its argument is the encoded ``EffectFailure``.
    package init(_ effect: DescribedEffect, done: @escaping DescribedScript, failed: @escaping DescribedScript) {
      (self.effect, self.done, self.failed) = (effect, done, failed)
    }
  }

  package let name: String
  package let schema: StoredSchema
  package let start: DescribedScript
  package var screens: [DescribedScreen] { declarations.screens }
  let declarations: Declarations

  /// The declarations that most coordinators lack some of.
  package struct Declarations: Sendable {
    package var screens: [DescribedScreen] = []
    package var prompts: [DescribedPrompt] = []
    package var fills: [Fill] = []
    package var handlers: [Handler] = []
    package var children: [Child] = []
    package var guards: [Guard] = []
    package var outcomes: [Outcome] = []
    package var detached: [DescribedEffect] = []
    package var timers: [(timer: DescribedTimer, script: DescribedScript)] = []
    package var signals: [(signal: DescribedSignal, script: DescribedScript)] = []
    /// Runs when a session moves to this version. Its argument is the version that the session comes from.
    package var carried: DescribedScript?

    package init() {}
  }

  package init(name: String, schema: StoredSchema, start: @escaping DescribedScript, _ declarations: Declarations) {
    (self.name, self.schema, self.start, self.declarations) = (name, schema, start, declarations)
  }
}
