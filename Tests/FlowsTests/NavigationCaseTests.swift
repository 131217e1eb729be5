import Flows
import Foundation
import Navigation
import Testing
import UsherTesting
import Values

/// The navigation of the flows in `Tests/Flows/cases`: each stands for a kind of app that once lost an intent or failed.
@Suite struct NavigationCaseTests {
  /// Returns the app of a case.
  static func app(_ name: String) throws -> AppDefinition {
    let compilation = try FlowFolder.check(FlowFolder.fixtures.appending(path: "cases/\(name)"))
    return try #require(compilation.app, "\(compilation.faults)")
  }

  /// Returns a session of a case.
  static func session(_ name: String, link: String? = nil) throws -> TestSession {
    try TestSession(app(name), link: link)
  }

  // MARK: Guards

  @Test func `a coordinator that guards its own first screen asks first, and then starts once`() throws {
    var session = try Self.session("own-guard")
    try session.act("direct")
    #expect(session.view.screen.name == "pin" && session.view.modals == 1)
    try session.act("enter")
    #expect(session.names == ["home", "vault2"])
    #expect(session.state.lockedStarts.isEmpty)
    try session.back()
    #expect(session.names == ["home"] && session.state.nodes.count == 1)
  }

  // MARK: Guards in pairs

  @Test(arguments: [("both", ["first", "second"], 2), ("twins", ["first", "first"], 2)])
  func `coordinators of one step that guard their own first screens start one after the other`(
    action: String, screens: [String], gates: Int
  ) throws {
    var session = try Self.session("two-locked")
    try session.act(action)
    for _ in 0..<gates {
      #expect(session.view.screen.name == "pin")
      try session.act("enter")
    }
    #expect(Set(session.names) == Set(["home"] + screens) && session.names.count == 3)
    #expect(session.state.lockedStarts.isEmpty)
  }

  @Test func `a modal of the step that starts a locked coordinator lies over the reaction of the guard`() throws {
    var session = try Self.session("two-locked")
    try session.act("cover")
    #expect(session.view.screen.name == "note" && session.view.modals == 2)
    try session.back()
    try session.act("enter")
    #expect(session.names == ["home", "first"] && session.view.modals == 0)
  }

  @Test func `a coordinator that is locked twice starts beside another one that is locked`() throws {
    var session = try Self.session("two-locked")
    try session.act("nested")
    var gates: [String] = []
    while ["pin", "code"].contains(session.view.screen.name), gates.count < 8 {
      gates.append(session.view.screen.name)
      try session.act("enter")
    }
    #expect(gates.sorted() == ["code", "pin", "pin", "pin"], "\(gates)")
    #expect(Set(session.names) == ["home", "first", "second", "third"] && session.state.lockedStarts.isEmpty)
  }

  @Test(arguments: ["pushing", "presenting", "showing"], ["action", "link", "link at the start"])
  func `an intent into a tab that guards its own first screen goes on behind the guard`(tab: String, way: String) throws
  {
    var session = try Self.session("tab-own-guard", link: way == "link at the start" ? "/\(tab)" : nil)
    if way == "link" { try session.open("/\(tab)") } else if way == "action" { try session.act("jump-\(tab)") }
    #expect(session.view.screen.name == (tab == "presenting" ? "pin" : "gate"))
    let packed = try session.app.unpack(session.app.pack(session.state))
    #expect(packed.pendingIntents == session.state.pendingIntents && packed.lockedStarts == session.state.lockedStarts)
    try session.act("enter")
    #expect(session.names == ["account", "detail"])
    #expect(session.state.pending == nil && session.state.lockedStarts.count == 2)
  }

  @Test(arguments: ["pushing", "showing", "root"], ["enter", "enter-and-dismiss", "enter-and-go-on", "elsewhere"])
  func `a root coordinator that guards its own first screen starts once the guard passes`(root: String, way: String)
    throws
  {
    var session = try Self.session(root == "root" ? "root-own-guard" : "tab-own-guard")
    if root != "root" { try session.select(tab: root) }
    let locks = session.state.lockedStarts.count
    #expect(session.view.screen.name == "gate")
    try session.act(way)
    let first = root == "root" ? "home" : "account"
    switch way {
    case "enter-and-go-on": #expect(session.names == [first, "welcome"])
    case "elsewhere":
      #expect(session.names == ["welcome"])
      try session.act("enter")
      #expect(session.names == [first])
    default: #expect(session.names == [first])
    }
    #expect(session.state.lockedStarts.count == locks - 1)
    let packed = try session.app.unpack(session.app.pack(session.state))
    #expect(packed == session.state)
  }

