import Flows
import Navigation
import TestSupport

/// Random flows that combine guards, tabs, modals, children, prompts, timers, and confirm and sealed screens.
///
/// A generated flow breaks no rule for apps on any way: it asks one prompt in a step, and every screen has an action that
/// leads on. A rejection as a fault is therefore one of Usher.
struct AppGenerator {
  private var random: Seeded
  private let screens: [String]
  /// Coordinators start later ones only, so that no start is endless.
  private let children: [String]
  private let tabs: [String]
  private let guards: [Guard]

  /// A guard of a coordinator: its condition becomes true once the person has passed its gate.
  private struct Guard {
    enum Reaction: CaseIterable { case presentsChild, presentsScreen, pushesScreen, asks }
    /// Whether a second screen or child takes the place of the one that the reaction shows.
    let hasSecondStep: Bool
    let number: Int
    let owner: String
    /// `protects: c2` or `screen: s3`.
    let protected: String
    let reaction: Reaction

    /// The names of the steps of the gate, which its screens, children and actions have.
    var steps: [String] { hasSecondStep ? ["\(number)", "\(number)x"] : ["\(number)"] }
  }

  init(seed: UInt64) {
    var random = Seeded(state: seed)
    screens = (0..<Int.random(in: 4...7, using: &random)).map { "s\($0)" }
    let children = (0..<Int.random(in: 2...4, using: &random)).map { "c\($0)" }
    let tabCount = Int.random(in: 0...2, using: &random)
    tabs = tabCount == 0 ? [] : (0...tabCount).map { "t\($0)" }
    self.children = children
    var guards: [Guard] = []
    for number in 0..<Int.random(in: 1...4, using: &random) {
      let owner = ["app"] + children
      let place = Int.random(in: 0..<owner.count, using: &random)
      let below = children.dropFirst(place)
      // The first screen of the app is free, and a gate may be guarded by a later gate.
      let protected =
        if place == 0, number > 0, let gate = guards.last(where: { $0.reaction == .pushesScreen && $0.owner == "app" }),
          Bool.random(using: &random)
        {
          "screen: gate\(gate.number)"
        } else if let child = below.randomElement(using: &random), Bool.random(using: &random) {
          "protects: \(child)"
        } else {
          "screen: \(screens.dropFirst().randomElement(using: &random) ?? "s1")"
        }
      // A prompt fills no tab.
      let reactions = Guard.Reaction.allCases.filter { place == 0 && tabCount == 0 || $0 != .asks }
      guards.append(
        Guard(
          hasSecondStep: Bool.random(using: &random), number: number, owner: owner[place], protected: protected,
          reaction: reactions.randomElement(using: &random) ?? .presentsChild))
    }
    self.guards = guards
    self.random = random
  }

  /// Returns the text of the flow.
  ///
  /// - Parameter isGuarded: false lets every guard pass, and changes nothing else.
  mutating func flow(isGuarded: Bool) -> String {
    var copy = self
    return copy.text(isGuarded)
  }

