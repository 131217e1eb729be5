import Languages
import Testing
import UsherTesting
import Values

@testable import Navigation

/// Texts with keys, in every place that shows one.
@Suite struct TextTests {
  private func session(_ locale: String? = "de-CH") throws -> TestSession {
    try TestSession(Kiosk.app(), locale: locale)
  }

  @Test func `a text is as small as one of words and a value`() {
    #expect(MemoryLayout<Text>.size == MemoryLayout<(String, TypedValue?)>.size)
  }

  @Test(arguments: [("en", "€1.50"), ("de", "1,50\u{A0}€")])
  func `of texts without a key, values alone have a language`(locale: String, amount: String) throws {
    let view = try session(locale).view
    #expect(view.content.suffix(2) == [.text("Words"), .text(Self.price(amount))])
    #expect(view.tabBar?.tabs[1].title == "Help")
  }

  private static func price(_ words: String) -> Text {
    Text(storage: words, .value(.money(amount: 150, currency: Currency("EUR"), decimals: 2)))
  }

  @Test(arguments: [
    ("de", "Zeitungen"), ("de-CH", "Zeitungen"), ("DE", "Zeitungen"), ("en", "Papers"), ("fr", "Papers"),
    ("d", "Papers"),
  ])
  func `the locale of the session chooses the language`(locale: String, title: String) throws {
    #expect(try session(locale).title == title)
  }

  @Test func `a session without a locale has the fallback language`() throws {
    #expect(try session(nil).title == "Papers")
  }