  @Test func `the steps of the reaction that a locked tab shows do not wait for the tab`() throws {
    var session = try Self.session("tab-own-guard")
    try session.select(tab: "pushing")
    try session.act("quickly")
    #expect(session.names.first == "account" && session.state.pending == nil)
  }

  @Test(arguments: [["enter"], ["done", "enter"], ["done", "enter-and-dismiss"], ["link", "enter"]])
  func `the first screen comes instead of the reaction, whatever becomes of its parts`(way: [String]) throws {
    var session = try Self.session("gate-under-intro")
    if way == ["enter"] { try session.dismiss() }
    for step in way { if step == "link" { try session.open("/detail") } else { try session.act(step) } }
    #expect(session.names == (way[0] == "link" ? ["home", "detail"] : ["home"]) && session.view.modals == 0)
    #expect(session.state.lockedStarts.isEmpty && session.state.pending == nil)
  }

  @Test func `what the step that opens a stack shows lies over the first screen`() throws {
    var tab = try Self.session("welcome-after-pin")
    try tab.select(tab: "club")
    try tab.act("enter")
    #expect(tab.names == ["club", "welcome"])
    for (way, names, modals) in [
      ("tour", ["home", "tour"], 0), ("sheet", ["note"], 1), ("sheet-tour", ["tour"], 1), ("enter", ["home"], 0),
    ] {
      var session = try Self.session("unlocked-and-more")
      try session.act(way)
      #expect(session.names == names && session.view.modals == modals, "\(way)")
      var other = try Self.session("unlocked-with-promo")
      try other.act(way)
      #expect(!other.names.contains("promo") && other.state.lockedStarts.isEmpty, "\(way)")
    }
  }

  @Test(arguments: ["begin", "/order"]) func `steps do not wait for a locked tab beside theirs`(way: String) throws {
    var session = try Self.session("locked-elsewhere")
    if way == "begin" { try session.act(way) } else { try session.open(way) }
    #expect(session.names == ["orders", "order"] && session.state.pending == nil)
  }

  @Test(arguments: [
    ("modal", ["next", "enter"]), ("modal", ["all", "enter"]), ("pushed", ["go-on", "open"]),
    ("child", ["next", "enter"]), ("covered", ["close", "go-on", "open"]), ("own", ["next", "enter"]),
  ])
  func `an intent waits for the replacement of the part that its guard has opened`(intent: String, way: [String]) throws
  {
    var session = try Self.session("sign-in-in-steps")
    try session.act(intent)
    for step in way.dropLast() { try session.act(step) }
    let packed = try session.app.unpack(session.app.pack(session.state))
    #expect(packed == session.state)
    try session.act(way[way.count - 1])
    #expect(session.view.screen.name == intent && session.view.modals == 0)
    #expect(session.state.pending == nil && session.state.lockedStarts.isEmpty)
  }

  @Test(arguments: [
    ("modal", ["next", "cancel"]), ("modal", ["all", "back"]), ("pushed", ["go-on", "back"]),
    ("child", ["next", "back"]), ("own", ["next", "cancel"]), ("own", ["next", "back"]),
  ])
  func `an intent is dropped with the replacement of the part that its guard has opened`(intent: String, way: [String])
    throws
  {
    var session = try Self.session("sign-in-in-steps")
    try session.act(intent)
    for step in way { if step == "back" { try session.back() } else { try session.act(step) } }
    #expect(session.names == ["home"] && session.state.pending == nil && session.state.lockedStarts.isEmpty)
  }

  @Test func `a guard behind a prompt of the step that passes the first one keeps the first intent`() throws {
    var session = try Self.session("sign-in-in-steps")
    try session.act("pushed")
    try session.act("open-and-ask")
    try session.act("remember")
    #expect(session.view.screen.name == "code-entry" && session.state.pendingIntents.count == 2)
    try session.act("type")
    #expect(session.names == ["home", "asked", "pushed"] && session.state.pending == nil)
  }

  @Test(arguments: [["vault"], ["draft", "back"]])
  func `an intent waits for the tab that its guard has selected`(way: [String]) throws {
    var session = try Self.session("sign-in-tab")
    for step in way { if step == "back" { try session.back() } else { try session.act(step) } }
    try session.act("next")
    #expect(session.view.screen.name == "pin" && session.state.pendingIntents.count == 2)
    try session.act("type")
    try session.act("member")
    #expect(session.state.pending == nil && session.names == ["home", "vault"])
  }

  @Test func `an intent replaces the one that waits for another tab`() throws {
    var session = try Self.session("sign-in-tab")
    for _ in 0..<2 {
      try session.act("vault")
      #expect(session.view.screen.name == "login" && session.state.pendingIntents.count == 1)
      try session.select(tab: "shop")
    }
  }

