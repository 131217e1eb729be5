import Testing

@testable import Languages

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

  private static let environments: [([String: String], String?)] = [
    (["LANG": "de_DE.UTF-8"], "de-DE"), (["LANG": "de_AT@euro"], "de-AT"), (["LANG": "fr"], "fr"),
    (["LANG": "en_US.UTF-8", "LC_MESSAGES": "de_CH.UTF-8"], "de-CH"),
    (["LANG": "en_US", "LC_MESSAGES": "fr_FR", "LC_ALL": "de_DE"], "de-DE"), (["LC_ALL": "", "LANG": "de"], "de"),
    (["LC_ALL": "C.UTF-8", "LANG": "de_DE"], nil), (["LANG": "POSIX"], nil), (["LANG": "C"], nil), ([:], nil),
    (["LANG": "../de"], nil), (["LANG": "_DE"], nil), (["LANGUAGE": "de"], nil),
  ]

  @Test(arguments: environments)
  func `The environment of a program names the language of its user`(variables: [String: String], tag: String?) {
    #expect(LanguageTag.ofEnvironment(variables) == tag)
  }

  @Test func `A tag has subtags of letters and digits`() {
    for tag in ["de", "de-CH", "zh-Hant-TW", "sl-rozaj-1994", "x-private"] { #expect(LanguageTag.isWellFormed(tag)) }
    for text in ["", "-", "de-", "-de", "de--CH", "1a", "de_CH", "abcdefghi", "dé"] {
      #expect(!LanguageTag.isWellFormed(text), "\(text)")
    }
  }
}
