import Languages
import Testing

/// The choice of a language by its tag (RFC 4647, section 3.4).
@Suite struct LanguageTagTests {
  @Test(arguments: [
    ("de", 0), ("de-CH", 1), ("de-AT", 0), ("DE-ch", 1), ("de-CH-1996", 1), ("zh-Hant-CN-x-private1", 2),
    ("zh-Hant-x-a", 2),
  ])
  func `The longest matching tag wins`(range: String, place: Int) {
    #expect(LanguageTag.lookUp(range, in: ["de", "de-CH", "zh-Hant"]) == place)
  }

  @Test(arguments: ["fr", "d", "deu", "zh", "", "-", "de_CH", "*"])
  func `A range without a matching tag has none`(range: String) {
    #expect(LanguageTag.lookUp(range, in: ["de", "de-CH", "zh-Hant"]) == nil)
  }

  @Test func `A single letter is not a range of its own`() {
    // RFC 4647: zh-x-private is tried as zh next, and never as zh-x.
    #expect(LanguageTag.lookUp("zh-x-private", in: ["zh-x"]) == nil)
    #expect(LanguageTag.lookUp("zh-x-private", in: ["zh-x", "zh"]) == 1)
  }

  @Test func `A tag has subtags of letters and digits`() {
    for tag in ["de", "de-CH", "zh-Hant-TW", "sl-rozaj-1994", "x-private"] { #expect(LanguageTag.isWellFormed(tag)) }
    for text in ["", "-", "de-", "-de", "de--CH", "1a", "de_CH", "abcdefghi", "dé"] {
      #expect(!LanguageTag.isWellFormed(text), "\(text)")
    }
  }
}