  @Test func `the rest of a link waits for the steps that its action follows`() throws {
    var session = try Self.session("followed-in-link")
    try session.open("/more")
    #expect(session.view.screen.name == "pin" && session.state.pendingIntents.count == 2)
    try session.act("enter")
    #expect(session.names == ["orders", "order", "more"] && session.state.pending == nil)
  }

  @Test func `a coordinator that waits for its start ends in the step in which a guard removes what it shows`() throws {
    var session = try Self.session("lapsed-reaction")
    try session.act("begin")
    #expect(session.names == ["home", "form"])
    try session.act("close")
    #expect(session.names == ["home", "cancelled"] && session.state.lockedStarts.isEmpty)
  }

  @Test func `steps of the start of a tab wait for the locked tab in it`() throws {
    var session = try Self.session("locked-at-start")
    try session.act("begin")
    #expect(session.view.screen.name == "gate" && session.state.pending != nil)
    try session.act("enter")
    #expect(session.names == ["safe", "open"] && session.state.pending == nil)
  }

  @Test(arguments: ["jump", "/detail"]) func `a modal over the reaction leaves a tab locked`(way: String) throws {
    var session = try Self.session("tab-under-intro")
    if way == "jump" { try session.act(way) } else { try session.open(way) }
    // A link closes all modals.
    #expect(session.view.screen.name == (way == "jump" ? "intro" : "gate") && session.state.pending != nil)
    if way == "jump" { try session.act("done") }
    try session.act("enter")
    #expect(session.names == ["club", "detail"] && session.state.pending == nil)
  }

  @Test func `a tab stays locked behind a chain of screens`() throws {
    var session = try Self.session("gate-goes-on")
    try session.select(tab: "club")
    try session.act("next")
    try session.select(tab: "shop")
    try session.open("/detail")
    #expect(session.view.screen.name == "code" && session.state.pending != nil)
    try session.act("enter")
    #expect(session.names == ["club", "detail"] && session.state.pending == nil)
  }

  @Test(arguments: [true, false]) func `a guarded tab ends with the locked tabs in it`(isTimer: Bool) throws {
    var session = try Self.session("locked-inside")
    try session.act("later")
    try session.select(tab: "main")
    if isTimer { try session.advance(by: .seconds(1)) } else { try session.act("sign-out") }
    #expect(session.view.screen.name == "gate")
    try session.act("enter")
    #expect(session.view.screen.name == "home" && session.state.lockedStarts.count == 1)
  }

  @Test func `a guarded tab ends with the children in it that wait for their start`() throws {
    var session = try Self.session("locked-inside")
    try session.select(tab: "main")
    let nodes = session.state.nodes.count
    try session.act("vault")
    #expect(session.view.screen.name == "home" && session.state.lockedStarts.count == 2)
    try session.act("sign-out")
    #expect(session.view.screen.name == "gate" && session.state.lockedStarts.count == 1)
    try session.act("enter")
    #expect(session.view.screen.name == "home" && session.state.nodes.count == nodes)
  }

  @Test func `a modal ends with the locked tabs in it`() throws {
    var session = try Self.session("locked-in-modal")
    try session.act("area")
    try session.act("wizard")
    try session.dismiss()
    #expect(session.names == ["home"] && session.state.nodes.count == 1 && session.state.lockedStarts.isEmpty)
  }

  @Test(arguments: [true, false]) func `a guarded child that its parent starts again stays away`(isTimer: Bool) throws {
    var session = try Self.session("restarted-child")
    try session.act("pay")
    if isTimer { try session.advance(by: .seconds(1)) } else { try session.act("sign-out") }
    #expect(session.names == ["home"] && session.state.nodes.count == 1)
  }

  @Test func `an intent that an event lets go on leaves no work of the screens on its way`() throws {
    var session = try Self.session("load-at-question")
    for action in ["soon", "vault"] { try session.act(action) }
    try session.advance(by: .seconds(1))
    try session.act("enter")
    #expect(session.view.prompt?.name == "leave")
    try session.advance(by: .seconds(2))
    #expect(session.names == ["home", "vault"] && session.state.work.isEmpty)
    #expect(try session.app.unpack(session.app.pack(session.state)) == session.state)
  }

  @Test func `a locked coordinator ends with its tab`() throws {
    var session = try Self.session("tab-own-guard")
    #expect(session.state.lockedStarts.count == 3)
    try session.act("replace")
    #expect(session.state.lockedStarts.isEmpty && session.state.nodes.count == 2)
  }

  @Test func `an intent of another tab replaces the one whose guard the person has left`() throws {
    var session = try Self.session("gates")
    try session.act("pushed")
    #expect(session.view.screen.name == "gate")
    try session.select(tab: "bank")
    try session.act("account")
    #expect(session.view.screen.name == "pin" && session.state.pendingIntents.count == 1)
    try session.act("enter")
    #expect(session.view.screen.name == "account" && session.state.pending == nil)
  }

