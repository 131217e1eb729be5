import Testing

@testable import Languages

/// The header Accept-Language (RFC 9110, section 12.5.4).
@Suite struct AcceptLanguageTests {
  private let tags = ["en", "de", "fr-CA", "pt-BR"]

  private func best(_ header: String) -> String? { AcceptLanguage(header).best(among: tags).map { tags[$0] } }

  @Test(arguments: [
    ("de", "de"), ("de-CH", "de"), ("DE-ch, en;q=0.5", "de"), ("fr-CA", "fr-CA"), ("fr-CA-x-a", "fr-CA"),
    ("nl, pt-BR;q=0.1", "pt-BR"), ("en;q=0.5, de;q=0.501", "de"), ("en;q=0.5, de;q=0.5", "en"),
    ("de;q=0.5, en;q=0.5", "de"), ("\tde \t;\t q=0.9 , en;Q=1.0", "en"), ("de;q=1.000", "de"), ("*", "en"),
    ("nl, *;q=0.1", "en"), ("de, *", "de"), ("en;q=0, *", "de"), ("*;q=0, pt-BR", "pt-BR"), ("de;q=0., en;q=0.1", "en"),
  ])
  func `the best language wins`(header: String, tag: String) {
    #expect(best(header) == tag)
  }

  @Test(arguments: [
    "", ",", "fr", "pt", "de;q=0", "*;q=0", "en;q=0, de;q=0, fr-CA;q=0, pt-BR;q=0, *", "nl;q=1", "-", ";q=1",
  ])
  func `a header without a match has none`(header: String) {
    #expect(best(header) == nil)
  }

  @Test(arguments: [
    "de;q=2", "de;q=1.001", "de;q=0.1234", "de;q=-1", "de;q=", "de;q=x", "de;q=0,5", "de;q=.5", "de;level=1",
    "de;q=1;q=1", "de_DE", "d e", "dé",
  ])
  func `a malformed range is ignored`(range: String) {
    #expect(best(range) == nil)
    #expect(best("\(range), pt-BR;q=0.001") == "pt-BR")
  }

  @Test func `a range that refuses a language does not refuse a more specific one`() {
    let tags = ["de", "de-CH"]
    #expect(AcceptLanguage("de;q=0, de-CH").best(among: tags) == 1)
    #expect(AcceptLanguage("de-CH;q=0, de").best(among: tags) == 0)
    #expect(AcceptLanguage("de-CH;q=0, de-CH-1996").best(among: tags) == nil)
  }

  @Test func `ranges beyond the limit are not read`() {
    #expect(best(String(repeating: "nl,", count: 63) + "de") == "de")
    #expect(best(String(repeating: "nl,", count: 64) + "de") == nil)
  }
}
