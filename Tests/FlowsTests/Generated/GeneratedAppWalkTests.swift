import Flows
import TestSupport
import Testing
import Values

@testable import Navigation

/// Properties of random walks through generated flows:
///
/// - no step is a fault of the app,
/// - an intent that guards have stopped ends where it would have ended without guards, once the person has passed them,
/// - something leads on from every state.
@Suite struct GeneratedAppWalkTests {
  private static let stepsPerFlow = 400

  @Test(arguments: 0..<max(1, RandomWalks.steps / stepsPerFlow))
  func `intents reach their ends behind all guards of a generated flow`(number: Int) throws {
    let seed = RandomWalks.seed &+ UInt64(number)
    var walk = try GeneratedWalk(seed: seed)
    do {
      try walk.run(Self.stepsPerFlow)
    } catch {
      let trace = walk.trace.joined(separator: "\n")
      Issue.record("WALK_SEED=\(seed) WALK_STEPS=1: \(error)\n\(trace)\n\(walk.text)")
    }
  }
}

/// A random walk through one generated flow.
private struct GeneratedWalk {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private let guarded: AppDefinition
  private let unguarded: AppDefinition
  private var random: Seeded
  /// The flow, and the intents of the session under way.
  let text: String
  private(set) var trace: [String] = []
  /// A session of more steps would take long to shrink.
  private static let length = 40

  init(seed: UInt64) throws {
    var generator = AppGenerator(seed: seed)
    text = generator.flow(isGuarded: true)
    guarded = try FlowFolder.app(text)
    unguarded = try FlowFolder.app(generator.flow(isGuarded: false))
    random = Seeded(state: ~seed)
  }

  mutating func run(_ steps: Int) throws {
    var done = 0
    while done < steps {
      var state = try guarded.create()
      trace = []
      for _ in 0..<Self.length where !state.isFinished {
        done += 1
        guard let next = try step(state) else { continue }
        state = try guarded.unpack(guarded.pack(next))
      }
    }
  }

  /// Takes one step. Returns nil if all that the state offers is refused.
  private mutating func step(_ state: SessionState) throws -> SessionState? {
    if let timer = state.work.first, Int.random(in: 0..<8, using: &random) == 0 {
      trace.append("timer")
      guard case .applied(let next) = try checked({ try guarded.apply(.due(timer.id), to: state) }) else { return nil }
      return next
    }
    let offered = try offered(state).shuffled(using: &random)
    guard !offered.isEmpty else { throw Failure(description: "nothing leads on from \(shape(state, guarded))") }
    for intent in offered {
      trace.append("\(intent)")
      guard let next = try checked({ try guarded.perform(intent, on: state) }) else { continue }
      if state.pending == nil, state.lockedStarts.isEmpty, state.prompt == nil,
        next.pending != nil || !next.lockedStarts.isEmpty
      {
        try compare(intent, from: state, stopped: next)
      }
      return next
    }
    throw Failure(description: "all that \(shape(state, guarded)) offers is refused")
  }

  /// Returns the result of a step; nil for a rejection that is not a fault.
  private func checked<R>(_ step: () throws -> R) throws -> R? {
    do {
      return try step()
    } catch let rejection as Rejection {
      if case .fault(let fault) = rejection { throw Failure(description: "a fault: \(fault)") }
      return nil
    }
  }

  private func offered(_ state: SessionState) throws -> [Intent] {
    let view = try guarded.view(of: state)
    var intents: [Intent] = []
    if let prompt = view.prompt {
      intents += prompt.buttons.map { button in
        switch button {
        case .answer(let answer, _): .action(name: answer.rawValue, input: .emptyObject)
        case .action(let action): .action(name: action.definition.name, input: .emptyObject)
        }
      }
    } else {
      intents += view.actions.filter { $0.disabled == nil }.map {
        .action(name: $0.definition.name, input: .emptyObject)
      }
      intents += guarded.links.map { .open(link: $0.pattern.text) }
    }
    if view.back != nil { intents.append(.back) }
    if view.canDismiss { intents.append(.dismiss) }
    for tab in view.tabBars.flatMap(\.selectable) { intents.append(.tab(tab.name)) }
    return intents
  }