  @Test(arguments: ["pushed", "asked"])
  func `a second guard that is met later in the sign-in keeps the intent`(intent: String) throws {
    var session = try Self.session("long-sign-in")
    try session.act(intent)
    if intent == "pushed" { try session.act("register") }
    try session.act("form")
    #expect(session.view.screen.name == "code" && session.state.pendingIntents.count == 2)
    try session.act("type")
    #expect(session.view.screen.name == "form")
    try session.act("enter")
    #expect(session.view.screen.name == intent && session.state.pendingIntents.isEmpty)
  }

  @Test func `steps of a sign-in that wait for a guard keep the intent behind the sign-in`() throws {
    var session = try Self.session("follow-own-guard")
    try session.act("vault")
    try session.act("reset")
    #expect(session.view.screen.name == "code" && session.state.pendingIntents.count == 2)
    try session.act("enter")
    #expect(session.view.screen.name == "new-password" && session.state.pendingIntents.count == 1)
    try session.act("done")
    try session.act("enter")
    #expect(session.names == ["home", "vault"] && session.state.pendingIntents.isEmpty)
  }

  @Test(arguments: [("/orders", ["orders"]), ("/cards", ["cards"]), ("/detail", ["home", "detail"])])
  func `a link leads into a tab bar in a tab, and out of it`(link: String, names: [String]) throws {
    for first in ["/orders", "/cards", "/detail", nil] {
      var session = try Self.session("nested-tabs", link: first)
      try session.open(link)
      #expect(session.names == names, "after \(first ?? "the start")")
      #expect(try Self.session("nested-tabs", link: link).names == names)
    }
  }

  @Test func `people select tabs of every visible bar, and a covered bar has none`() throws {
    var session = try Self.session("nested-tabs", link: "/cards")
    #expect(session.view.tabBars.map { $0.bar.tabs[$0.bar.selected].name } == ["cards", "account"])
    try session.select(tab: "shop")
    #expect(session.names == ["home"] && session.view.tabBars.count == 1)
    try session.select(tab: "account")
    #expect(session.names == ["cards"])
    try session.act("cover")
    #expect(session.view.tabBars.isEmpty)
    #expect(throws: Rejection.self) { try session.select(tab: "shop") }
  }

  @Test func `a part that the end of a guarded child shows is left out while its guard fails`() throws {
    for way in ["pay", "pay-in-a-tab"] {
      var session = try Self.session("lapsed-child")
      if way == "pay-in-a-tab" { try session.act("tabs") }
      try session.act("pay")
      #expect(session.view.screen.name == "payment")
      try session.advance(by: .seconds(1))
      #expect(session.view.screen.name == "home" && session.state.nodes.count == 2, "\(way)")
    }
  }

  @Test(arguments: ["draft", "sheet"], ["enter", "later"])
  func `back goes on where the guard of what it shows stays`(way: String, gate: String) throws {
    var session = try Self.session("stay-at-gate")
    try session.act(way)
    try session.back()
    #expect(session.view.screen.name == "gate" && session.state.pending != nil)
    try session.act(gate)
    if gate == "later" {
      // An event covers the screen that the user leaves before another one lets the guard pass.
      try session.advance(by: .seconds(1))
      #expect(session.view.screen.name == "note")
      try session.advance(by: .seconds(1))
    }
    #expect(session.names == ["home", way == "draft" ? "vault" : "safe"] && session.state.pending == nil)
  }

  @Test func `an intent whose screen a guard replaced is the action of that screen for its nearest handler`() throws {
    var session = try Self.session("nested-handlers")
    try session.act("open")
    try session.act("buy")
    #expect(session.names == ["home", "aisle", "sign-in"])
    try session.act("enter")
    #expect(session.names == ["home", "aisle", "cart"])
  }

  @Test func `an intent is dropped with a notice if its handler lacks the action in another version`() throws {
    var session = try Self.session("nested-handlers")
    try session.act("open")
    try session.act("buy")
    let (app, moved) = (try Self.app("nested-handlers"), try Self.app("nested-handlers-moved"))
    let entered = try moved.perform(
      .action(name: "enter", input: .emptyObject), on: moved.unpack(app.pack(session.state)))
    #expect(try moved.view(of: entered).screen.name == "aisle")
    let isTold = if case .notice? = entered.prompt { true } else { false }
    #expect(isTold)
  }

  @Test(arguments: ["vault", "back"])
  func `a guard may end a child whose end leads to what it protects`(way: String) throws {
    var session = try Self.session("ended-by-reaction")
    try session.act("draft")
    if way == "back" { try session.back() } else { try session.act("vault") }
    #expect(session.view.screen.name == "sign-in" && session.state.pending != nil)
    try session.act("enter")
    #expect(session.names == (way == "back" ? ["home"] : ["home", "vault"]) && session.state.pending == nil)
  }

