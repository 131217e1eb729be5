import Testing

@testable import Languages

/// The service's own texts.
@Suite struct ServiceTextTests {
  @Test func `every language has the placeholders of English in each text`() {
    for text in ServiceText.allCases {
      #expect(text.german.argumentNames == text.english.argumentNames, "\(text)")
      #expect(text.french.argumentNames == text.english.argumentNames, "\(text)")
    }
  }

  @Test func `every text is well-formed, and has the plural forms of its language`() {
    for (tag, texts) in [
      ("en", ServiceText.allCases.map(\.english)), ("de", ServiceText.allCases.map(\.german)),
      ("fr", ServiceText.allCases.map(\.french)),
    ] {
      let patterns = Dictionary(uniqueKeysWithValues: zip(ServiceText.allCases.map { "\($0)" }, texts))
      #expect(TextCatalogue(fallback: tag, languages: [(tag, .init(patterns))]).faults == [])
    }
  }

  @Test func `a text has German quotes in German, and none of them in English`() {
    for text in ServiceText.allCases {
      let (german, english) = ("\(text.german)", "\(text.english)")
      #expect(german.count { $0 == "„" } == german.count { $0 == "“" }, "\(text)")
      #expect(!german.contains("”"), "\(text)")
      #expect(!english.contains("„"), "\(text)")
      #expect(english.count { $0 == "“" } == english.count { $0 == "”" }, "\(text)")
    }
  }

  /// The sentences of a text: the placeholders stay, and a number chooses each plural form.
  private func sentences(_ text: ServiceText, in language: ServiceLanguage) -> [String] {
    [1, 2].map { language(text, ["count": .integer($0)]) }
  }

  @Test func `a French text has French quotes and apostrophes, and marks that no line begins with`() {
    for text in ServiceText.allCases {
      for sentence in sentences(text, in: .french) {
        for other in ["„", "“", "”", "'", " :", " ;", " ?", " !", " »", "« "] {
          #expect(!sentence.contains(other), "\(sentence)")
        }
        for mark in ["?", "!", ";", "»"] {
          #expect(!sentence.replacing("\u{A0}\(mark)", with: "").contains(mark), "\(sentence)")
        }
        #expect(!sentence.replacing("«\u{A0}", with: "").contains("«"), "\(sentence)")
      }
    }
  }

  @Test func `a French text has French words`() {
    let english: Set = ["the", "this", "that", "your", "you", "is", "are", "must", "and", "with", "not", "of"]
    let german: Set = ["der", "die", "das", "sie", "ist", "sind", "muss", "und", "nicht", "ein", "eine", "seite"]
    for text in ServiceText.allCases {
      for sentence in sentences(text, in: .french) {
        let words = Set(sentence.lowercased().split { !$0.isLetter }.map { String($0) })
        #expect(words.isDisjoint(with: english) && words.isDisjoint(with: german), "\(sentence)")
      }
      // The two languages share one word.
      let isEqual = sentences(text, in: .french) == sentences(text, in: .english)
      #expect(isEqual == (text == .journeyQuestion), "\(text)")
    }
  }

  @Test(arguments: [
    (nil, "en"), ("en-GB", "en"), ("de", "de"), ("de-AT", "de"), ("fr", "fr"), ("fr-CA", "fr"), ("nl", "en"),
    ("", "en"),
  ])
  func `a locale chooses the language, and English is the default`(locale: String?, tag: String) {
    #expect(ServiceLanguage.of(locale).tag == tag)
  }

  @Test(arguments: [
    ("fr", "9,99"), ("nl", "9,99"), ("de", "9,99"), ("de-CH", "9.99"), ("en", "9.99"), ("ja", "9.99"),
  ])
  func `numbers are those of the locale, also where the words are English`(locale: String, number: String) {
    let language = ServiceLanguage.of(locale)
    #expect(language.number(999, decimals: 2) == number)
    #expect(language.decimalText(number) == "9.99")
  }

  @Test func `a point that may group thousands is not a decimal separator`() {
    let (english, german) = (ServiceLanguage.english, ServiceLanguage.german)
    #expect(german.smallestUnits("12.345", decimals: 3) == nil)
    #expect(german.smallestUnits("12,345", decimals: 3) == "12345")
    #expect(german.smallestUnits("9.99", decimals: 2) == "999")
    #expect(english.smallestUnits("12.345", decimals: 3) == "12345")
    #expect(german.numberText("12.345") == nil && german.numberText("1.5") == "1.5")
    #expect(english.numberText("12.345") == "12.345")
  }

  @Test(arguments: [
    ("de", "1.234,50"), ("de", "1.234,5"), ("de", "1 234,50"), ("de-AT", "1.234,50"), ("en", "1,234.50"),
    ("en-GB", "1,234.50"), ("de-CH", "1'234.50"), ("de-CH", "1’234.50"), ("fr", "1\u{202F}234,50"),
    ("fr", "1\u{A0}234,50"), ("fr", "1 234,50"), ("es", "1.234,50"), ("ja", "1,234.50"), ("de", " 1.234,50 "),
  ])
  func `an amount may have groups of digits if decimal places follow`(locale: String, typed: String) {
    #expect(ServiceLanguage.of(locale).smallestUnits(typed, decimals: 2) == "123450")
  }