  @Test func `every block of a screen is in the language of the session`() throws {
    let text: Text = "Keine Zeitung"
    #expect(
      try session().view.content == [
        .text(text), .heading(text), .facts([.init(text, text)]), .list([.init(text, detail: text)]),
        .list([.init(text)]), .table([text], title: text, rows: [[text]]), .progress(step: 1, of: 2, title: text),
        .section(text, [.text(text)]), .image(source: "/a.png", alternative: text), .notice(text, tone: .error),
        .link(text, href: "/"), .text("Words"), .text(Self.price("1,50\u{A0}€")),
      ])
  }

  @Test func `a number chooses the plural form`() throws {
    var session = try session()
    for (count, text) in [(1, "1 Zeitung"), (3, "3 Zeitungen")] {
      try session.act("buy", ["number": Value(count == 1 ? 1 : 2)])
      #expect(session.view.content.first == .text(Text(text)))
    }
  }

  @Test(arguments: [
    ("de", "Täglich, Wöchentlich, x", "1,50\u{A0}€, 3. Dezember 2026"),
    ("en", "Daily, Weekly, x", "€1.50, December 3, 2026"),
  ])
  func `a list of texts is in the language of the session, also as an argument`(
    locale: String, words: String, values: String
  ) throws {
    let writer = try AppDefinition(Kiosk.app()).localized(for: locale).writer
    let list = Text(list: [Text(key: "kind.daily"), Text(key: "kind.weekly"), "x"])
    #expect(writer.written(list).string == words)
    #expect(writer.written(Text(list: [list, "y"])).string == "\(words), y")
    // Without a key among them.
    let day = try #require(CalendarDate("2026-12-03"))
    #expect(writer.written(Text(list: [.money(150, currency: "EUR"), .date(day)])).string == values)
    #expect(list.string == "kind.daily, kind.weekly, x" && Text(list: ["a", "b"]) == "a, b" && Text(list: []) == "")
    let read = list.key.flatMap { TextKey(encoded: $0.encoded) }
    #expect(read?.list == [Text(key: "kind.daily"), Text(key: "kind.weekly"), "x"])
  }

  @Test func `an action and its fields are in the language of the session`() throws {
    let action = try #require(try session().view.actions.first { $0.definition.name == "buy" })
    #expect(action.definition.title == "Kaufen")
    let schema = action.input.jsonSchema["properties"]
    #expect(schema?["number"]?["title"] == "Anzahl")
    #expect(schema?["number"]?["description"] == "Bis zu fünf")
    #expect(schema?["tip"]?["unit"] == "Euro")
    #expect(schema?["kind"]?["oneOf"]?.elements.map { $0["title"] } == ["Täglich", "Wöchentlich"])
    #expect(schema?["more"]?["items"]?["oneOf"]?.elements.map { $0["title"] } == ["Täglich", "Wöchentlich"])
    #expect(schema?["kind"]?["oneOf"]?.elements.map { $0["description"] } == ["Jeden Morgen", nil])
  }

  @Test func `choices that depend on the screen are in the language of the session`() throws {
    let action = try #require(try session().view.actions.first { $0.definition.name == "ask" })
    #expect(action.limits.map(\.kind) == [.choices([Choice("x", title: "Extrablatt")], isListed: true)])
  }

  @Test func `a tab keeps its key, so that its title follows the language`() throws {
    let session = try session()
    #expect(session.view.tabBar?.tabs.map(\.title) == ["Kiosk (de): Theke", "Help"])
    let english = try session.app.unpack(session.app.pack(session.state), locale: "en")
    #expect(try session.app.view(of: english).tabBar?.tabs[0].title == "Kiosk: counter")
  }

  @Test func `a prompt and its buttons are in the language of the session`() throws {
    var session = try session("de")
    try session.act("ask")
    let prompt = try #require(session.view.prompt)
    #expect(prompt.title == "Sicher?")
    #expect(prompt.message == "Das kostet 1,50\u{A0}€.")
    guard case .action(let button)? = prompt.buttons.first else {
      Issue.record("There is no button.")
      return
    }
    #expect(button.definition.title == "Ja")
  }

  @Test func `a leave question, a load problem and a made title are in the language of the session`() throws {
    var session = try session()
    try session.act("read")
    #expect(session.title == "Keine Zeitung")
    #expect(session.titles == ["Zeitungen", "Keine Zeitung"])
    #expect(session.view.back?.title == "Zeitungen")
    try session.fail(FetchNews.self, with: EffectFailure(.error))
    #expect(session.view.loads.map(\.problem) == ["Keine Nachrichten"])
    try session.back()
    let prompt = try #require(session.view.prompt)
    #expect([prompt.title, prompt.message] == ["Verlassen?", "Die Zeitungen bleiben."])
    let titles = prompt.buttons.map { if case .answer(_, let title) = $0 { title.string } else { "" } }
    #expect(titles == ["Gehen", "Hier bleiben"])
  }

  @Test func `a refusal, its field and the reason why an action is disabled are in the language of the session`() throws
  {
    var session = try session()
    let failure = #expect(throws: Rejection.self) { try session.act("buy", ["number": 4]) }
    guard case .refused(let failures)? = failure else {
      Issue.record("The action is not refused.")
      return
    }
    #expect(failures.map(\.fault.fact) == [.refused("Nicht 4")])
    #expect(failures.map(\.title) == ["Anzahl"])
    for _ in 0..<2 { try session.act("buy", ["number": 3]) }
    #expect(session.disabledReason(of: "buy") == "Ausverkauft")
  }

  @Test func `the input of the app is in the language of the creation`() throws {
    let app = try AppDefinition(Kiosk.app())
    let error = #expect(throws: Rejection.self) {
      try app.create(input: ["guest": 1], environment: SessionEnvironment(locale: "de"))
    }
    guard case .invalidInput(let input)? = error else {
      Issue.record("The input is valid.")
      return
    }
    #expect(input.failures.map(\.title) == ["Gast"])
  }

  @Test func `a change of the locale is a step, and an expectation shows the new language`() throws {
    var session = try TestSession(
      App("stand", title: Text(key: "app")) { KioskStand() }.texts(Kiosk.texts), locale: "en")
    session.expect(
      screen: """
        Papers
        ======

          1   Buy
          l2  Deutsch
        """)
    try session.change(locale: "de")
    #expect(session.state.revision == 2)
    session.expect(
      screen: """
        Zeitungen
        =========

          1   Kaufen
          l1  English
        """)
  }

  @Test func `a definition has its languages, and its own texts in the fallback language`() throws {
    let app = try AppDefinition(Kiosk.app())
    #expect(app.languages == ["en", "de"])
    #expect(app.title == "Kiosk")
    #expect(app.language == "en")
    #expect(app.localized(for: "de-AT").title == "Kiosk (de)")
    #expect(app.localized(for: "de-AT").summary == "Verkauft Zeitungen")
    #expect(app.localized(for: "fr").title == "Kiosk")
    #expect(app.localized(for: nil).title == "Kiosk")
    #expect(app.localized(for: "de").screens.first { $0.name == "papers" }?.fixedTitle == "Zeitungen")
  }

  @Test func `a key that no language has stands for itself`() throws {
    let text = Text(key: "unknown", ["a": 1])
    #expect(text.string == "unknown")
    #expect("\(text)" == "unknown")
    let texts = TextCatalogue(fallback: "en", ["en": [:]]).languageTexts()[0]
    #expect(TextWriter.texts(texts).written(text) == "unknown")
  }
}