  @Test func `an event that shows another screen keeps the pending intent at its question`() throws {
    var session = try Self.session("late-question")
    try session.act("soon")
    try session.act("vault")
    try session.advance(by: .seconds(1))
    try session.act("enter")
    #expect(session.view.prompt?.name == "leave")
    try session.advance(by: .seconds(60))
    #expect(session.view.prompt?.name == "leave" && session.state.pending != nil)
    try session.act("leave")
    #expect(session.names.last == "vault" && session.state.pending == nil)
  }

  // MARK: Reactions of guards

  @Test func `an intent goes on where a guard has replaced its screen`() throws {
    var session = try Self.session("gates")
    try session.act("replaced")
    #expect(session.view.screen.name == "gate")
    try session.act("enter")
    #expect(session.view.screen.name == "replaced" && session.state.pending == nil)
  }

  @Test func `a guard that pushes a screen does so over the modal of the person`() throws {
    var session = try Self.session("gates")
    try session.act("sheet")
    try session.act("pushed")
    #expect(session.view.screen.name == "gate" && session.view.modals == 1)
    try session.act("enter-and-return")
    #expect(session.view.screen.name == "pushed")
  }

  @Test func `a guard of another tab reacts where the person is`() throws {
    var session = try Self.session("gates")
    try session.open("/account")
    #expect(session.view.screen.name == "pin")
    try session.act("enter")
    #expect(session.view.screen.name == "account" && session.view.tabBar?.selected == 1)
  }

  @Test func `an intent of a sign-in that meets a guard comes before the one behind the sign-in`() throws {
    var session = try Self.session("gates")
    try session.act("vault")
    try session.act("new-password")
    #expect(session.view.screen.name == "code" && session.state.pendingIntents.count == 2)
    let packed = try session.app.unpack(session.app.pack(session.state))
    #expect(packed.pendingIntents == session.state.pendingIntents)
    try session.act("enter")
    #expect(session.view.screen.name == "new-password" && session.state.pendingIntents.count == 1)
    try session.back()
    try session.act("enter")
    #expect(session.view.screen.name == "vault" && session.state.pendingIntents.isEmpty)
  }

  @Test func `a person who turns away from both guards keeps no intent`() throws {
    var session = try Self.session("gates")
    try session.act("vault")
    try session.act("new-password")
    try session.dismiss()
    #expect(session.view.screen.name == "sign-in" && session.state.pendingIntents.count == 1)
    try session.dismiss()
    #expect(session.view.screen.name == "home" && session.state.pendingIntents.isEmpty)
  }

  @Test(arguments: ["sold-out", "/sold-out"])
  func `the reason of a pending intent that is refused is told`(intent: String) throws {
    var session = try Self.session("gates")
    if intent.hasPrefix("/") { try session.open(intent) } else { try session.act(intent) }
    try session.act("enter")
    #expect(session.view.screen.name == "home")
    #expect(session.view.prompt?.name == "notice" && session.view.prompt?.message.string == "Sold out")
    #expect(session.faults.isEmpty)
    let packed = try session.app.unpack(session.app.pack(session.state))
    #expect(packed.prompt == session.state.prompt)
    try session.act("close")
    #expect(session.view.prompt == nil && session.view.screen.name == "home")
  }

  @Test func `the fault of a pending intent is told to people in words for them, and kept for the log`() throws {
    var session = try Self.session("gates")
    try session.act("broken")
    try session.act("enter")
    #expect(session.view.prompt?.message.string == "What you chose before could not be done. Try it again.")
    let fault = try #require(session.faults.first)
    #expect("\(fault)".hasPrefix("gates › app › action broken › command 1, popTo: "), "\(fault)")
    try session.back()
    #expect(session.view.prompt == nil && session.faults.count == 1)
  }

  @Test func `a prompt of the step that makes a guard pass comes before the pending intent`() throws {
    var session = try Self.session("gates")
    try session.act("vault")
    try session.act("enter-and-ask")
    #expect(session.view.prompt?.name == "remember" && session.state.pending != nil)
    try session.act("close")
    #expect(session.view.screen.name == "vault" && session.state.pending == nil)
  }

  @Test(arguments: [Intent.back, .tab("shop")])
  func `back and the selection of a tab wait behind a guard, with what people agree to leave`(intent: Intent) throws {
    var session = try Self.session("gates")
    try session.act("draft")
    try session.perform(intent)
    #expect(session.view.prompt?.name == "leave")
    try session.act("leave")
    #expect(session.view.screen.name == "sign-in")
    let packed = try session.app.unpack(session.app.pack(session.state))
    #expect(packed.pending == session.state.pending)
    try session.act("enter")
    #expect(session.names == ["home", "vault"] && session.state.pending == nil)
  }

