import Navigation
import TestSupport
import Testing
import Values

/// Lists in all representations: items with actions, pages, and choices that depend on the data.
@Suite(.limitedConcurrency) struct ListTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess, apps: [Shelf.app]) }

  private func get(_ target: String, as type: String = "application/json") async throws -> Answer {
    try await service.send("GET", target, headers: ["Accept": type])
  }

  /// The lists of a view.
  private func lists(_ view: JSON) -> [JSON] {
    view["screen", "content"].array.filter { $0["type"].string == "list" }
  }

  @Test func `a list has pages, and its links keep the pages of other lists`() async throws {
    let visitor = try await service.start("shelf")
    let first = lists(visitor.view)
    #expect(first.map { $0["items"].array.count } == [50, 2, 1, 500])
    #expect(first.map { $0["total"].int } == [120, 3, 1, 1200])
    #expect(first[0]["links", "previous"].isNull)
    #expect(first[0]["links", "next"].string == "\(visitor.path)?rows=1.50")
    let contract = Contract(document: try await service.send("GET", "/openapi.json").json)
    for type in ["application/json", "application/vnd.siren+json"] {
      contract.check(try await get(visitor.path, as: type), "GET", "/v1/sessions/{id}")
    }
    let second = lists(try await get(try #require(first[0]["links", "next"].string)).json)
    #expect(second[0]["items"].strings("title").first == "Good 50")
    #expect(second[0]["links", "previous"].string == "\(visitor.path)?rows=1.0")
    let both = lists(try await get(try #require(second[1]["links", "next"].string)).json)
    #expect(both[0]["items"].strings("title").first == "Good 50")
    #expect(both[1]["items"].strings("title") == ["third"])
    #expect(both[1]["links", "next"].isNull)
    let last = lists(try await get(try #require(both[0]["links", "next"].string)).json)
    #expect(last[0]["items"].array.count == 20 && last[0]["links", "next"].isNull)
    #expect(last[1]["items"].strings("title") == ["third"])
  }

  @Test func `a page beyond the end is the last one, and a malformed one is refused`() async throws {
    let visitor = try await service.start("shelf")
    let beyond = lists(try await get(visitor.path + "?rows=1.999999999,7.3,3.1").json)
    #expect(beyond[0]["items"].strings("title").first == "Good 100")
    for rows in ["", "1", "1.", ".1", "1.2.3", "1.-1", "1.2,", "a.b", "1.1234567890", "1.%31%31x"] {
      let answer = try await get(visitor.path + "?rows=\(rows)")
      #expect(answer.status == 400 && answer.problem == "invalid-request", "\(rows)")
    }
    #expect(try await get(visitor.path + "?rows=1.2&rows=1.3").status == 400)
  }

  @Test func `an item performs its action with its input`() async throws {
    let visitor = try await service.start("shelf")
    let item = lists(try await get(visitor.path + "?rows=1.50").json)[0]["items"][3]
    #expect(item["detail"].string == "53 cents" && item["image"].string == "/goods/53.png")
    #expect(item["action", "name"].string == "take" && item["action", "title"].string == "Take")
    #expect(item["action", "input"] == JSON(["good": "g53", "count": 1]))
    let href = try #require(item["action", "href"].string)
    let taken = try await service.send("POST", href, #"{"good": "g53", "count": 1}"#)
    #expect(taken.json["screen", "data", "taken"].string == "g53")
    // The same tap again changes nothing.
    let again = try await service.send("POST", href, #"{"good": "g53", "count": 1}"#)
    #expect(again.header("Idempotency-Replayed") == "true")
    #expect(lists(visitor.view)[1]["items"].array.allSatisfy { $0["action"].isNull && $0["image"].isNull })
  }

  @Test func `a page has at most 500 items`() async throws {
    let list = lists(try await service.start("shelf").view)[3]
    #expect(list["total"].int == 1200 && list["items"].array.count == 500)
    let second = try await get(try #require(list["links", "next"].string)).json
    #expect(lists(second)[3]["items"][0]["title"].string == "Row 500")
  }

  @Test func `an item whose action is not available has none`() async throws {
    let visitor = try await service.start("shelf")
    try await visitor.act("close")
    #expect(lists(visitor.view)[0]["items"].array.allSatisfy { $0["action"].isNull })
    #expect(!(try await get(visitor.path, as: "text/html").text.contains("name=\"good\"")))
    let text = try await get(visitor.path, as: "text/plain").text
    #expect(text.contains("  • Good 0 – 0 cents\n"))
  }

  @Test func `an amount of an item has its decimal places in a form`() async throws {
    let visitor = try await service.start("shelf")
    let page = try await get(visitor.path, as: "text/html").text
    #expect(page.contains("<input type=\"hidden\" name=\"cents\" value=\"12.50\">"))
    let form = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"]
    _ = try await service.send("POST", visitor.path + "/actions/pay", "cents=12.50", headers: form)
    #expect(try await get(visitor.path).json["screen", "data", "taken"].string == "1250")
  }

  @Test func `a value that is not among the choices of the screen is refused`() async throws {
    let visitor = try await service.start("shelf")
    let refused = try await visitor.attempt("/actions/take", #"{"good": "g120", "count": 1}"#)
    #expect(refused.status == 422 && refused.json["errors"][0]["pointer"].string == "/good")
    #expect(refused.json["errors"][0]["keyword"].string == "enum")
    #expect(try await visitor.attempt("/actions/take", #"{"good": "g119", "count": 1}"#).status == 200)
  }

  @Test func `the schema lists the choices of the screen, unless its items carry them`() async throws {
    let visitor = try await service.start("shelf")
    let actions = visitor.view["actions"]
    let take = JSON.first(of: actions, named: "take")["input", "properties", "good"]
    #expect(take["enum"].isMissing)
    let mark = JSON.first(of: actions, named: "mark")["input", "properties", "word"]
    #expect(mark["enum"].array.map(\.string) == ["first", "second", "third"])
    #expect(mark["oneOf"][0]["title"].string == "The first")
    let page = try await get(visitor.path, as: "text/html").text
    #expect(page.contains("<option value=\"second\">The second</option>"))
    let siren = try await get(visitor.path, as: "application/vnd.siren+json").json
    let field = JSON.first(of: siren["actions"], named: "mark")["fields"][0]
    #expect(field["type"].string == "radio" && field["value"].strings("value") == ["first", "second", "third"])
  }

  @Test func `a page has a button for each item, links to other pages, and no form for their action`() async throws {
    let visitor = try await service.start("shelf")
    let page = try await get(visitor.path + "?rows=1.50", as: "text/html").text
    #expect(page.contains("<input type=\"hidden\" name=\"good\" value=\"g50\">"))
    #expect(page.contains("<input type=\"hidden\" name=\"count\" value=\"1\">"))
    #expect(page.contains("<a href=\"\(visitor.path)?rows=1.0\" rel=\"prev\">Previous</a>"))
    #expect(page.contains("<a href=\"\(visitor.path)?rows=1.100\" rel=\"next\">Next</a>"))
    #expect(page.contains("<span>51–100 of 120</span>"))
    #expect(!page.contains("id=\"take-good\"") && page.contains("id=\"mark-word\""))
    let form = ["Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"]
    let taken = try await service.send("POST", visitor.path + "/actions/take", "good=g51&count=1", headers: form)
    #expect(taken.status == 303)
    #expect(try await get(visitor.path).json["screen", "data", "taken"].string == "g51")
  }

  @Test func `text has a key for each item, and for other pages`() async throws {
    let visitor = try await service.start("shelf")
    let text = try await get(visitor.path + "?rows=1.50", as: "text/plain").text
    #expect(text.contains("  4   Good 50 – 50 cents\n") && text.contains("  53  Good 99 – 99 cents\n"))
    #expect(text.contains("      50 of 120\n"))
    #expect(text.contains("\n\n  1   Mark (Word)\n  2   Close\n  3   Break (Kind)\n"))
    #expect(text.contains("  n   Next page\n  p   Previous page\n"))
    #expect(!text.contains("Take"))
  }

  @Test func `Siren has an entity for each item, with its action and the pages`() async throws {
    let visitor = try await service.start("shelf")
    let siren = try await get(visitor.path + "?rows=1.50", as: "application/vnd.siren+json").json
    let list = siren["entities"][0]
    #expect(list["properties", "total"].int == 120)
    #expect(list["links"].array.map { $0["rel"][0].string } == ["next", "prev"])
    let action = list["entities"][1]["actions"][0]
    #expect(action["name"].string == "take")
    #expect(action["fields"].array.map { $0["value"].string ?? "" } == ["g51", ""])
    #expect(action["fields"].array.allSatisfy { $0["type"].string == "hidden" })
    #expect(siren["entities"].array.count == 4)
  }

  @Test func `an item with an action that its screen does not offer, or with other fields, is a fault`()
    async throws
  {
    let visitor = try await service.start("shelf", #","locale":"de""#)
    for kind in ["unoffered", "unknown", "incomplete"] {
      let broken = try await visitor.attempt("/actions/break", #"{"kind": "\#(kind)"}"#)
      #expect(broken.status == 500 && broken.json["title"].string == "Interner Fehler")
    }
    let page = try await service.submit(
      visitor.path + "/actions/break?revision=1", ["kind": "unoffered"], headers: ["Accept": browser])
    #expect(page.status == 500 && page.text.contains("Etwas ist schiefgegangen."))
    #expect(page.text.contains("/actions/take"), "The page of the session stays.")
    #expect(try await get(visitor.path).json["screen", "name"].string == "shelf")
  }

  @Test func `mistakes in the declaration of choices are faults`() throws {
    let faults = #expect(throws: WiringFaults.self) {
      try AppDefinition(App("mistaken", title: "Mistaken") { MistakenShelf() })
    }
    #expect(
      faults.map { $0.faults.map(\.fault) } == [.limitOfUnofferedAction, .choicesOfOtherField, .choicesOfOtherField])
  }
}

// MARK: - An app with lists

private struct Shelf: Coordinator {
  static let name = "shelf"
  static let app = App("shelf", title: "Shelf") { Shelf() }
  var isClosed = false
  var taken = ""

  func start(_ nav: inout Navigator<Self>) { nav.push(ShelfScreen()) }

  static let wiring = Wiring<Self>()
    .shows(ShelfScreen.self) { shelf, screen in screen.taken = shelf.taken }
    .shows(BrokenShelf.self)
    .on(Take.self, disabled: { $0.isClosed ? "The shelf is closed." : nil }) { shelf, take, _ in
      shelf.taken = take.good
    }
    .on(Mark.self) { _, _, _ in }
    .on(PayCents.self) { shelf, action, _ in shelf.taken = "\(action.cents)" }
    .on(Close.self) { shelf, _, _ in shelf.isClosed = true }
    .on(Break.self) { _, action, nav in nav.push(BrokenShelf(kind: action.kind)) }
}

private struct ShelfScreen: Screen {
  static let name = "shelf"
  static let title: Title<Self> = "Shelf"
  static let actions: [any Action.Type] = [Take.self, Mark.self, PayCents.self, Close.self, Break.self]
  static let choices = [
    Choices<Self>("good", of: Take.self, isListed: false) { $0.goods.map { Choice("g\($0)", title: "Good \($0)") } },
    Choices<Self>("word", of: Mark.self) { $0.words.map { Choice($0, title: "The \($0)") } },
  ]
  var taken = ""

  var goods: [Int] { Array(0..<120) }
  var words: [String] { ["first", "second", "third"] }
  var content: [Block] {
    [
      .heading("Goods"),
      .list(goods) { number in
        .init(
          "Good \(number)", detail: "\(number) cents", image: "/goods/\(number).png",
          action: Take.self, ["good": "g\(number)", "count": 1])
      },
      .list(words.map { .init(Text($0)) }, pageSize: 2),
      .list([.init("Pay", action: PayCents.self, ["cents": 1250])]),
      .list(Array(0..<1200), pageSize: .max) { .init("Row \($0)") },
    ]
  }
}

private struct BrokenShelf: Screen {
  static let name = "broken"
  static let title: Title<Self> = "Broken"
  static let actions: [any Action.Type] = [Take.self]
  var kind: String
  var content: [Block] {
    switch kind {
    case "unknown": [.list([.init("Take", action: Take.self, ["good": "g1", "count": 1, "size": 2])])]
    case "incomplete": [.list([.init("Take", action: Take.self, ["good": "g1"])])]
    default: [.list([.init("Mark", action: Mark.self, ["word": "first"])])]
    }
  }
}

private struct Take: Action {
  static let name = "take"
  static let title: Text = "Take"
  @Field("Good") var good: String
  @Field("Count", in: 1...9) var count: Int
}

private struct PayCents: Action {
  static let name = "pay"
  static let title: Text = "Pay"
  @Field("Amount", decimals: 2, in: 0...100_000) var cents: Int
}

private struct Mark: Action {
  static let name = "mark"
  static let title: Text = "Mark"
  @Field("Word") var word: String
}

private struct Close: Action {
  static let name = "close"
  static let title: Text = "Close"
}

private struct Break: Action {
  static let name = "break"
  static let title: Text = "Break"
  @Field("Kind") var kind: String
}

// MARK: - An app with mistakes

private struct MistakenShelf: Coordinator {
  static let name = "mistaken"
  func start(_ nav: inout Navigator<Self>) { nav.push(MistakenScreen()) }
  static let wiring = Wiring<Self>()
    .shows(MistakenScreen.self)
    .on(Take.self) { _, _, _ in }
    .on(PayCents.self) { _, _, _ in }
}

private struct MistakenScreen: Screen {
  static let name = "mistaken"
  static let title: Title<Self> = "Mistaken"
  static let actions: [any Action.Type] = [Take.self, PayCents.self]
  static let choices = [
    Choices<Self>("word", of: Mark.self) { _ in [] },
    Choices<Self>("cents", of: PayCents.self) { _ in [] },
    Choices<Self>("goods", of: Take.self) { _ in [] },
  ]
}