/// The encoded form of a key with its arguments.
@Suite struct TextKeyTests {
  private let nested = Text(key: "a\u{301}b", ["x": "\0k3:", "y": .text(Text(key: "inner", ["é": -7]))])

  @Test func `every argument survives the encoding`() throws {
    let text = Text(
      key: "key",
      [
        "t": "a\0b", "empty": "", "i": -3, "n": 1.5, "k": .text(nested), "m": .text(.money(-150, currency: "EUR")),
        "d": .text(.date(try #require(CalendarDate("2026-11-25")))),
        "s": .text(.dateTime(try #require(OffsetDateTime("2026-11-25T09:30:15+05:30")))),
      ])
    let key = try #require(text.key)
    #expect(key.name == "key")
    let values = Dictionary(uniqueKeysWithValues: key.arguments.map { ($0.name, $0.value) })
    #expect(values["t"] == "a\0b")
    #expect(values["empty"] == "")
    #expect(values["i"] == -3)
    #expect(values["n"] == 1.5)
    #expect(values["k"] == .text(nested))
    #expect(values["m"] == .text(.money(-150, currency: "EUR")))
    #expect(values["d"] == .text(.date(try #require(CalendarDate("2026-11-25")))))
    #expect(values["s"] == .text(.dateTime(try #require(OffsetDateTime("2026-11-25T09:30:15+05:30")))))
  }

  @Test func `equal texts are equal whatever the order of their arguments`() {
    #expect(Text(key: "a", ["x": 1, "y": 2]) == Text(key: "a", ["y": 2, "x": 1]))
    #expect(Text(key: "a", ["x": 1]) != Text(key: "a", ["x": 2]))
    #expect(Text(key: "a") != "a")
    #expect(Text(key: "a", TextArguments([("x", 1), ("x", 2)])) == Text(key: "a", ["x": 2]))
  }

  @Test(arguments: [
    "a\0", "a\0x", "a\0x\0", "a\0x\0i", "a\0x\0i1:", "a\0x\0i1:a", "a\0x\0t2:a", "a\0x\0t-1:a", "a\0x\0t1:ab",
    "a\0x\0t01:a", "a\0x\0z1:a", "a\0x\0t1:a\0", "a\0y\0t1:a\0x\0t1:a", "a\0x\0t1:a\0x\0t1:a", "a\0x\0m1:1",
    "a\0x\0d10:2026-02-30", "a\0x\0d0:", "a\0x\0s4:soon", "a\0x\0s25:2026-11-25T09:30:00+00:00",
    "a\0x\0n3:nix", "a\0x\0t1:é", "a\0x\0i2:+1",
  ])
  func `any other text is not an encoding`(text: String) {
    #expect(TextKey(encoded: text) == nil)
  }

  @Test func `a packed tab with a text that is not an encoding is corrupt`() throws {
    let app = try AppDefinition(Kiosk.app())
    let packed = app.pack(try app.create())
    let title = Array("tab.counter\0name\0k3:app".utf8)
    let place = try #require(packed.indices.first { packed[$0...].starts(with: title) })
    for (offset, byte) in [(11, UInt8(ascii: "x")), (17, UInt8(ascii: "z")), (title.count, 6)] {
      var changed = Array(packed.dropLast(PackedFormat.checksumSize))
      changed[place + offset] = byte
      let sum = changed.withUnsafeBytes { checksum($0) }
      withUnsafeBytes(of: sum.littleEndian) { changed += $0 }
      #expect(throws: PackingError.corrupt) { try app.unpack(changed) }
    }
  }
}
