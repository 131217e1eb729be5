import Testing
import UsherTesting
import Values

@testable import Navigation

/// Properties of screens that effects fetch.
@Suite struct LoadTests {
  private var session: TestSession

  init() throws { session = try TestSession(Market.app()) }

  private var loading: [String] { session.view.loads.filter { $0.problem == nil }.map(\.field) }
  private var problems: [String] { session.view.loads.filter { $0.problem != nil }.map(\.field) }

  @Test mutating func `the step that shows a screen requests its data, and the outcome fills it`() throws {
    #expect(session.pendingEffects.isEmpty)
    try session.act("browse")
    #expect(session.pendingEffects == ["fetch-goods"])
    #expect(session.view.data == ["query": "", "goods": .null])
    #expect(loading == ["goods"])
    try session.complete(FetchGoods.self, with: ["tea", "jam"])
    #expect(session.view.data["goods"] == ["tea", "jam"])
    #expect(session.view.content == [.text("tea jam")])
    #expect(session.view.loads.isEmpty)
    #expect(session.state.work.isEmpty)
  }

  @Test mutating func `fresh data is not fetched again, and older data is shown until new data arrives`() throws {
    try session.act("browse")
    try session.complete(FetchGoods.self, with: ["tea"])
    try session.act("open", ["good": "tea"])
    try session.complete(FetchGood.self, with: Good(name: "tea", cents: 300))
    try session.advance(by: .seconds(59))
    try session.back()
    #expect(session.pendingEffects.isEmpty)
    try session.act("open", ["good": "jam"])
    try session.advance(by: .seconds(1))
    try session.back()
    #expect(session.pendingEffects == ["fetch-goods"])
    #expect(session.view.data["goods"] == ["tea"])
    #expect(loading == ["goods"])
    try session.complete(FetchGoods.self, with: ["jam"])
    #expect(session.view.data["goods"] == ["jam"])
  }

  @Test mutating func `a screen that stays visible does not fetch its data again`() throws {
    try session.act("browse")
    try session.complete(FetchGoods.self, with: ["tea"])
    try session.advance(by: .seconds(600))
    try session.act("count")
    #expect(session.pendingEffects.isEmpty)
  }

  @Test mutating func `a failure is a problem of the screen, which the user can try again`() throws {
    try session.act("browse")
    try session.fail(FetchGoods.self, with: EffectFailure(.status, status: 503))
    #expect(problems == ["goods"])
    #expect(session.view.loads.first?.problem == "The market is closed.")
    #expect(throws: Rejection.unavailable(.nothingToReload("query"))) { try session.reload("query") }
    try session.act("count")
    #expect(session.pendingEffects.isEmpty)
    try session.reload("goods")
    #expect(loading == ["goods"] && problems.isEmpty)
    #expect(throws: Rejection.unavailable(.nothingToReload("goods"))) { try session.reload("goods") }
    try session.complete(FetchGoods.self, with: ["tea"])
    #expect(session.view.loads.isEmpty)
    #expect(session.view.data["goods"] == ["tea"])
    #expect(throws: Rejection.unavailable(.nothingToReload("goods"))) { try session.reload("goods") }
  }

  @Test mutating func `after a failure the data is fetched again when the screen becomes visible again`() throws {
    try session.act("browse")
    try session.fail(FetchGoods.self, with: EffectFailure(.timeout))
    try session.act("open", ["good": "tea"])
    try session.back()
    #expect(session.pendingEffects == ["fetch-goods"])
  }

  @Test mutating func `a failure leaves older data, and its age, as they are`() throws {
    try session.act("browse")
    try session.complete(FetchGoods.self, with: ["tea"])
    let arrival = session.now
    try session.act("open", ["good": "tea"])
    try session.advance(by: .seconds(61))
    try session.back()
    try session.fail(FetchGoods.self, with: EffectFailure(.timeout))
    #expect(session.state.loaded.first?.arrivedAt == arrival)
    #expect(session.view.data["goods"] == ["tea"])
    #expect(problems == ["goods"])
    try session.reload("goods")
    #expect(session.view.data["goods"] == ["tea"])
  }

  @Test mutating func `a hidden screen receives its data`() throws {
    try session.act("browse")
    try session.act("open", ["good": "tea"])
    #expect(session.pendingEffects == ["fetch-goods", "fetch-good"])
    try session.complete(FetchGoods.self, with: ["tea"])
    try session.back()
    #expect(session.view.data["goods"] == ["tea"])
    #expect(session.pendingEffects.isEmpty)
  }

