import Languages
import Testing

/// The plural forms of whole numbers; the examples are the integer samples of Unicode CLDR.
@Suite struct PluralRulesTests {
  @Test(arguments: [
    ("en", [PluralForm.one: [1], .other: [0, 2, 11, 21, 100, 1_000_000]]),
    ("de-CH", [.one: [1], .other: [0, 2, 1_000_000]]),
    ("sv", [.one: [1], .other: [0, 2]]),
    ("fr", [.one: [0, 1], .many: [1_000_000, 2_000_000], .other: [2, 1_000_001]]),
    ("pt-BR", [.one: [0, 1], .many: [1_000_000], .other: [2]]),
    ("pt-pt", [.one: [1], .many: [1_000_000], .other: [0, 2]]),
    ("es", [.one: [1], .many: [1_000_000], .other: [0, 2, 16]]),
    ("it", [.one: [1], .many: [1_000_000], .other: [0, 2]]),
    ("hi", [.one: [0, 1], .other: [2]]),
    ("is", [.one: [1, 21, 101], .other: [0, 11, 111]]),
    ("fil", [.one: [1, 2, 3, 5, 7, 10], .other: [4, 6, 9, 14]]),
    ("lv", [.zero: [0, 10, 11, 19, 20, 111], .one: [1, 21, 101], .other: [2, 22, 102]]),
    ("lt", [.one: [1, 21, 101], .few: [2, 9, 22, 102], .other: [0, 10, 11, 19, 111]]),
    ("pl", [.one: [1], .few: [2, 3, 4, 22, 102], .many: [0, 5, 12, 14, 21, 25, 112, 1_000_000]]),
    ("cs", [.one: [1], .few: [2, 3, 4], .other: [0, 5, 22]]),
    ("sl", [.one: [1, 101], .two: [2, 102], .few: [3, 4, 103], .other: [0, 5, 11, 100]]),
    ("ru", [.one: [1, 21, 101], .few: [2, 4, 22], .many: [0, 5, 11, 14, 111, 112]]),
    ("uk", [.one: [1, 21], .few: [2, 24], .many: [0, 11, 19]]),
    ("sr", [.one: [1, 21, 101], .few: [2, 24], .other: [0, 5, 11, 14]]),
    ("ro", [.one: [1], .few: [0, 2, 16, 101, 119], .other: [20, 100, 120]]),
    ("he", [.one: [1], .two: [2], .other: [0, 3, 20]]),
    (
      "ar",
      [
        .zero: [0], .one: [1], .two: [2], .few: [3, 10, 103], .many: [11, 99, 111], .other: [100, 102, 200, 1_000_000],
      ]
    ),
    ("ga", [.one: [1], .two: [2], .few: [3, 6], .many: [7, 10], .other: [0, 11, 21]]),
    ("cy", [.zero: [0], .one: [1], .two: [2], .few: [3], .many: [6], .other: [4, 5, 7, 20]]),
    ("gd", [.one: [1, 11], .two: [2, 12], .few: [3, 10, 13, 19], .other: [0, 20, 21]]),
    ("mt", [.one: [1], .two: [2], .few: [0, 3, 10, 103], .many: [11, 19, 111], .other: [20, 100]]),
    ("br", [.one: [1, 21, 81], .two: [2, 22], .few: [3, 9, 29], .many: [1_000_000], .other: [0, 11, 12, 13, 71]]),
    ("ja", [.other: [0, 1, 2, 100]]), ("zh-Hant-TW", [.other: [0, 1]]), ("ko", [.other: [1]]), ("vi", [.other: [1]]),
    ("tr", [.one: [1], .other: [0, 2]]), ("hu", [.one: [1], .other: [0, 2]]), ("EL", [.one: [1], .other: [0]]),
  ])
  func `A number has the form of its language`(language: String, forms: [PluralForm: [Int]]) {
    let rules = PluralRules(language: language)
    for (form, numbers) in forms {
      for number in numbers { #expect(rules.form(of: number) == form, "\(language) \(number)") }
    }
  }

  @Test func `A language without rules has the forms of English`() {
    let rules = PluralRules(language: "tlh")
    #expect(rules.form(of: 1) == .one)
    #expect(rules.form(of: 0) == .other)
    #expect(rules.form(of: 2) == .other)
  }

  @Test func `The sign of a number does not count`() {
    #expect(PluralRules(language: "en").form(of: -1) == .one)
    #expect(PluralRules(language: "ru").form(of: -3) == .few)
    #expect(PluralRules(language: "en").form(of: .min) == .other)
  }
}