  @Test(arguments: [
    ("new-tabs", "begin", ["enter"], "order"), ("new-tabs", "/o2", ["enter"], "order"),
    ("follow-locked", "jump", ["enter"], "order"), ("follow-locked", "/order", ["enter"], "order"),
    ("follow-locked", "/jump", ["enter"], "order"), ("follow-child", "jump", ["enter"], "claim"),
    ("follow-child", "/jump", ["enter"], "claim"), ("locked-chain", "/order", ["accept", "enter"], "order"),
    ("locked-chain", "jump", ["accept", "enter"], "order"), ("locked-tabs", "/help", ["enter"], "help"),
  ])
  func `an intent that makes its own way goes on after its guards`(
    name: String, intent: String, gates: [String], end: String
  ) throws {
    var session = try Self.session(name)
    if intent.hasPrefix("/") { try session.open(intent) } else { try session.act(intent) }
    for gate in gates {
      #expect(session.view.screen.name != end)
      let packed = try session.app.unpack(session.app.pack(session.state))
      #expect(packed.pendingIntents == session.state.pendingIntents)
      try session.act(gate)
    }
    #expect(session.view.screen.name == end && session.state.pendingIntents.isEmpty)
  }

  @Test func `a guard above a locked tab reacts to steps into the tab where the person is`() throws {
    var session = try Self.session("follow-locked")
    try session.act("jump")
    #expect(session.names == ["pin"] && session.view.modals == 1)
    try session.dismiss()
    #expect(session.names == ["home"] && session.state.pending == nil)
  }

  @Test(arguments: ["go", "cover"]) func `an event leaves a sealed screen, and people do not`(action: String) throws {
    var session = try Self.session("sealed-wait")
    try session.act(action)
    #expect(throws: Rejection.self) { try session.back() }
    try session.advance(by: .seconds(1))
    #expect(session.names == ["home"])
  }

  @Test func `what the end of a child shows, even behind a guard, gives way to the link that ends the child`() throws {
    var session = try Self.session("link-over-child")
    try session.act("shop")
    try session.open("/help")
    #expect(session.names == ["home", "help"] && session.view.modals == 0 && session.state.pending == nil)
  }

  @Test(arguments: ["ask", "write"]) func `an event that follows an action waits for the open prompt`(way: String)
    throws
  {
    var session = try Self.session("follow-later")
    try session.act("soon")
    try session.act(way)
    if way == "write" { try session.back() }
    try session.advance(by: .seconds(1))
    #expect(session.view.screen.name == (way == "write" ? "draft" : "home") && session.view.prompt != nil)
    try session.act(way == "write" ? "leave" : "yes")
    try session.advance(by: .seconds(1))
    #expect(session.view.screen.name == "order")
  }

  @Test func `an action that makes its own guard fail is a fault, and is told`() throws {
    var session = try Self.session("guard-each-time")
    try session.act("pay")
    try session.act("enter")
    #expect(session.view.screen.name == "home" && session.view.prompt?.name == "notice")
    #expect("\(try #require(session.faults.first))".contains("guard-each-time › app › guard of pay"))
  }

  @Test func `a modal over a stack without screens is a fault with its location`() throws {
    var session = try Self.session("gates")
    let rejection = try #require(throws: Rejection.self) { try session.act("nothing") }
    #expect("\(rejection)".contains("gates › shop: A modal is presented over a stack without screens"), "\(rejection)")
  }

  @Test func `a modal that ends in a handler leaves the rest of its steps to its coordinator`() throws {
    var session = try Self.session("cross-tab")
    try session.act("sheet")
    try session.act("close-and-see")
    #expect(session.names == ["orders", "order"] && session.view.modals == 0)
  }

  @Test func `steps that open a modal instead of theirs leave the rest to the stack below`() throws {
    var session = try Self.session("cross-tab")
    try session.act("note")
    try session.act("swap")
    #expect(session.view.screen.name == "noted" && session.view.modals == 0)
    try session.back()
    #expect(session.view.screen.name == "peek" && session.view.modals == 1)
  }

  @Test func `an action that follows itself is a fault with its location`() throws {
    var session = try Self.session("gates")
    let rejection = try #require(throws: Rejection.self) { try session.act("again") }
    #expect("\(rejection)".contains("gates › app › action again › command 1, follow"), "\(rejection)")
  }

  @Test func `a person who turns away from the guard of a start ends the coordinator`() throws {
    var session = try Self.session("own-guard")
    try session.act("direct")
    try session.dismiss()
    #expect(session.names == ["home"])
    #expect(session.state.nodes.count == 1 && session.state.lockedStarts.isEmpty && session.state.pending == nil)
  }