  @Test mutating func `the data of a screen that was left is not awaited`() throws {
    try session.act("browse")
    try session.back()
    #expect(session.state.work.isEmpty)
    try session.act("browse")
    try session.complete(FetchGoods.self, with: ["tea"])
    try session.back()
    #expect(session.state.loaded.isEmpty)
  }

  @Test mutating func `data that depends on the coordinator is fetched again when that changes`() throws {
    try session.act("browse")
    try session.complete(FetchGoods.self, with: ["tea"])
    try session.act("search", ["query": "ja"])
    #expect(session.view.data == ["query": "ja", "goods": .null])
    #expect(try session.effects(FetchGoods.self).map(\.query) == ["ja"])
    try session.act("search", ["query": "jam"])
    #expect(try session.effects(FetchGoods.self).map(\.query) == ["jam"])
    // Nothing to fetch.
    try session.act("search", ["query": "?"])
    #expect(session.pendingEffects.isEmpty)
    #expect(session.view.loads.isEmpty)
  }

  @Test mutating func `a property can be kept out of the data for clients`() throws {
    try session.act("browse")
    try session.act("open", ["good": "tea"])
    try session.complete(FetchGood.self, with: Good(name: "tea", cents: 300))
    #expect(session.view.data == ["id": "tea"])
    #expect(session.view.content == [.text("tea 300")])
  }

  @Test mutating func `a coordinator does not cancel the requests of its screens`() throws {
    try session.act("browse")
    let before = session.state.work
    try session.act("cancel")
    #expect(session.pendingEffects == ["fetch-goods"] && session.state.work == before)
  }

  @Test mutating func `hidden screens give their requests up for those of the visible one`() throws {
    try session.act("browse")
    for number in 1...100 { try session.act("open", ["good": Value("\(number)")]) }
    #expect(session.pendingEffects.count == 64)
    #expect(try session.effects(FetchGood.self).first?.id == "37")
    #expect(try session.effects(FetchGood.self).last?.id == "100")
    while session.titles.count > 2 { try session.back() }
    #expect(session.pendingEffects == ["fetch-goods"])
  }

  @Test mutating func `a screen behind a prompt fetches nothing again on behalf of the user`() throws {
    try session.act("browse")
    try session.fail(FetchGoods.self, with: EffectFailure(.timeout))
    try session.act("ask")
    #expect(throws: Rejection.unavailable(.promptIsOpen)) { try session.reload("goods") }
  }

  @Test mutating func `the end of the session ends its requests`() throws {
    try session.act("browse")
    try session.act("end")
    #expect(session.state.isFinished)
    #expect(session.pendingEffects.isEmpty)
  }

  @Test func `mistakes in the declaration of a load are faults`() throws {
    let faults = #expect(throws: WiringFaults.self) {
      try AppDefinition(App("mistakes", title: "Mistakes") { Mistakes() })
    }
    #expect(faults.map { $0.faults.map(\.fault) } == [.loadOfUnstoredProperty, .repeatedLoad])
    #expect(throws: Rejection.fault(.loadOfUnknownProperty("goods", screen: "renamed"))) {
      try TestSession(App("renamed", title: "Renamed") { ShowsRenamed() })
    }
  }

  @Test func `an effect that depends on its own property is not requested by its own outcome`() throws {
    var session = try TestSession(App("circular", title: "Circular") { ShowsCircular() })
    try session.complete(FetchGoods.self, with: ["tea"])
    #expect(session.view.data == ["goods": ["tea"], "more": .null])
    #expect(session.pendingEffects == ["fetch-good"])
    try session.complete(FetchGood.self, with: Good(name: "1", cents: 0))
    #expect(session.pendingEffects.isEmpty)
    #expect(session.view.data["more"] != .null && session.view.data["goods"] == ["tea"])
  }

  @Test mutating func `hidden screens give their requests up for an effect of the user`() throws {
    try session.act("browse")
    for number in 1...64 { try session.act("open", ["good": Value("\(number)")]) }
    try session.act("fetch")
    #expect(session.pendingEffects.count == 64 && session.pendingEffects.last == "fetch-goods")
  }

  @Test mutating func `a problem has no retry while a prompt is open, and after the end`() throws {
    try session.act("browse")
    try session.fail(FetchGoods.self, with: EffectFailure(.timeout))
    #expect(session.view.loads.map(\.canReload) == [true])
    try session.act("ask")
    #expect(session.view.loads.map(\.canReload) == [false])
    try session.back()
    try session.act("end")
    #expect(session.view.loads.map(\.canReload) == [false])
  }

  // Versions of one app: its screen gains a load, loses it, or loads with another effect.
  @Test func `a screen that gains a load shows it as a problem, and loads it at the next step`() throws {
    let (old, new) = try (AppDefinition(Shop<PlainWares>.app()), AppDefinition(Shop<LoadedWares>.app()))
    var state = try new.unpack(old.pack(try old.create()))
    let view = try new.view(of: state)
    #expect(view.loads == [VisibleLoad(field: "goods", problem: "This could not be loaded.", canReload: true)])
    state = try new.perform(.reload("goods"), on: state)
    let work = try #require(state.work.first)
    guard case .applied(let loaded) = try new.apply(.done(work.id, ["tea"]), to: state) else {
      Issue.record("The data is not applied.")
      return
    }
    #expect(try new.view(of: loaded).data == ["goods": ["tea"]])
    // Back in the old version, the data has no load, and the session goes on.
    var returned = try old.unpack(new.pack(loaded))
    #expect(returned.loaded.count == 1)
    returned = try old.perform(.action(name: "next", input: .emptyObject), on: returned)
    #expect(returned.loaded.isEmpty)
  }

  @Test func `the outcome of a load that the app no longer has is ignored`() throws {
    let (old, new) = try (AppDefinition(Shop<LoadedWares>.app()), AppDefinition(Shop<OtherWares>.app()))
    let state = try new.unpack(old.pack(try old.create()))
    let work = try #require(state.work.first)
    guard case .applied(let after) = try new.apply(.done(work.id, ["tea"]), to: state) else {
      Issue.record("The outcome is stuck.")
      return
    }
    #expect(try new.view(of: after).data["goods"] == .null)
    #expect(after.work.map { new.name(of: $0) } == ["fetch-more"])
  }
}