  /// Compares the end of a stopped intent with its end in the flow without guards.
  private func compare(_ intent: Intent, from state: SessionState, stopped: SessionState) throws {
    // The flow without guards has no gates.
    guard !shape(state, guarded).contains("gate") else { return }
    let free = try unguarded.unpack(guarded.pack(state))
    guard var expected = try checked({ try unguarded.perform(intent, on: free) }) else { return }
    var questions = 0
    while case .leaving = expected.prompt {
      questions += 1
      guard questions < 20 else { throw Failure(description: "\(intent) asks without end to leave a screen") }
      guard let next = try checked({ try unguarded.perform(Self.leave, on: expected) }) else { return }
      expected = next
    }
    var ended = stopped
    var ways: [String] = []
    for _ in 0..<30 {
      guard let way = try passing(ended) else { break }
      ways.append("\(way)")
      guard let next = try checked({ try guarded.perform(way, on: ended) }) else {
        throw Failure(description: "\(intent): \(way) is refused at a guard")
      }
      ended = try guarded.unpack(guarded.pack(next))
    }
    let (reached, wanted) = (shape(ended, guarded), shape(expected, unguarded))
    // The intent acts under a modal, so that people see neither its result nor the gate.
    let shown = try (unguarded.view(of: expected).screen.name, unguarded.view(of: free).screen.name)
    if reached.contains("gate"), shown.0 == shown.1, try guarded.view(of: ended).modals > 0 { return }
    guard ended.pending == nil, ended.lockedStarts.isEmpty, reached == wanted else {
      throw Failure(
        description: """
          \(intent) from \(shape(state, guarded)) ends at
            \(reached) after \(ways), and not at
            \(wanted)
          """)
    }
  }

  private static let leave = Intent.action(name: ServiceAnswer.leave.rawValue, input: .emptyObject)

  /// Returns the intent of a person who passes the gate that is open; nil if none is.
  private func passing(_ state: SessionState) throws -> Intent? {
    let view = try guarded.view(of: state)
    if let prompt = view.prompt {
      if case .leaving = state.prompt { return Self.leave }
      guard case .action(let answer)? = prompt.buttons.first, answer.definition.name.hasPrefix("answer") else {
        return nil
      }
      return .action(name: answer.definition.name, input: .emptyObject)
    }
    guard view.screen.name.hasPrefix("gate") else { return nil }
    return .action(name: "pass\(view.screen.name.dropFirst(4))", input: .emptyObject)
  }

  /// Returns the presentation of a state by names.
  private func shape(_ state: SessionState, _ app: AppDefinition) -> String {
    func shape(_ id: StackID) -> String {
      guard let stack = state.stack(id) else { return "?" }
      let entries = stack.entries.map { entry -> String in
        guard let bar = entry.tabBar else {
          let owner = state.node(entry.owner).map { app.coordinators[$0.coordinator].definition.name } ?? "?"
          return "\(app.screens[entry.screen ?? 0].name) of \(owner)"
        }
        let tabs = bar.tabs.enumerated().map { "\($0.offset == bar.selected ? "*" : "")\(shape($0.element.stack))" }
        return "tabs(\(tabs.joined(separator: " | ")))"
      }
      let modal = state.modal(over: id).map { " < \(shape($0.id))" } ?? ""
      return "[\(entries.joined(separator: ", "))]\(modal)"
    }
    let prompt = state.prompt?.asked.map { " ask \(app.prompts[$0.prompt].name)" } ?? ""
    return shape(state.root.id) + prompt + (state.isFinished ? " finished" : "")
  }
}
