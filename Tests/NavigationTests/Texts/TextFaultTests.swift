import Languages
import Navigation
import Testing

/// The wiring faults of texts with keys.
@Suite struct TextFaultTests {
  private func faults(_ app: App) throws -> [String] {
    try #require(throws: WiringFaults.self) { try AppDefinition(app) }.faults.map(\.description)
  }

  @Test func `a sound catalogue has no faults`() throws {
    _ = try AppDefinition(Kiosk.app())
  }

  @Test func `every static text needs a catalogue`() throws {
    let faults = try faults(Kiosk.app(TextCatalogue(fallback: "en", ["en": [:]])))
    for (place, key) in [
      ("kiosk", "app"), ("kiosk", "summary"), ("kiosk › input › guest", "guest"), ("papers", "papers"), ("buy", "buy"),
      ("buy › number", "buy.number"), ("buy › number", "buy.hint"), ("buy › kind", "kind.daily"),
      ("buy › kind", "kind.hint"),
      ("buy › more", "kind.weekly"), ("buy › tip", "unit"), ("yes", "yes"), ("news › leave question", "leave"),
      ("news › leave question", "leave.message"), ("news › leave question", "leave.leave"),
      ("news › leave question", "leave.stay"), ("news › news", "load.problem"),
    ] {
      let expected =
        "\(place): The text \(key) is in no language of the app. Add it to the catalogue, and give that with texts(…)."
      #expect(faults.contains(expected), "\(expected) is not among \(faults)")
    }
  }

  @Test func `a key in an app without a catalogue is a fault`() throws {
    let app = App("plain", title: Text(key: "title")) { KioskHelp() }
    #expect(
      try faults(app) == [
        "plain: The text title is in no language of the app. Add it to the catalogue, and give that with texts(…)."
      ])
  }

  @Test func `a missing language of a text and an unknown placeholder are faults`() throws {
    let app = App("plain", title: "Plain") { KioskHelp() }
      .texts(TextCatalogue(fallback: "en", ["en": ["a": "{x}", "b": "b"], "de": ["a": "{y}"]]))
    #expect(
      try faults(app) == [
        "plain › texts › a: The placeholder y of the language de is unknown to the fallback language.",
        "plain › texts › b: The text is missing in the language de.",
      ])
  }

  @Test func `a static text gives every argument, also those of its arguments`() throws {
    let inner = Text(key: "inner")
    let app = App("plain", title: Text(key: "title", ["x": .text(inner)])) { KioskHelp() }
      .texts(TextCatalogue(fallback: "en", ["en": ["title": "{x} {y}", "inner": .plural("n", one: "1", other: "2")]]))
    #expect(
      try faults(app) == [
        "plain: The text title needs the argument y. Give it with Text(key:), or remove it from the catalogue.",
        "plain: The text inner needs the argument n. Give it with Text(key:), or remove it from the catalogue.",
      ])
  }
}