  @Test(arguments: [
    ("de", "1.234"), ("de", "1,234.50"), ("de", "12.34,50"), ("de", "1.2345,00"), ("de", "1234.567,00"),
    ("de", ".234,50"), ("de", "1..234,50"), ("de", "0.123,45"), ("de", "1.234,"), ("de", "1.234,505"),
    ("de", "1.234,5.0"), ("de", "1.23a,50"), ("de", "1'234,50"), ("en", "1,234"), ("en", "1.234,50"),
    ("en", "1,234,50"), ("de-CH", "1'234"), ("de-CH", "1,234.50"), ("fr", "1 234.567"),
  ])
  func `digits in no clear groups are no amount`(locale: String, typed: String) {
    #expect(ServiceLanguage.of(locale).smallestUnits(typed, decimals: 2) == nil)
  }

  @Test func `an amount as the service writes it can be typed`() {
    for locale in ["en", "en-GB", "de", "de-AT", "de-CH", "fr", "es", "ja"] {
      let language = ServiceLanguage.of(locale)
      let amounts: [(Int64, Int)] = [(5, 2), (123_450, 2), (987_654_321, 2), (1_234_567, 3), (100_000, 2)]
      for (number, decimals) in amounts {
        let written = language.digits(of: number, decimals: decimals)
        #expect(language.smallestUnits(written, decimals: decimals) == "\(number)", "\(written)")
      }
      #expect(language.smallestUnits("-" + language.digits(of: 123_450, decimals: 2), decimals: 2) == "-123450")
    }
  }

  @Test func `a sentence about a field has its label in quotes, so that the label may be a question`() {
    let aboutFields = ServiceText.allCases.filter { $0.english.argumentNames.contains("field") }
    #expect(aboutFields.count > 20)
    for text in aboutFields {
      for count in [1, 2] {
        let arguments: KeyValuePairs<String, TextArgument.Value> = ["field": "How?", "count": .integer(count)]
        #expect(ServiceLanguage.english(text, arguments).contains("“How?”"), "\(text)")
        #expect(ServiceLanguage.german(text, arguments).contains("„How?“"), "\(text)")
        #expect(ServiceLanguage.french(text, arguments).contains("«\u{A0}How?\u{A0}»"), "\(text)")
      }
    }
  }

  @Test func `a text has its arguments in the language`() {
    #expect(ServiceLanguage.english(.step, ["step": 2, "count": 4]) == "Step 2 of 4")
    #expect(ServiceLanguage.german(.step, ["step": 2, "count": 4]) == "Schritt 2 von 4")
    #expect(ServiceLanguage.french(.step, ["step": 2, "count": 4]) == "Étape 2 sur 4")
    #expect(
      ServiceLanguage.german(.fieldDigits, ["field": "PIN", "count": 1]) == "„PIN“ muss aus 1 Ziffer bestehen.")
    for (count, digits) in [(0, "0 chiffre"), (1, "1 chiffre"), (2, "2 chiffres")] {
      #expect(ServiceLanguage.french(.hintDigits, ["count": .integer(count)]) == digits)
    }
    let message = ServiceMessage(.queryUnknown, ["name": "x"])
    #expect(message.text(in: .german) == "Der Abfrageparameter x ist hier unbekannt.")
    let literal: ServiceMessage = "Only for operators."
    #expect(literal.text(in: .german) == "Only for operators.")
  }

  @Test(arguments: [
    ("en", "Name:"), ("de-CH", "Name:"), ("fr", "Name\u{A0}:"), ("fr-CA", "Name\u{A0}:"), ("nl", "Name:"),
  ])
  func `a label has a colon as its language writes one`(locale: String, label: String) {
    #expect("Name".asLabel(in: .of(locale)) == label)
    for label in ["Name:", "Nom\u{A0}:", "Who?"] { #expect(label.asLabel(in: .of(locale)) == label) }
  }

  @Test func `a label loses the colon at its end, and the space before it`() {
    for label in ["Nom", "Nom:", "Nom :", "Nom\u{A0}:"] { #expect(label.withoutColon == "Nom") }
    #expect("a: b".withoutColon == "a: b" && "Nom ".withoutColon == "Nom ")
    #expect(":".withoutColon == "" && "".withoutColon == "")
  }
}

/// The names of languages in a list.
@Suite struct LanguageNameTests {
  @Test func `a language has its own name`() {
    #expect(LanguageName.own(of: "de") == "Deutsch")
    #expect(LanguageName.own(of: "pt-BR") == "Português (Brasil)")
    #expect(LanguageName.own(of: "pt-AO") == "Português")
    #expect(LanguageName.own(of: "tlh") == "tlh")
  }

  @Test func `two languages of one name have their tags`() {
    let tags = ["de", "de-CH", "en"]
    #expect(tags.map { LanguageName.own(of: $0, among: tags) } == ["Deutsch (de)", "Deutsch (de-CH)", "English"])
  }
}
