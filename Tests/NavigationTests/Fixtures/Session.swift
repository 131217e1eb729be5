import Navigation
import Testing
import Values

/// A session of a registered app, without a store.
struct Session {
  let app: AppDefinition
  private(set) var packed: [UInt8]

  init(
    _ app: App = Lab.app, input: Value = .emptyObject, link: String? = nil, limits: AppDefinition.Limits = .init()
  ) throws {
    self.app = try AppDefinition(app, limits: limits)
    packed = try self.app.begin(input: input, link: link).packed
  }

  /// Continues a session that another build of the app has packed.
  init(_ app: App, migrating packed: [UInt8]) throws {
    self.app = try AppDefinition(app)
    self.packed = packed
  }

  var state: SessionState { get throws { try app.unpack(packed) } }
  var view: VisibleScreen { get throws { try app.view(of: state) } }

  /// The visible stack by its titles, bottom first.
  var titles: [String] {
    get throws {
      let state = try state
      return try view.stack.map { try app.title(of: $0, in: state).string }
    }
  }

  /// The live coordinators by their names, in the order of their creation.
  var coordinators: [String] { get throws { try state.nodes.map { app.coordinators[$0.coordinator].definition.name } } }

  /// The results and cancellations that the root coordinator of the lab has received.
  var received: [String] {
    get throws { try state.nodes[0].state.encoding["received"]?.elements.compactMap(\.text) ?? [] }
  }

  mutating func perform(_ intent: Intent) throws { packed = try app.perform(intent, on: packed).packed }

  mutating func act(_ name: String, _ input: Value = .emptyObject) throws {
    try perform(.action(name: name, input: input))
  }

  /// Makes the coordinator of the lab give a command.
  mutating func verb(_ verb: String, _ label: String = "x") throws {
    try act("do", .object([("verb", Value(verb)), ("label", Value(label))]))
  }

  /// Makes the coordinator of the visible screen of the nest give a command.
  mutating func grow(_ verb: String, _ policy: String = "free") throws {
    try act("grow", ["verb": Value(verb), "policy": Value(policy)])
  }

  /// Expects that an intent is rejected, and that nothing changes.
  mutating func expectRejected(
    _ expected: Rejection? = nil, _ location: SourceLocation = #_sourceLocation,
    _ attempt: (inout Session) throws -> Void
  ) {
    let before = packed
    do {
      try attempt(&self)
      Issue.record("It was accepted.", sourceLocation: location)
    } catch let rejection as Rejection {
      guard let expected else { return }
      if case .fault(let fault) = rejection, case .fault(let cause) = expected, cause.cause == cause {
        #expect(fault.cause == cause, sourceLocation: location)
      } else {
        #expect(rejection == expected, sourceLocation: location)
      }
    } catch {
      Issue.record(error, sourceLocation: location)
    }
    #expect(packed == before, sourceLocation: location)
  }
}