  private mutating func text(_ isGuarded: Bool) -> String {
    var lines = ["usher: 1", "app: generated", "root: app", "coordinators:"]
    lines += root(isGuarded)
    for tab in tabs { lines += ["  \(tab):", "    start: [{push: \(screen())}]", "    handles: {lead-on: \(leadOn)}"] }
    for (place, child) in children.enumerated() { lines += self.child(child, place, isGuarded) }
    for gate in guards where gate.reaction == .presentsChild {
      for step in gate.steps {
        lines += ["  gate\(step):", "    start: [{push: gate\(step)}]"]
        lines += ["    handles: {pass\(step): [finish], lead-on: \(leadOn)}"]
      }
    }
    lines += ["screens:"]
    for screen in screens { lines += self.screen(screen) }
    for step in guards.filter({ $0.reaction != .asks }).flatMap(\.steps) {
      lines += ["  gate\(step): {actions: {pass\(step): }}"]
    }
    let asked = guards.filter { $0.reaction == .asks }
    lines += ["prompts:", "  notice: {message: Look, actions: {seen: }}"]
    for gate in asked { lines += ["  ask\(gate.number): {message: Pass?, actions: {answer\(gate.number): }}"] }
    lines += ["links:"]
    for (number, child) in children.enumerated() {
      let tab = tabs.randomElement(using: &random).map { "{tab: \($0)}, " } ?? ""
      lines += ["  /\(child): [\(tab){action: start\(number)}]"]
      lines += ["  /\(child)/show: [\(tab){action: start\(number)}, {action: a0}]"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var actions: [String] { (0..<5).map { "a\($0)" } }

  private func state(of owner: String) -> String {
    let own = guards.filter { $0.owner == owner }.map { "p\($0.number): {type: boolean, default: false}" }
    return "    state: {ticks: {type: integer, default: 0}\(own.map { ", \($0)" }.joined())}"
  }

  private mutating func root(_ isGuarded: Bool) -> [String] {
    var lines = ["  app:", state(of: "app")]
    let bar = tabs.map { "{start: \($0)}" }.joined(separator: ", ")
    lines += [tabs.isEmpty ? "    start: [{push: s0}]" : "    start: [{setTabs: [\(bar)]}]"]
    lines += guarding("app", isGuarded)
    var handles = actions.map { "      \($0): \(commands(after: -1))" }
    for (number, child) in children.enumerated() { handles += ["      start\(number): [{start: \(child)}]"] }
    handles += ["      tick: [{schedule: tick, after: 10s}]", "      notice: [{ask: notice}]", "      seen: []"]
    // Every screen is declared as shown.
    let all = screens.map { "{push: \($0)}" }.joined(separator: ", ")
    handles += ["      lead-on: \(leadOn)", "      tour: [{if: =ticks > 99, then: [\(all)]}]"]
    lines += ["    handles:"] + handles + gates("app")
    lines += ["    timers: {tick: [{set: {ticks: =ticks + 1}}, \(background())]}"]
    return lines + finished("app")
  }

  private mutating func child(_ name: String, _ place: Int, _ isGuarded: Bool) -> [String] {
    var lines = ["  \(name):", state(of: name)]
    let start =
      Bool.random(using: &random) || place + 1 == children.count ? "push: \(screen())" : "start: c\(place + 1)"
    lines += ["    start: [{\(start)}]"] + guarding(name, isGuarded)
    let handled = actions.filter { _ in Bool.random(using: &random) }
    let handles = handled.map { "      \($0): \(commands(after: place))" } + ["      lead-on: \(leadOn)"]
    return lines + ["    handles:"] + handles + gates(name) + finished(name)
  }

  /// The way on from a sealed screen.
  private var leadOn: String { "[{replaceTop: s0}]" }

  private func guarding(_ owner: String, _ isGuarded: Bool) -> [String] {
    let own = guards.filter { $0.owner == owner }
    guard !own.isEmpty else { return [] }
    let passing = isGuarded ? "" : " || ticks >= 0"
    return ["    guards:"]
      + own.map { gate in
        let reaction =
          switch gate.reaction {
          case .presentsChild: "{present: gate\(gate.number)}"
          case .presentsScreen: "{present: {screen: gate\(gate.number)}}"
          case .pushesScreen: "{push: gate\(gate.number)}"
          case .asks: "{ask: ask\(gate.number)}"
          }
        return "      - {\(gate.protected), until: =p\(gate.number)\(passing), otherwise: [\(reaction)]}"
      }
  }

  /// The handlers that pass the gates of a coordinator.
  private func gates(_ owner: String) -> [String] {
    guards.filter { $0.owner == owner }.flatMap { gate in
      let end = "{set: {p\(gate.number): true}}"
      let last = gate.steps[gate.steps.count - 1]
      let first = gate.steps.dropLast().map { "      pass\($0): [{replaceTop: gate\(last)}]" }
      return switch gate.reaction {
      case .presentsChild: [String]()
      case .presentsScreen: first + ["      pass\(last): [\(end), dismiss]"]
      case .pushesScreen: first + ["      pass\(last): [\(end), pop]"]
      case .asks: ["      answer\(gate.number): [\(end)]"]
      }
    }
  }

  private func finished(_ owner: String) -> [String] {
    let own = guards.filter { $0.owner == owner && $0.reaction == .presentsChild }
    guard !own.isEmpty else { return [] }
    let handlers = own.flatMap { gate in
      let first = gate.steps.dropLast().map { "gate\($0): [{present: gate\(gate.steps[1])}]" }
      return first + ["gate\(gate.steps[gate.steps.count - 1]): [{set: {p\(gate.number): true}}]"]
    }
    return ["    finished: {\(handlers.joined(separator: ", "))}"]
  }

  private mutating func screen() -> String { screens.randomElement(using: &random) ?? "s0" }

  private mutating func screen(_ name: String) -> [String] {
    let leave = name == "s0" ? nil : [nil, nil, "sealed", "{confirm: Leave?}"].randomElement(using: &random) ?? nil
    // The first screen offers all, so that no handler is without its action.
    let own = actions.filter { _ in Bool.random(using: &random) || name == "s0" }
    let all = own + children.indices.map { "start\($0)" } + ["a0", "tick", "notice", "lead-on", "tour"]
    let names = Set(all).sorted().map { "\($0): " }.joined(separator: ", ")
    return ["  \(name):"] + (leave.map { ["    leave: \($0)"] } ?? []) + ["    actions: {\(names)}"]
  }

  /// Returns commands that are valid on every stack.
  ///
  /// - Parameter place: the place of the coordinator among the children; -1 for the root.
  private mutating func commands(after place: Int) -> String {
    let screen = screen()
    let later = children.dropFirst(place + 1).randomElement(using: &random)
    var choices = [
      "{push: \(screen)}", "{pushSingleTop: \(screen)}", "{bringToFront: \(screen)}", "popToRoot",
      "{replaceTop: \(screen)}", "{setStack: [s0, \(screen)]}", "{present: {screen: \(screen)}}",
      "dismissAll, {push: \(screen)}", "popToRoot, {push: \(screen)}",
    ]
    if let later {
      choices += ["{start: \(later)}", "{present: \(later)}", "{push: \(screen)}, {start: \(later)}"]
    }
    if place >= 0 { choices += ["finish", "finish"] }
    if let tab = tabs.randomElement(using: &random) {
      choices.removeAll { $0.hasPrefix("{setStack") || $0.hasPrefix("{replaceTop") || $0.hasPrefix("popToRoot") }
      choices += ["{select: \(tab)}", "{reselect: \(tab)}", "{follow: [{tab: \(tab)}]}"]
    }
    return "[\(choices.randomElement(using: &random) ?? "popToRoot")]"
  }

  private mutating func background() -> String {
    let child = children.randomElement(using: &random) ?? "c0"
    let choices = ["{push: \(screen())}", "{start: \(child)}", "{present: \(child)}", "popToRoot"]
    return choices.randomElement(using: &random) ?? "popToRoot"
  }
}
