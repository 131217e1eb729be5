import Testing

@testable import Languages

/// Texts with placeholders and plural forms.
@Suite struct TextCatalogueTests {
  private let catalogue = TextCatalogue(
    fallback: "en",
    [
      "en": [
        "title": "Cart", "greeting": "Hello {name}, {{welcome}}", "only-english": "Only here",
        "items": .plural("count", exactly: [0: "No items"], one: "{count} item", other: "{count} items"),
      ],
      "pl": [
        "title": "Koszyk", "greeting": "Witaj {name}",
        "items": .plural(
          "count", one: "{count} rzecz", few: "{count} rzeczy", many: "{count} rzeczy!", other: "{count} rzeczy?"),
      ],
    ])

  private func text(_ language: String, _ key: String, _ arguments: TextArgument...) -> String? {
    catalogue.languageTexts().first { $0.language == language }?.text(key, arguments)
  }

  @Test func `A text has its arguments in the place of placeholders`() {
    #expect(text("en", "title") == "Cart")
    #expect(text("pl", "title") == "Koszyk")
    #expect(text("en", "greeting", .init("name", .text("Ann"))) == "Hello Ann, {welcome}")
  }

  @Test func `An argument is not read as a pattern`() {
    #expect(text("pl", "greeting", .init("name", .text("{name}{{"))) == "Witaj {name}{{")
  }

  @Test func `A placeholder without an argument stays`() {
    #expect(text("pl", "greeting") == "Witaj {name}")
  }

  @Test(arguments: [
    ("en", 0, "No items"), ("en", 1, "1 item"), ("en", 2, "2 items"), ("pl", 1, "1 rzecz"), ("pl", 2, "2 rzeczy"),
    ("pl", 5, "5 rzeczy!"),
  ])
  func `A number chooses the form of the language`(language: String, count: Int, expected: String) {
    #expect(text(language, "items", .init("count", .integer(count))) == expected)
    #expect(text(language, "items", .init("count", .number(Double(count)))) == expected)
  }

  @Test func `A number with decimal places, and none at all, have the form other`() {
    #expect(text("pl", "items", .init("count", .number(1.5))) == "1,5 rzeczy?")
    #expect(text("en", "items", .init("count", .number(1.5))) == "1.5 items")
    #expect(text("pl", "items", .init("count", .text("1"))) == "1 rzeczy?")
    #expect(text("pl", "items") == "{count} rzeczy?")
  }

  @Test func `An amount is written as the language writes it`() {
    #expect(text("pl", "greeting", .init("name", .amount(-5, decimals: 2, unit: "EUR"))) == "Witaj -0,05 EUR")
    #expect(text("pl", "greeting", .init("name", .amount(5, decimals: 0, unit: "JPY"))) == "Witaj 5 JPY")
  }

  @Test func `A text that a language lacks comes from the fallback language`() {
    #expect(text("pl", "only-english") == "Only here")
    #expect(text("pl", "unknown") == nil)
  }

  @Test func `A catalogue reports missing texts`() {
    #expect(catalogue.faults == [CatalogueFault(location: "only-english", reason: .missing(in: "pl"))])
  }

  @Test(arguments: ["{", "}", "a {b", "{}", "{a b}", "{{}", "{a}}", "a } b"])
  func `A pattern with a brace that has no partner is malformed`(pattern: String) {
    let catalogue = TextCatalogue(fallback: "en", languages: [("en", .init(["a": TextPattern(pattern)]))])
    #expect(catalogue.faults == [CatalogueFault(location: "a", reason: .malformed(in: "en"))])
    #expect(catalogue.languageTexts()[0].text("a", []) == pattern)
  }

  @Test(arguments: ["", "}}", "{{", "{a}", "{a-1_b.c}{a-1_b.c}"])
  func `Any other pattern is sound`(pattern: String) {
    #expect(TextCatalogue(fallback: "en", ["en": ["a": TextPattern(pattern)]]).faults.isEmpty)
  }

  @Test func `A catalogue reports plural forms that are missing or never chosen`() {
    let catalogue = TextCatalogue(
      fallback: "en",
      [
        "en": [
          "a": .plural("n", zero: "none", other: "some"), "b": .plural("n", exactly: [1: "one"], other: "some"),
          "c": .plural("n", forms: [.one: "one"]),
        ],
        "ja": ["a": .plural("n", other: "some"), "b": "some", "c": "x"],
        "cs": ["a": .plural("n", one: "1", few: "2", many: "1,5", other: "5"), "b": "some", "c": "x"],
      ])
    #expect(
      catalogue.faults == [
        CatalogueFault(location: "a", reason: .unusedForm(.zero, in: "en")),
        CatalogueFault(location: "a", reason: .missingForm(.one, in: "en")),
        CatalogueFault(location: "c", reason: .malformed(in: "en")),
      ])
  }

  @Test func `A catalogue reports placeholders that its fallback language lacks`() {
    let catalogue = TextCatalogue(fallback: "en", ["en": ["a": "{x} {y}"], "de": ["a": "{x} {z}"]])
    #expect(catalogue.faults == [CatalogueFault(location: "a", reason: .unknownPlaceholder("z", in: "de"))])
  }

  @Test func `A catalogue reports faults of its languages`() {
    let catalogue = TextCatalogue(fallback: "fr", ["en": ["a": "1", "a": "2"], "EN": ["a": "3"], "e n": ["a": "4"]])
    #expect(
      catalogue.faults.map(\.reason) == [.repeatedKey, .repeatedLanguage, .invalidLanguage, .fallbackWithoutTexts])
  }
}