// MARK: - An app with loads

private struct Market: Coordinator {
  static let name = "market"
  var query = ""
  var count = 0

  static func app() -> App { App("market", title: "Market") { Market() } }

  func start(_ nav: inout Navigator<Self>) { nav.push(Entrance()) }

  static let wiring = Wiring<Self>()
    .shows(Entrance.self)
    .shows(Goods.self) { market, goods in goods.query = market.query }
    .shows(GoodDetail.self)
    .asks(Sure.self)
    .performs(FetchGoods.self, done: { _, _, _ in }, failed: { _, _, _ in })
    .on(Browse.self) { _, _, nav in nav.push(Goods()) }
    .on(OpenGood.self) { _, action, nav in nav.push(GoodDetail(id: action.good)) }
    .on(SearchGoods.self) { market, action, _ in market.query = action.query }
    .on(Count.self) { market, _, _ in market.count += 1 }
    .on(CancelGoods.self) { _, _, nav in nav.cancel(FetchGoods.self) }
    .on(PerformFetch.self) { _, _, nav in nav.perform(FetchGoods(query: "own")) }
    .on(AskSure.self) { _, _, nav in nav.ask(Sure()) }
    .on(EndMarket.self) { _, _, nav in nav.finish() }
}

private struct Entrance: Screen {
  static let name = "entrance"
  static let title: Title<Self> = "Entrance"
  static let actions: [any Action.Type] = [Browse.self]
}

private struct Goods: Screen {
  static let name = "goods"
  static let title: Title<Self> = "Goods"
  static let actions: [any Action.Type] = [
    OpenGood.self, SearchGoods.self, Count.self, CancelGoods.self, AskSure.self, EndMarket.self,
  ]
  static let loads = [
    Load<Self>(\.goods, problem: "The market is closed.") { $0.query == "?" ? nil : FetchGoods(query: $0.query) }
  ]
  var query = ""
  var goods: [String]?
  var content: [Block] { goods.map { [.text("\($0.joined(separator: " "))")] } ?? [] }
}

private struct GoodDetail: Screen {
  static let name = "good"
  static let title: Title<Self> = "Good"
  static let actions: [any Action.Type] = [OpenGood.self, PerformFetch.self]
  static let loads = [Load<Self>(\.good, isData: false) { FetchGood(id: $0.id) }]
  var id: String
  var good: Good?
  var content: [Block] { good.map { [.text("\($0.name) \($0.cents)")] } ?? [] }
}

private struct Good: Codable, Equatable {
  var name: String
  var cents: Int
}

private struct FetchGoods: PublicEffect {
  static let name = "fetch-goods"
  var query: String
  func run(_ context: EffectContext<Self>) async throws -> [String] { [] }
}

