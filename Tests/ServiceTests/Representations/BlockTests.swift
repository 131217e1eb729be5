import Navigation
import TestSupport
import Testing

/// Tables, progress, sections and typed values, and clients that do not know them.
@Suite(.limitedConcurrency) struct BlockTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess, apps: [Drawers.app]) }

  private func blocks(_ view: JSON) -> [JSON] { view["screen", "content"].array }

  private func get(_ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
    try await service.send("GET", target, headers: headers)
  }

  @Test func `blocks have their values and a text for clients that do not know them`() async throws {
    let visitor = try await service.start("drawers")
    let blocks = blocks(visitor.view)
    #expect(blocks.map { $0["type"].string } == ["progress", "facts", "table", "section", "list"])
    #expect(
      blocks[0] == JSON(["type": "progress", "step": 2, "of": 4, "title": "Parts", "text": "Step 2 of 4: Parts"]))
    let price = blocks[1]["facts"][0]
    #expect(price["value"].string == "-€0.05")
    #expect(price["typed"] == JSON(["type": "money", "amount": -5, "decimals": 2, "currency": "EUR"]))
    #expect(blocks[1]["facts"][1]["typed"] == JSON(["type": "date", "value": "2026-12-01"]))
    #expect(blocks[1]["facts"][2]["value"].string == "December 1, 2026 at 9:30\u{202F}AM (UTC+05:30)")
    #expect(blocks[1]["facts"][2]["typed"] == JSON(["type": "date-time", "value": "2026-12-01T09:30:00+05:30"]))
    #expect(blocks[1]["facts"][3]["typed"].isMissing)
    #expect(blocks[2]["columns"].array.map(\.string) == ["Part", "Price"])
    #expect(blocks[2]["rows"].array.map { $0.array.map { $0["value"].string } } == [["Knob", "¥3"], ["Rail", ""]])
    #expect(blocks[2]["text"].string == "Parts\nPart: Knob, Price: ¥3\nPart: Rail, Price: ")
    #expect(blocks[3]["content"].array.map { $0["type"].string } == ["text", "heading", "text", "list"])
    #expect(blocks[3]["isOpen"].bool == false && blocks[3]["text"].string?.hasPrefix("More\nIn a section") == true)
    let contract = Contract(document: try await get("/openapi.json").json)
    contract.check(try await get(visitor.path), "GET", "/v1/sessions/{id}")
  }

  @Test func `a list in a section has pages and actions`() async throws {
    let visitor = try await service.start("drawers")
    let inner = blocks(visitor.view)[3]["content"][3]
    let next = try #require(inner["links", "next"].string)
    #expect(next.hasSuffix("?rows=7.2"))
    let second = blocks(try await get(next).json)
    #expect(second[3]["content"][3]["items"].strings("title") == ["Third"])
    #expect(second[4]["items"].strings("title") == ["Last"])
    #expect(second[4]["links", "next"].string?.hasSuffix("?rows=7.2,8.1") == true)
    let href = try #require(inner["items"][1]["action", "href"].string)
    #expect(try await service.send("POST", href, #"{"number": 2}"#).json["screen", "data", "taken"].int == 2)
    let page = try await get(visitor.path, ["Accept": "text/html"]).text
    #expect(page.contains(#"?rows=7.2" rel="next""#) && page.contains(">More</summary>"))
    let siren = try await get(visitor.path, ["Accept": "application/vnd.siren+json"]).json
    #expect(siren["entities"].array.map { $0["properties", "total"].int } == [3, 2])
    #expect(siren["entities"][0]["links"][0]["href"].string?.hasSuffix("?rows=7.2") == true)
    let text = try await get(visitor.path, ["Accept": "text/plain"]).text
    #expect(text.contains("\nMore\nIn a section\n") && text.contains("  2   Second"))
  }

  @Test func `a page shows the blocks, and marks values for other programs`() async throws {
    let visitor = try await service.start("drawers")
    let page = try await get(visitor.path, ["Accept": "text/html"]).text
    for part in [
      #"<label>Step 2 of 4: Parts <progress value="2" max="4"></progress></label>"#,
      #"<dd><data value="-0.05" data-currency="EUR">-€0.05</data></dd>"#,
      #"<dd><time datetime="2026-12-01">December 1, 2026</time></dd>"#, "<caption>Parts</caption>",
      #"<th scope="col">Price</th>"#, #"<td><data value="3" data-currency="JPY">¥3</data></td>"#,
      "<td>Knob</td>", "<details id=\"section-3\">", "<dd>words &lt;b&gt;</dd>",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    let text = try await get(visitor.path, ["Accept": "text/plain"]).text
    #expect(text.contains("[##..] Step 2 of 4: Parts\n"))
    #expect(text.contains("  Price  -€0.05\n  Day    December 1, 2026\n  Train  December 1, 2026 at 9:30\u{202F}AM "))
    #expect(text.contains("Parts\n  Part  Price\n  ----  -----\n  Knob  ¥3\n  Rail\n"))
  }

  @Test func `a client that names its blocks gets no others`() async throws {
    let visitor = try await service.start("drawers")
    func kinds(_ preference: String, _ answer: Answer? = nil) async throws -> [String?] {
      let answer = try await get(visitor.path, ["Prefer": preference])
      #expect(answer.header("Preference-Applied") == "blocks")
      return blocks(answer.json).map { $0["type"].string }
    }
    #expect(
      try await kinds(#"blocks="text list heading facts""#)
        == ["text", "facts", "text", "heading", "text", "heading", "text", "list", "list"])
    #expect(try await kinds("blocks=text") == Array(repeating: "text", count: 9))
    let texts = blocks(try await get(visitor.path, ["Prefer": "blocks=text"]).json).map { $0["text"].string }
    #expect(texts[7] == "First\nSecond\n2 of 3" && texts[8] == "Last\n1 of 2")
    #expect(try await kinds(#"blocks="section future-block""#).count == 5)
    // The rows of a list keep their position.
    let known = try await get(visitor.path + "?rows=7.2", ["Prefer": #"blocks="list""#])
    #expect(blocks(known.json)[7]["items"].strings("title") == ["Third"])
    #expect(try await kinds(#"foo="a, b", Blocks="text,list""#).filter { $0 == "list" }.count == 2)
    let unasked = try await get(visitor.path, ["Prefer": #"blocks="", handling=lenient, foo="x, blocks=text""#])
    #expect(unasked.header("Preference-Applied") == nil && blocks(unasked.json).count == 5)
  }

  @Test func `views for different blocks have different tags of one revision`() async throws {
    let visitor = try await service.start("drawers")
    let text = try await get(visitor.path, ["Prefer": "blocks=text"])
    let list = try await get(visitor.path, ["Prefer": "blocks=list"])
    let tags = [try await get(visitor.path), text, list].compactMap { $0.header("ETag") }
    #expect(Set(tags).count == 3 && tags.allSatisfy { $0.hasPrefix("\"1") })
    #expect(try await get(visitor.path, ["Prefer": "blocks=text", "If-None-Match": tags[1]]).status == 304)
    #expect(try await get(visitor.path, ["Prefer": "blocks=text", "If-None-Match": tags[0]]).status == 200)
    let taken = try await service.send(
      "POST", visitor.path + "/actions/take", #"{"number": 1}"#,
      headers: ["If-Match": tags[1], "Prefer": "wait=1, blocks=text"])
    #expect(taken.status == 200 && blocks(taken.json).allSatisfy { $0["type"].string == "text" })
    let stale = try await service.send(
      "POST", visitor.path + "/actions/take?revision=1", #"{"number": 3}"#, headers: ["Prefer": "blocks=text"])
    #expect(stale.problem == "stale-revision")
    let kinds = stale.json["view", "screen", "content"].array.map { $0["type"].string }
    #expect(kinds.count == 9 && kinds.allSatisfy { $0 == "text" })
    let failed = try await service.send(
      "POST", visitor.path + "/actions/take", #"{"number": 2}"#, headers: ["If-Match": tags[2]])
    #expect(failed.status == 412)
  }
}

/// An app with a screen of every block that has parts.
private enum Drawers {
  static let app = App("drawers", title: "Drawers") { Chest() }

  struct Chest: Coordinator {
    static let name = "chest"
    var taken: Int?

    func start(_ nav: inout Navigator<Self>) { nav.push(Parts()) }

    static let wiring = Wiring<Self>()
      .shows(Parts.self) { me, screen in screen.taken = me.taken }
      .on(Take.self) { me, take, _ in me.taken = take.number }
  }

  struct Take: Action {
    static let name = "take"
    static let title: Text = "Take"
    @Field("Number", in: 1...3) var number: Int
  }

  struct Parts: Screen {
    static let name = "parts"
    static let title: Title<Self> = "Parts"
    static let actions: [any Action.Type] = [Take.self]
    var taken: Int?

    var content: [Block] {
      [
        .progress(step: 2, of: 4, title: "Parts"),
        .facts([
          .init("Price", .money(-5, currency: "EUR")), .init("Day", .date(CalendarDate("2026-12-01")!)),
          .init("Train", .dateTime(OffsetDateTime("2026-12-01T09:30:00+05:30")!)), .init("Words", "words <b>"),
        ]),
        .table(
          ["Part", "Price"], title: "Parts",
          rows: [["Knob", .money(3, currency: "JPY", decimals: 0), "left out"], ["Rail"]]),
        .section(
          "More",
          [
            .text("In a section"), .section("Inner", [.text("flattened")]),
            .list(
              [
                .init("First", action: Take.self, ["number": 1]), .init("Second", action: Take.self, ["number": 2]),
                .init("Third"),
              ], pageSize: 2),
          ]),
        .list([.init("Last"), .init("Very last")], pageSize: 1),
      ]
    }
  }
}
