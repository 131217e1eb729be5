import Languages
import Testing
import UsherTesting
import Values

@testable import Navigation

/// Amounts, dates and times in the language of a session: in sentences, and alone.
@Suite struct WrittenValueTests {
  private func session(_ locale: String?, hasTexts: Bool = true) throws -> TestSession {
    let app = App("tickets", title: "Tickets") { TicketOffice() }
    return try TestSession(hasTexts ? app.texts(TicketOffice.texts) : app, locale: locale)
  }

  private func lines(_ session: TestSession) -> [String] {
    session.view.content.flatMap { $0.plainText.split(separator: "\n").map { String($0) } }
  }

  @Test(arguments: [
    (
      "en", "You pay €18.50 by December 3, 2026. Departure: December 3, 2026 at 6:05\u{202F}PM (UTC+05:30).",
      "December 3, 2026", "December 3, 2026 at 6:05\u{202F}PM (UTC+05:30)", "€18.50"
    ),
    (
      "en-GB", "You pay €18.50 by 3 December 2026. Departure: 3 December 2026 at 18:05 (UTC+05:30).",
      "3 December 2026", "3 December 2026 at 18:05 (UTC+05:30)", "€18.50"
    ),
    (
      "de", "Sie zahlen 18,50\u{A0}€ bis 3. Dezember 2026. Abfahrt: 3. Dezember 2026 um 18:05 (UTC+05:30).",
      "3. Dezember 2026", "3. Dezember 2026 um 18:05 (UTC+05:30)", "18,50\u{A0}€"
    ),
    (
      "de-CH", "Sie zahlen EUR\u{A0}18.50 bis 3. Dezember 2026. Abfahrt: 3. Dezember 2026 um 18:05 (UTC+05:30).",
      "3. Dezember 2026", "3. Dezember 2026 um 18:05 (UTC+05:30)", "EUR\u{A0}18.50"
    ),
    (
      "fr", "À payer : 18,50\u{A0}€, le 3 décembre 2026. Départ : 3 décembre 2026 à 18:05 (UTC+05:30).",
      "3 décembre 2026", "3 décembre 2026 à 18:05 (UTC+05:30)", "18,50\u{A0}€"
    ),
    (
      "nl", "U betaalt 18,50 EUR op 2026-12-03. Vertrek: 2026-12-03 18:05 +05:30.", "2026-12-03",
      "2026-12-03 18:05 +05:30", "18,50 EUR"
    ),
  ])
  func `a sentence has the words of a fact, a cell and an item`(
    locale: String, sentence: String, day: String, departure: String, price: String
  ) throws {
    #expect(
      try lines(session(locale)) == [
        sentence, price, "Day: \(day)", "Departure: \(departure)", "Day: \(day), Price: \(price)", "\(day): \(price)",
        "\(departure): \(price)", "More", price,
      ])
  }

  @Test(
    arguments: [
      (nil, "December 3, 2026", "€18.50"), ("en-GB", "3 December 2026", "€18.50"),
      ("de-AT", "3. Dezember 2026", "€\u{A0}18,50"), ("fr", "3 décembre 2026", "18,50\u{A0}€"),
      ("nl", "2026-12-03", "18,50 EUR"),
    ] as [(String?, String, String)])
  func `an app without a catalogue has its values in the language of the service's own texts`(
    locale: String?, day: String, price: String
  ) throws {
    var session = try session(locale, hasTexts: false)
    let lines = lines(session)
    #expect(lines[0] == "due")
    #expect(lines[1] == price)
    #expect(lines[2] == "Day: \(day)")
    #expect(lines[4] == "Day: \(day), Price: \(price)")
    #expect(lines[5] == "\(day): \(price)")
    #expect(lines[6].hasSuffix(": \(price)") && lines.last == price)
    #expect(session.title == day)
    let action = try #require(session.view.actions.first { $0.definition.name == "buy" })
    #expect(action.limits.map(\.kind) == [.choices([Choice("a", title: written(day))], isListed: true)])
    #expect(session.disabledReason(of: "cancel") == day)
    try session.act("ask")
    #expect(session.view.prompt?.message.string == price)
    try session.act("done")
    let rejection = #expect(throws: Rejection.self) { try session.act("buy", ["day": "a"]) }
    guard case .refused(let failures)? = rejection else {
      Issue.record("The action is not refused.")
      return
    }
    #expect(failures.map(\.fault.fact) == [.refused(written(day))])
  }

  private func written(_ day: String) -> Text { Text(storage: day, .value(.date(TicketOffice.day))) }

  @Test func `a value keeps itself beside its words`() throws {
    let content = try session("de").view.content
    guard case .facts(let facts) = content[2] else {
      Issue.record("The block has no facts.")
      return
    }
    #expect(facts.map(\.value.value) == [.date(TicketOffice.day), .dateTime(TicketOffice.departure)])
  }

  @Test func `blocks without values stay as they are in an app without a catalogue`() {
    let writer = TextWriter.values(locale: "de")
    var blocks: [Block] = [.text("Words"), .text(Text(key: "due")), .list([.init("Item", detail: "Detail")])]
    let unwritten = blocks
    blocks.write(by: writer)
    #expect(blocks == unwritten)
    #expect(!writer.changesTexts(haveValue: false) && writer.changesTexts(haveValue: true))
    #expect(!TextWriter.identity.changesTexts(haveValue: true))
  }

  @Test func `each kind of block may have a value`() {
    let price = Text.money(150, currency: "EUR")
    let blocks: [Block] = [
      .text(price), .heading(price), .facts([.init(price, "a")]), .facts([.init("a", price)]),
      .list([.init("a"), .init(price)]), .list([.init("a", detail: price)]), .list([1]) { _ in .init(price) },
      .table([price], rows: [["a"]]), .table(["a"], title: price, rows: []), .table(["a"], rows: [["b"], [price]]),
      .progress(step: 1, of: 2, title: price), .section(price, []), .section("a", [.text(price)]),
      .image(source: "/a.png", alternative: price), .notice(price), .link(price, href: "/"),
    ]
    for block in blocks {
      var written = [block]
      written.write(by: .values(locale: "en"))
      #expect(written[0].plainText.contains("€1.50"), "\(block)")
    }
  }

  @Test func `a label has a colon before its value in a text, unless it is a question`() {
    let facts = Block.facts([.init("Name", "Ada"), .init("Why?", "Lost")])
    #expect(facts.plainText == "Name: Ada\nWhy? Lost")
    let table = Block.table(["Name", "Why?"], rows: [["Ada", "Lost"]])
    #expect(table.plainText == "Name: Ada, Why? Lost")
    #expect(Block.link("Questions?", href: "/a").plainText == "Questions? /a")
  }
}