private struct FetchGood: Effect {
  static let name = "fetch-good"
  var id: String
  func run(_ context: EffectContext<Self>) async throws -> Good { Good(name: id, cents: 0) }
}

private struct Sure: Prompt {
  static let name = "sure"
  static let actions: [any Action.Type] = [Count.self]
  var title: Text { "Sure?" }
  var message: Text { "" }
}

private struct Browse: Action { static let name = "browse", title: Text = "Browse" }
private struct Count: Action { static let name = "count", title: Text = "Count" }
private struct PerformFetch: Action { static let name = "fetch", title: Text = "Fetch" }
private struct CancelGoods: Action { static let name = "cancel", title: Text = "Cancel" }
private struct AskSure: Action { static let name = "ask", title: Text = "Ask" }
private struct EndMarket: Action { static let name = "end", title: Text = "End" }
private struct OpenGood: Action {
  static let name = "open"
  static let title: Text = "Open"
  @Field("Good") var good: String
}
private struct SearchGoods: Action {
  static let name = "search"
  static let title: Text = "Search"
  @Field("Query") var query: String
}

// MARK: - Apps with mistakes

private struct Mistakes: Coordinator {
  static let name = "mistakes"
  func start(_ nav: inout Navigator<Self>) { nav.push(Mistaken()) }
  static let wiring = Wiring<Self>().shows(Mistaken.self)
}

private struct Mistaken: Screen {
  static let name = "mistaken"
  static let title: Title<Self> = "Mistaken"
  static let loads = [
    Load<Self>(\.computed) { _ in FetchGoods(query: "") },
    Load<Self>(\.goods) { _ in FetchGoods(query: "") },
    Load<Self>(\.goods) { _ in FetchGoods(query: "?") },
  ]
  var goods: [String]?
  var computed: [String]? { goods }
}

private struct ShowsRenamed: Coordinator {
  static let name = "renames"
  func start(_ nav: inout Navigator<Self>) { nav.push(Renamed()) }
  static let wiring = Wiring<Self>().shows(Renamed.self)
}

private struct Renamed: Screen {
  enum CodingKeys: String, CodingKey { case goods = "wares" }
  static let name = "renamed"
  static let title: Title<Self> = "Renamed"
  static let loads = [Load<Self>(\.goods) { _ in FetchGoods(query: "") }]
  var goods: [String]?
}

private struct ShowsCircular: Coordinator {
  static let name = "circular"
  func start(_ nav: inout Navigator<Self>) { nav.push(Circular()) }
  static let wiring = Wiring<Self>().shows(Circular.self)
}

private struct Circular: Screen {
  static let name = "circular"
  static let title: Title<Self> = "Circular"
  static let loads = [
    Load<Self>(\.goods) { $0.goods == nil ? FetchGoods(query: "") : nil },
    Load<Self>(\.more) { screen in screen.goods.map { FetchGood(id: "\($0.count) \(screen.more?.name ?? "")") } },
  ]
  var goods: [String]?
  var more: Good?
}

// MARK: - Versions of an app

private protocol Wares: Screen {
  init()
}

private struct Shop<Of: Wares>: Coordinator {
  static var name: String { "shop" }
  static func app() -> App { App("shop", title: "Shop") { Shop() } }

  func start(_ nav: inout Navigator<Self>) { nav.push(Of()) }

  static var wiring: Wiring<Self> { Wiring<Self>().shows(Of.self).on(Next.self) { _, _, nav in nav.replaceTop(Of()) } }
}

private struct Next: Action { static let name = "next", title: Text = "Next" }

private struct PlainWares: Wares {
  static let name = "wares"
  static let title: Title<Self> = "Wares"
  static let actions: [any Action.Type] = [Next.self]
}

private struct LoadedWares: Wares {
  static let name = "wares"
  static let title: Title<Self> = "Wares"
  static let actions: [any Action.Type] = [Next.self]
  static let loads = [Load<Self>(\.goods) { _ in FetchGoods(query: "") }]
  var goods: [String]?
}

private struct OtherWares: Wares {
  static let name = "wares"
  static let title: Title<Self> = "Wares"
  static let actions: [any Action.Type] = [Next.self]
  static let loads = [
    Load<Self>(\.goods) { _ in FetchMore() }, Load<Self>(\.old) { _ -> FetchGoods? in nil },
  ]
  var goods: [String]?
  var old: [String]?
}

private struct FetchMore: Effect {
  static let name = "fetch-more"
  func run(_ context: EffectContext<Self>) async throws -> [String] { [] }
}
