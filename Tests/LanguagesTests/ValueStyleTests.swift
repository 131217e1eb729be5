import Testing

@testable import Languages

/// Amounts of money, dates and times in words. A browser has the same ones in `Intl` (CLDR 48), but for narrow spaces.
@Suite struct ValueStyleTests {
  private func text(_ locale: String, _ value: TextArgument.Value) -> String { ServiceLanguage.of(locale).text(value) }

  @Test(arguments: [
    ("en", ["€18.50", "-$0.05", "¥1,850", "CHF\u{A0}1,234,567.89", "CA$0.99"]),
    ("en-US", ["€18.50", "-$0.05", "¥1,850", "CHF\u{A0}1,234,567.89", "CA$0.99"]),
    ("en-GB", ["€18.50", "-US$0.05", "JP¥1,850", "CHF\u{A0}1,234,567.89", "CA$0.99"]),
    ("de", ["18,50\u{A0}€", "-0,05\u{A0}$", "1.850\u{A0}¥", "1.234.567,89\u{A0}CHF", "0,99\u{A0}CA$"]),
    ("de-AT", ["€\u{A0}18,50", "-$\u{A0}0,05", "¥\u{A0}1.850", "CHF\u{A0}1.234.567,89", "CA$\u{A0}0,99"]),
    ("de-CH", ["EUR\u{A0}18.50", "$-0.05", "¥\u{A0}1'850", "CHF\u{A0}1'234'567.89", "CA$\u{A0}0.99"]),
    (
      "fr",
      [
        "18,50\u{A0}€", "-0,05\u{A0}$US", "1\u{202F}850\u{A0}JPY", "1\u{202F}234\u{202F}567,89\u{A0}CHF",
        "0,99\u{A0}$CA",
      ]
    ),
    (
      "fr-CA",
      [
        "18,50\u{A0}€", "-0,05\u{A0}$\u{A0}US", "1\u{A0}850\u{A0}¥", "1\u{A0}234\u{A0}567,89\u{A0}CHF",
        "0,99\u{A0}$",
      ]
    ),
    (
      "fr-CH",
      [
        "18.50\u{A0}€", "-0.05\u{A0}$US", "1\u{202F}850\u{A0}JPY", "1\u{202F}234\u{202F}567.89\u{A0}CHF",
        "0.99\u{A0}$CA",
      ]
    ),
    ("nl", ["18,50 EUR", "-0,05 USD", "1850 JPY", "1234567,89 CHF", "0,99 CAD"]),
    ("ja", ["18.50 EUR", "-0.05 USD", "1850 JPY", "1234567.89 CHF", "0.99 CAD"]),
  ])
  func `an amount of money is written as CLDR says`(locale: String, expected: [String]) {
    let amounts: [TextArgument.Value] = [
      .money(1850, decimals: 2, currency: "EUR"), .money(-5, decimals: 2, currency: "USD"),
      .money(1850, decimals: 0, currency: "JPY"), .money(123_456_789, decimals: 2, currency: "CHF"),
      .money(99, decimals: 2, currency: "CAD"),
    ]
    #expect(amounts.map { text(locale, $0) } == expected)
  }

  @Test func `the largest amounts keep every digit`() {
    for (number, expected) in [
      (Int.max, "€92,233,720,368,547,758.07"), (Int.min, "-€92,233,720,368,547,758.08"), (0, "€0.00"),
      (99_999, "€999.99"), (100_000, "€1,000.00"),
    ] {
      #expect(text("en", .money(number, decimals: 2, currency: "EUR")) == expected)
    }
    #expect(text("de", .money(1_234_567, decimals: 3, currency: "KWD")) == "1.234,567\u{A0}KWD")
  }

  @Test(arguments: [("en", "18.50 points"), ("de", "18,50 points"), ("de-CH", "18.50 points"), ("fr", "18,50 points")])
  func `a unit that is no currency follows its number`(locale: String, expected: String) {
    #expect(text(locale, .money(1850, decimals: 2, currency: "points")) == expected)
    #expect(text(locale, .money(1850, decimals: 2, currency: "")).hasSuffix("50 "))
  }