/// An app that shows an amount, a date and a date and time wherever a text may stand.
private struct TicketOffice: Coordinator {
  static let name = "office"
  static let day = CalendarDate("2026-12-03")!
  static let departure = OffsetDateTime("2026-12-03T18:05:00+05:30")!

  static let texts = TextCatalogue(
    fallback: "en",
    [
      "en": ["due": "You pay {sum} by {day}. Departure: {departure}."],
      "en-GB": ["due": "You pay {sum} by {day}. Departure: {departure}."],
      "de": ["due": "Sie zahlen {sum} bis {day}. Abfahrt: {departure}."],
      "de-CH": ["due": "Sie zahlen {sum} bis {day}. Abfahrt: {departure}."],
      "fr": ["due": "À payer : {sum}, le {day}. Départ : {departure}."],
      "nl": ["due": "U betaalt {sum} op {day}. Vertrek: {departure}."],
    ])

  func start(_ nav: inout Navigator<Self>) { nav.push(TicketScreen()) }

  static let wiring = Wiring<Self>()
    .shows(TicketScreen.self)
    .asks(TicketPrompt.self)
    .on(BuyTicket.self) { _, _, nav in nav.refuse(.date(TicketOffice.day)) }
    .on(CancelTicket.self, disabled: { _ in Text.date(TicketOffice.day) }) { _, _, _ in }
    .on(AskForTicket.self) { _, _, nav in nav.ask(TicketPrompt()) }
    .on(CloseTicket.self) { _, _, _ in }
}

private struct TicketScreen: Screen {
  static let name = "ticket"
  static let title = Title<Self> { _ in .date(TicketOffice.day) }
  static let actions: [any Action.Type] = [BuyTicket.self, CancelTicket.self, AskForTicket.self]
  static let choices = [
    Choices<Self>("day", of: BuyTicket.self) { _ in [Choice("a", title: Text.date(TicketOffice.day))] }
  ]

  var content: [Block] {
    let price = Text.money(1850, currency: "EUR")
    let (day, departure) = (Text.date(TicketOffice.day), Text.dateTime(TicketOffice.departure))
    return [
      .text(Text(key: "due", ["sum": .text(price), "day": .text(day), "departure": .text(departure)])), .text(price),
      .facts([.init("Day", day), .init("Departure", departure)]), .table(["Day", "Price"], rows: [[day, price]]),
      .list([.init(day, detail: price)]), .list([departure]) { .init($0, detail: price) },
      .section("More", [.text(price)]),
    ]
  }
}

private struct BuyTicket: Action {
  static let name = "buy", title: Text = "Buy"
  @Field("Day") var day: String
}

private struct CancelTicket: Action { static let name = "cancel", title: Text = "Cancel" }
private struct AskForTicket: Action { static let name = "ask", title: Text = "Ask" }
private struct CloseTicket: Action { static let name = "done", title: Text = "Done" }

private struct TicketPrompt: Prompt {
  static let name = "ticket-prompt"
  static let actions: [any Action.Type] = [CloseTicket.self]
  var title: Text { "Price" }
  var message: Text { .money(1850, currency: "EUR") }
}