  @Test(arguments: ["/vault", "/vault-modal"])
  func `a link through a coordinator with a guard of its own leads to the guarded screen`(link: String) throws {
    var created = try Self.session("own-guard", link: link)
    #expect(created.view.screen.name == "pin")
    try created.act("enter")
    #expect(created.view.screen.name == "vault" && created.state.pending == nil)
    var opened = try Self.session("own-guard")
    try opened.open(link)
    try opened.act("enter")
    #expect(opened.names == created.names)
  }

  @Test func `a timer starts a coordinator with a guard of its own, and the next timer follows`() throws {
    var session = try Self.session("own-guard")
    try session.act("soon")
    try session.advance(by: .seconds(1))
    #expect(session.view.screen.name == "pin")
    try session.act("enter")
    #expect(session.names == ["home", "vault2"])
    try session.advance(by: .seconds(1))
    #expect(session.view.screen.name == "ticked")
  }

  @Test func `a timer starts a locked coordinator while an intent of the person waits`() throws {
    var session = try Self.session("own-guard")
    try session.act("soon")
    try session.act("account")
    try session.act("vault")
    #expect(session.view.screen.name == "pin" && session.state.pending != nil)
    try session.advance(by: .seconds(1))
    #expect(session.state.pending != nil)
    try session.act("enter")
    try session.act("enter")
    #expect(session.names.contains("vault") && session.names.contains("vault2"))
  }

  @Test func `a tab with a guard of its own shows its reaction, and then its screen`() throws {
    var session = try Self.session("own-guard")
    try session.act("tabs")
    try session.select(tab: "direct")
    #expect(session.view.screen.name == "pin")
    try session.act("enter")
    #expect(session.view.screen.name == "vault2")
  }

  @Test func `a link goes on after a guard at each level`() throws {
    var session = try Self.session("two-levels", link: "/vault")
    #expect(session.view.screen.name == "sign-in")
    try session.act("enter")
    #expect(session.view.screen.name == "pin")
    try session.act("enter")
    #expect(session.names == ["home", "account", "vault"])
  }

  /// A flow with two guards of the vault. The reaction of the first one lets people sign in, which passes the second one.
  private static func vault() throws -> TestSession {
    try TestSession(
      FlowRunTests.app(
        """
        coordinators:
          main:
            state: {terms: {type: boolean, default: false}, signedIn: {type: boolean, default: false}}
            start: [{push: home}]
            guards:
              - {screen: vault, until: =terms, otherwise: [{push: terms}]}
              - {screen: vault, until: =signedIn, otherwise: [{push: sign-in}]}
            handles:
              vault: [{push: vault}]
              accept: [{set: {terms: true}}]
              sign-in-first: [{set: {signedIn: true}}, pop]
              enter: [{set: {signedIn: true}}, pop]
        screens:
          home: {actions: {vault: }}
          terms: {actions: {accept: , sign-in-first: }}
          sign-in: {actions: {enter: }}
          vault:
        """))
  }

  @Test func `an intent whose gate has passed another guard meets its own guard again`() throws {
    var session = try Self.vault()
    try session.act("vault")
    try session.act("sign-in-first")
    #expect(session.names == ["home", "terms"] && session.state.pending != nil)
    try session.act("accept")
    #expect(session.names == ["home", "vault"])
  }

  @Test(arguments: [false, true])
  func `an intent goes on after each guard of one screen`(isLink: Bool) throws {
    var session = try Self.session("two-guards")
    if isLink { try session.open("/vault") } else { try session.act("vault") }
    #expect(session.view.screen.name == "terms")
    try session.act("accept")
    #expect(session.view.screen.name == "sign-in")
    try session.act("enter")
    #expect(session.names == ["home", "vault"])
  }

  @Test func `an intent ends at the guard from which the person turns away`() throws {
    var session = try Self.session("two-guards")
    try session.act("vault")
    try session.act("accept")
    try session.back()
    #expect(session.names == ["home"] && session.state.pending == nil)
  }

  @Test(arguments: [false, true])
  func `the reaction of a guard is guarded itself`(isLink: Bool) throws {
    var session = try Self.session("chained-guards", link: isLink ? "/vault" : nil)
    if !isLink { try session.act("vault") }
    #expect(session.view.screen.name == "terms")
    try session.act("accept")
    #expect(session.view.screen.name == "sign-in")
    try session.act("enter")
    #expect(session.names == ["home", "vault"])
  }

  @Test func `the reaction of a guard is guarded by a coordinator above`() throws {
    var session = try Self.session("chained-levels")
    try session.act("open")
    try session.act("vault")
    #expect(session.names == ["home", "hall", "sign-in"])
    try session.act("enter")
    #expect(session.names == ["home", "hall", "pin"])
    try session.act("type")
    #expect(session.names == ["home", "hall", "vault"] && session.state.pending == nil)
  }

