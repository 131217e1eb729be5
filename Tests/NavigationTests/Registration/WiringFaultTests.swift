import Navigation
import Testing
import Values

/// Property 29 and all other wiring faults, reported at once and each with its place.
@Suite struct WiringFaultTests {
  @Test func `all faults are reported at once, each with its place`() throws {
    let app = App("Bad App", title: "Bad", version: 0, links: [ToNothing.self]) { Faulty() }
    let faults = try #require(throws: WiringFaults.self) { try AppDefinition(app) }.faults.map(\.description)
    for expected in [
      "Bad App: The name is not valid. Use 1 to 64 lower-case letters, digits and hyphens.",
      "Bad App: The version is below 1. Versions count from 1.",
      "faulty › one › orphan: No coordinator of this chain handles the action. Add on(…) to one of them.",
      "faulty › one: Two screens have this name. Rename one of them.",
      "faulty › elsewhere: The screen is filled, but no coordinator shows it. Add shows(…) to one.",
      "faulty › unused: The action is handled, but no screen and no prompt offers it. Add it to the actions of one.",
      "one › orphan › pick: The field has no choices.",
      "one › renamed › pick: The field is encoded under another name. Give its coding key the name of the property.",
      "faulty: The coordinator guards itself. Let the coordinator that starts it guard it.",
      "/to/{what}: The placeholder what is not a field of the link. Declare a @Field of this name.",
      "/to/{what} › tab other: No coordinator starts other, the tab of a step.",
      "/to/{what} › action unused: No screen offers unused, the action of a step.",
    ] {
      #expect(faults.contains(expected), "\(expected) is not among \(faults)")
    }
  }

  @Test func `an action handled in one chain but not in another names the chain`() throws {
    let app = App("chains", title: "Chains") { Top() }
    let faults = try #require(throws: WiringFaults.self) { try AppDefinition(app) }.faults
    #expect(faults.map(\.location) == ["top › right › shared › leaf › tap"])
  }

  @Test func `a field has the name of its property, with its underscores`() throws {
    let app = try AppDefinition(App("plain", title: "Plain") { Plain() })
    #expect(app.actions[0].input.fields.map(\.name) == ["_note"])
    let created = try app.begin()
    _ = try app.perform(.action(name: "note", input: ["_note": "x"]), on: created.state)
  }
}

private struct Faulty: Coordinator {
  static let name = "faulty"
  func start(_ nav: inout Navigator<Self>) { nav.push(One()) }
  static let wiring = Wiring<Self>()
    .shows(One.self)
    .shows(OtherOne.self)
    .fills(Elsewhere.self) { _, _ in }
    .on(Unused.self) { _, _, _ in }
    .guards(Self.self, until: { _ in true }, otherwise: { _, _ in })

  struct One: Screen {
    static let name = "one"
    static let title: Title<Self> = "One"
    static let actions: [any Action.Type] = [Orphan.self, Renamed.self]
  }
  struct OtherOne: Screen {
    static let name = "one"
    static let title: Title<Self> = "Other"
  }
  struct Elsewhere: Screen {
    static let name = "elsewhere"
    static let title: Title<Self> = "Elsewhere"
  }
  struct Orphan: Action {
    static let name = "orphan"
    static let title: Text = "Orphan"
    @Field("Pick", choices: []) var pick: String
  }
}

extension Faulty {
  struct Renamed: Action {
    static let name = "renamed"
    static let title: Text = "Renamed"
    @Field("Pick") var pick: String

    enum CodingKeys: String, CodingKey { case pick = "choice" }
  }
}

private struct Unused: Action {
  static let name = "unused"
  static let title: Text = "Unused"
}

private struct Other: Coordinator {
  static let name = "other"
  func start(_ nav: inout Navigator<Self>) {}
  static let wiring = Wiring<Self>()
}

private struct ToNothing: Link {
  static let pattern = "/to/{what}"
  var steps: [Step] { [.tab(Other.self), .action(Unused())] }
}

private struct Top: Coordinator {
  static let name = "top"
  func start(_ nav: inout Navigator<Self>) { nav.start(Left()) }
  static let wiring = Wiring<Self>().starts(Left.self).starts(Right.self)
}

private struct Left: Coordinator {
  static let name = "left"
  func start(_ nav: inout Navigator<Self>) { nav.start(Shared()) }
  static let wiring = Wiring<Self>().starts(Shared.self).on(Tap.self) { _, _, _ in }
}

private struct Right: Coordinator {
  static let name = "right"
  func start(_ nav: inout Navigator<Self>) { nav.start(Shared()) }
  static let wiring = Wiring<Self>().starts(Shared.self)
}

private struct Shared: Coordinator {
  static let name = "shared"
  func start(_ nav: inout Navigator<Self>) { nav.push(Leaf()) }
  static let wiring = Wiring<Self>().shows(Leaf.self)
}

private struct Leaf: Screen {
  static let name = "leaf"
  static let title: Title<Self> = "Leaf"
  static let actions: [any Action.Type] = [Tap.self]
}

private struct Tap: Action {
  static let name = "tap"
  static let title: Text = "Tap"
}

private struct Plain: Coordinator {
  static let name = "plain"
  func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
  static let wiring = Wiring<Self>().shows(Page.self).on(Note.self) { _, _, _ in }

  struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Note.self]
  }
  struct Note: Action {
    static let name = "note"
    static let title: Text = "Note"
    @Field("Note") var _note: String
  }
}