  @Test func `a space stands between a currency of letters and its number`() {
    #expect(text("en", .money(100, decimals: 0, currency: "XOF")) == "F\u{202F}CFA\u{A0}100")
    #expect(text("en", .money(100, decimals: 0, currency: "XCG")) == "Cg.\u{A0}100")
    #expect(text("en", .money(100, decimals: 0, currency: "XYZ")) == "XYZ\u{A0}100")
    #expect(text("de", .money(100, decimals: 0, currency: "THB")) == "100\u{A0}฿")
  }

  @Test(arguments: [
    ("en", "December 3, 2026", "January 31, 99", "December 31, 9999"),
    ("en-US", "December 3, 2026", "January 31, 99", "December 31, 9999"),
    ("en-PH", "December 3, 2026", "January 31, 99", "December 31, 9999"),
    ("en-GB", "3 December 2026", "31 January 99", "31 December 9999"),
    ("en-AU", "3 December 2026", "31 January 99", "31 December 9999"),
    ("en-Latn-gb", "3 December 2026", "31 January 99", "31 December 9999"),
    ("de", "3. Dezember 2026", "31. Januar 99", "31. Dezember 9999"),
    ("de-LU", "3. Dezember 2026", "31. Januar 99", "31. Dezember 9999"),
    ("de-AT", "3. Dezember 2026", "31. Jänner 99", "31. Dezember 9999"),
    ("de-CH", "3. Dezember 2026", "31. Januar 99", "31. Dezember 9999"),
    ("DE-x-at", "3. Dezember 2026", "31. Januar 99", "31. Dezember 9999"),
    ("fr", "3 décembre 2026", "31 janvier 99", "31 décembre 9999"),
    ("fr-CA", "3 décembre 2026", "31 janvier 99", "31 décembre 9999"),
    ("nl", "2026-12-03", "0099-01-31", "9999-12-31"), ("", "2026-12-03", "0099-01-31", "9999-12-31"),
  ])
  func `a date has the order and the months of its language`(locale: String, day: String, early: String, late: String) {
    #expect(text(locale, .date(year: 2026, month: 12, day: 3)) == day)
    #expect(text(locale, .date(year: 99, month: 1, day: 31)) == early)
    #expect(text(locale, .date(year: 9999, month: 12, day: 31)) == late)
  }