  @Test func `an answer to leave a screen counts after a guard`() throws {
    var session = try Self.session("leave-guard")
    try session.act("write")
    try session.act("vault")
    try session.act("leave")
    #expect(session.view.screen.name == "sign-in")
    try session.act("enter")
    #expect(session.names == ["home", "vault"] && session.state.pending == nil)
  }

  @Test(arguments: ["leave", "stay"])
  func `a question that a pending intent meets keeps it until the answer`(answer: String) throws {
    var session = try Self.session("late-question")
    try session.act("soon")
    try session.act("vault")
    try session.advance(by: .seconds(1))
    #expect(session.view.screen.name == "sign-in")
    try session.act("enter")
    #expect(session.view.prompt?.name == "leave" && session.state.pending != nil)
    try session.act(answer)
    #expect(session.names == (answer == "leave" ? ["home", "vault"] : ["home", "draft"]))
    #expect(session.state.pending == nil)
  }

  // MARK: Stacks and modals

  @Test func `the commands after a dismissal act on the stack below`() throws {
    var session = try Self.session("dismiss-then")
    try session.act("open")
    try session.act("close-and-push")
    #expect(session.names == ["home", "detail"] && session.view.modals == 0)
    try session.back()
    try session.act("open")
    try session.act("close-and-present")
    #expect(session.view.screen.name == "other" && session.view.modals == 1)
  }

  @Test func `a child that dismisses its modal goes on below it`() throws {
    var session = try Self.session("dismiss-child")
    for verb in ["push", "present", "start", "set-stack"] {
      try session.act("sheet")
      try session.act(verb)
      #expect(session.view.screen.name == (verb == "start" ? "step" : "detail"), "\(verb)")
      #expect(session.view.modals == (verb == "present" ? 1 : 0), "\(verb)")
      while session.view.back != nil { try session.back() }
      #expect(session.state.nodes.count == (verb == "set-stack" ? 2 : 1), "\(verb)")
    }
  }

  @Test func `a root coordinator without a screen starts again`() throws {
    var session = try Self.session("last-screen")
    try session.act("next")
    #expect(session.view.screen.name == "step" && session.state.nodes.count == 2)
    var front = try Self.session("front-min")
    try front.act("wizard")
    try front.act("home")
    try front.back()
    try front.act("done")
    #expect(front.names == ["home"] && front.state.nodes.count == 1)
  }

  @Test func `a pop after the end of the children that had the whole stack changes nothing`() throws {
    var session = try Self.session("children-popped")
    try session.act("open")
    #expect(session.names == ["list", "a", "b"])
    try session.act("close")
    #expect(session.names == ["list"])
    session = try Self.session("children-popped")
    try session.act("wizard")
    try session.act("done")
    #expect(session.names == ["list"] && session.view.modals == 0)
  }

  @Test func `the steps of a handler wait for a coordinator that it has started`() throws {
    for way in ["pay", "pay-in-one"] {
      var session = try Self.session("start-then-follow")
      try session.act(way)
      #expect(session.view.screen.name == "pin")
      try session.act("enter")
      #expect(session.names == ["home", "balance", "transfer"], "\(way)")
    }
  }

  // MARK: Tabs

  @Test func `a handler shows a screen in another tab through the coordinator of the tab`() throws {
    var session = try Self.session("cross-tab")
    try session.act("cover", ["id": "a8"])
    try session.act("see-order", ["id": "a7"])
    #expect(session.names == ["orders", "order"] && session.view.tabBar?.selected == 1)
    try session.act("see-order", ["id": "a8"])
    #expect(session.names == ["orders", "order"] && session.view.data == ["id": "a8"])
    let unknown = try #require(throws: Rejection.self) { try session.act("see-order", ["id": "b1"]) }
    #expect("\(unknown)".contains("cross-tab › app › action see-order"), "\(unknown)")
    let lost = try #require(throws: Rejection.self) { try session.act("lost") }
    #expect("\(lost)".contains("cross-tab › app › action lost › command 1, follow"), "\(lost)")
  }

  @Test(arguments: ["order", "modal"], ["inbox", "re-inbox"])
  func `a selected tab is shown, also under a screen that covers the tab bar`(cover: String, select: String) throws {
    var session = try Self.session("select-covered")
    try session.act(cover)
    try session.act(select)
    #expect(session.view.screen.name == "inbox" && session.view.modals == 0)
  }
}

extension TestSession {
  /// The names of the screens of the visible stack, bottom first.
  var names: [String] { view.stack.map { app.screens[$0.screen ?? 0].name } }
}
