import Testing

@testable import Flows
@testable import Navigation

/// The work of compiling large flows, counted in visits of commands and coordinators.
@Suite struct FlowSizeTests {
  @Test func `a message has fifty names, and the number of the others`() {
    let screens = (1...53).map { "  page-\($0): {}\n" }.joined()
    let flow = "usher: 1\napp: many\nroot: main\ncoordinators: {main: {start: [push: unknown]}}\nscreens:\n\(screens)"
    let messages = Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(flow.utf8))]).errors.map(\.message)
    #expect(messages.contains { $0.hasSuffix(" and 3 others.") && !$0.contains("page-53") }, "\(messages.first ?? "")")
  }

  enum Shape: CaseIterable {
    case coordinators, steps, longStep, operations, chain
  }

  /// Returns a flow with a number of declarations.
  private static func flow(_ shape: Shape, _ count: Int) -> String {
    let numbers = 0..<count
    func lines(_ line: (Int) -> String) -> String { numbers.map { line($0) + "\n" }.joined() }
    let home = "screens:\n  home: {title: Home, actions: {next: {title: Next}}}\n"
    let start = "usher: 1\napp: large\nroot: main\ncoordinators:\n  main:\n    start: [push: home]\n"
    switch shape {
    case .coordinators:
      return start + "    handles:\n      next:\n" + lines { "        - start: c\($0)" }
        + lines { "  c\($0): {start: [push: s\($0)], handles: {go-\($0): [finish]}}" } + home
        + lines { "  s\($0): {title: S, actions: {go-\($0): {title: Go}}}" }
    case .steps:
      return start + "    state: {n: {type: integer, default: 0}}\n    handles:\n      next:\n"
        + lines { "        - do: s\($0 % 10)" } + "    steps:\n" + lines { "      s\($0): [set: {n: =n + 1}]" } + home
    case .longStep:
      return start + "    state: {n: {type: integer, default: 0}}\n    handles:\n      next:\n"
        + lines { _ in "        - do: s" } + "    steps:\n      s:\n" + lines { _ in "        - set: {n: =n + 1}" }
        + home
    case .operations:
      return start + "    handles:\n      next:\n"
        + lines { "        - perform: shop.o\($0)\n          detached: true" } + home + "services:\n  shop:\n"
        + lines { "    o\($0): {get: /o\($0)}" }
    case .chain:
      return start + "    handles: {next: [start: c0]}\n"
        + lines { number in
          let next = number + 1 < count ? "start: c\(number + 1)" : "finish"
          return "  c\(number): {start: [push: home], handles: {next: [\(next)]}}"
        } + home
    }
  }

  private static func compile(_ text: String, visitLimit: Int = WorkBudget.limit) -> Flow.Compilation {
    Flow.compile([Flow.File(path: "flow.yaml", bytes: Array(text.utf8))], visitLimit: visitLimit)
  }

  @Test(arguments: Shape.allCases)
  func `a flow of twice the size takes twice the visits`(shape: Shape) {
    let (small, large) = (Self.compile(Self.flow(shape, 100)), Self.compile(Self.flow(shape, 200)))
    #expect(small.errors.isEmpty && large.errors.isEmpty)
    #expect(small.visitCount > 100 && large.visitCount <= small.visitCount * 21 / 10)
  }

  @Test func `coordinators and steps that run each other in too many ways are one fault`() {
    // Each step is a chain through all that follow.
    let chain = (0..<200).map { "      s\($0): [do: s\($0 + 1)]\n" }.joined()
    let text = Self.flow(.coordinators, 1).replacing(
      "    handles:", with: "    steps:\n\(chain)    handles:", maxReplacements: 1)
    #expect(!Self.compile(text).faults.contains { $0.message.contains("too many ways") })
    #expect(
      Self.compile(text, visitLimit: 10_000).faults.map(\.description) == [
        "flow.yaml:3:7: error: The coordinators, steps and types of the flow lead to each other in too many ways to be "
          + "checked. Let chains of them be shorter, or make the flow two apps."
      ])
  }

  @Test func `types that lead to each other in too many ways are a fault, before they are read`() {
    func flow(_ count: Int) -> String {
      let types = (0..<count - 1).map { "  t\($0): {type: object, properties: {a: {$ref: \"#/types/t\($0 + 1)\"}}}\n" }
      return Self.flow(.coordinators, 1) + "types:\n\(types.joined())  t\(count - 1): {type: string}\n"
    }
    #expect(!Self.compile(flow(30)).faults.contains { $0.message.contains("too many ways") })
    let faults = Self.compile(flow(200), visitLimit: 100_000).faults
    #expect(faults.count == 1 && faults[0].message.contains("too many ways"))
  }

  @Test func `the tables of coordinators grow with what they use`() throws {
    let compilation = Self.compile(Self.flow(.coordinators, 200))
    let definition = try #require(compilation.app)
    #expect(definition.coordinators.count == 201)
    for coordinator in definition.coordinators.dropFirst() {
      let screen = try #require(coordinator.shownScreens.first)
      #expect(coordinator.shownScreens.count == 1 && coordinator.handledActions.count == 1)
      #expect(coordinator.shows[screen]?.name == definition.screens[screen].name && coordinator.shows[0] == nil)
      #expect(coordinator.handlers[coordinator.handledActions[0]] != nil && coordinator.children.indices.isEmpty)
    }
  }
}