  @Test func `every month has its name, and a number outside of a year is shown as it is`() {
    func months(_ locale: String) -> [String] {
      (1...12).map { text(locale, .date(year: 2026, month: $0, day: 2)).filter(\.isLetter) }
    }
    let english = "January February March April May June July August September October November December"
    let french = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre"
    let german = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
    #expect(months("en-GB") == english.split(separator: " ").map { String($0) })
    #expect(months("fr") == french.split(separator: " ").map { String($0) })
    #expect(months("de") == german.split(separator: " ").map { String($0) })
    #expect(months("de-AT") == german.replacing("Januar", with: "Jänner").split(separator: " ").map { String($0) })
    for month in [0, 13] { #expect(text("en", .date(year: 2026, month: month, day: 1)).hasPrefix("2026-")) }
  }

  @Test func `the first of a month is an ordinal in French`() {
    for locale in ["fr", "fr-CA", "fr-CH"] {
      #expect(text(locale, .date(year: 2026, month: 12, day: 1)) == "1er décembre 2026")
      #expect(text(locale, .date(year: 2026, month: 12, day: 21)) == "21 décembre 2026")
    }
  }

  @Test(arguments: [
    ("en", ["12:00\u{202F}AM", "9:05\u{202F}AM", "12:30\u{202F}PM", "6:05\u{202F}PM"]),
    ("en-AU", ["12:00\u{202F}am", "9:05\u{202F}am", "12:30\u{202F}pm", "6:05\u{202F}pm"]),
    ("en-GB", ["00:00", "09:05", "12:30", "18:05"]), ("de-CH", ["00:00", "09:05", "12:30", "18:05"]),
    ("fr", ["00:00", "09:05", "12:30", "18:05"]), ("nl", ["00:00", "09:05", "12:30", "18:05"]),
    ("fr-CA", ["00\u{A0}h\u{A0}00", "09\u{A0}h\u{A0}05", "12\u{A0}h\u{A0}30", "18\u{A0}h\u{A0}05"]),
  ])
  func `a time has 12 or 24 hours`(locale: String, expected: [String]) {
    let times = [(0, 0), (9, 5), (12, 30), (18, 5)].map { TextArgument.Value.time(hour: $0.0, minute: $0.1) }
    #expect(times.map { text(locale, $0) } == expected)
  }

  @Test(arguments: [
    ("en", "December 3, 2026 at 6:05\u{202F}PM (UTC+05:30)", "December 3, 2026 at 6:05\u{202F}PM (UTC)"),
    ("en-GB", "3 December 2026 at 18:05 (UTC+05:30)", "3 December 2026 at 18:05 (UTC)"),
    ("de", "3. Dezember 2026 um 18:05 (UTC+05:30)", "3. Dezember 2026 um 18:05 (UTC)"),
    ("fr", "3 décembre 2026 à 18:05 (UTC+05:30)", "3 décembre 2026 à 18:05 (UTC)"),
    ("nl", "2026-12-03 18:05 +05:30", "2026-12-03 18:05 +00:00"),
  ])
  func `a date and time has its offset`(locale: String, east: String, utc: String) {
    func moment(_ offset: Int) -> String {
      text(locale, .dateTime(year: 2026, month: 12, day: 3, hour: 18, minute: 5, offset: offset))
    }
    #expect(moment(330) == east)
    #expect(moment(0) == utc)
    #expect(moment(-570) == east.replacing("+05:30", with: "-09:30"))
  }

  @Test func `a sentence has its values in the language of its words`() {
    let texts = TextCatalogue(
      fallback: "en",
      [
        "en": ["due": "You pay {sum} by {day}."], "en-GB": ["due": "You pay {sum} by {day}."],
        "de": ["due": "Sie zahlen {sum} bis {day}."], "pl": ["due": "Do zapłaty {sum} do {day}."],
      ])
    let arguments = [
      TextArgument("sum", .money(1850, decimals: 2, currency: "EUR")),
      TextArgument("day", .date(year: 2026, month: 12, day: 3)),
    ]
    #expect(
      texts.languageTexts().map { $0.text("due", arguments) } == [
        "You pay €18.50 by December 3, 2026.", "You pay €18.50 by 3 December 2026.",
        "Sie zahlen 18,50\u{A0}€ bis 3. Dezember 2026.", "Do zapłaty 18,50 EUR do 2026-12-03.",
      ])
  }

  @Test func `the digits of an amount have the groups of its language, and no sign`() {
    #expect(ServiceLanguage.of("en").digits(of: -5_432_199, decimals: 2) == "54,321.99")
    #expect(ServiceLanguage.of("de").digits(of: 5_432_199, decimals: 2) == "54.321,99")
    #expect(ServiceLanguage.of("fr").digits(of: 5_432_199, decimals: 2) == "54\u{202F}321,99")
    #expect(ServiceLanguage.of("fr-CH").digits(of: 5_432_199, decimals: 2) == "54\u{202F}321.99")
    #expect(ServiceLanguage.of("nl").digits(of: 5_432_199, decimals: 2) == "54321,99")
  }

  @Test func `an amount in French is read with the spaces of its groups`() {
    for locale in ["fr", "fr-CA", "fr-CH"] {
      let language = ServiceLanguage.of(locale)
      for typed in ["1234,50", "1234.50", "1 234,50", "1\u{A0}234,50", language.digits(of: 123_450, decimals: 2)] {
        #expect(language.smallestUnits(typed, decimals: 2) == "123450", "\(typed)")
      }
      #expect(language.smallestUnits("1,2345", decimals: 2) == nil)
      #expect(language.smallestUnits("1.234", decimals: 3) == nil)
      #expect(language.number(123_450, decimals: 2) == "1234,50")
    }
  }

  @Test func `English, German and French have values of their own`() {
    for locale in ["en", "en-ZA", "de", "de-LI", "fr", "fr-BE"] {
      #expect(ServiceLanguage.of(locale).hasOwnValues, "\(locale)")
    }
    for locale in ["pl", "nl", "", "english"] { #expect(!ServiceLanguage.of(locale).hasOwnValues, "\(locale)") }
    #expect(ServiceLanguage.of(nil).hasOwnValues)
  }
}
