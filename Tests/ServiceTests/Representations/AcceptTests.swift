import Testing

@testable import HTTPAPI

/// The header that chooses a representation.
@Suite struct `Accept` {
  @Test(arguments: [
    ("application/json", Representation.json), ("text/html", .html), ("TEXT/Plain", .text), ("text/*", .html),
    ("*/*", .json), ("", .json), ("text/html;q=0.1, text/plain;q=0.2", .text), ("text/html;q=0, */*", .json),
    ("text/html ; q=0.5 , application/json;q=0.4", .html), ("text/html;level=1;Q=0.5,text/plain;q=0.6", .text),
    ("*/*;q=0.1, text/*;q=0.2, text/plain;q=0.05", .html), ("text/html;q=2, text/plain;q=0.9", .html), (",,text/plain,,", .text),
    ("a/b, application/vnd.siren+json", .siren), ("text/html;q=0.5, text/html;q=0.9, text/plain;q=0.7", .text),
  ])
  func `chooses what the client prefers`(header: String, chosen: Representation) throws {
    #expect(try MediaType.representation(header) == chosen)
    #expect(try MediaType.representation(String(header.map { $0 == "," ? " ,\t" : "\($0)" }.joined())) == chosen)
  }

  @Test(arguments: ["a/b", "text/html;q=0", "text", "text/htm", "text/htmls", ";", ",", "*", "text/html;q=0,*/*;q=0"])
  func `is refused where it takes nothing that there is`(header: String) {
    #expect(throws: Problem.self) { try MediaType.representation(header) }
  }

  /// However long a head may be, no more than this is compared with each type.
  @Test func `is read up to 64 media ranges`() throws {
    let most = Array(repeating: "a/b", count: 63).joined(separator: ",,")
    #expect(try MediaType.representation(most + ",text/html") == .html)
    try MediaType.requireAcceptable(most + ",application/json", "application/json")
    for tail in [",a/b,text/html", ",application/json,application/json", String(repeating: ",a/b", count: 4000)] {
      do throws(Problem) {
        _ = try MediaType.representation(most + tail)
        Issue.record("It chooses.")
      } catch {
        #expect(error.kind == .notAcceptable && error.detail.contains("64 media ranges"))
      }
      #expect(throws: Problem.self) { try MediaType.requireAcceptable(most + tail, "application/json") }
      #expect(!MediaType.prefersPage(most + tail))
    }
  }

  @Test(arguments: [",", " ,\t"])
  func `ignores the empty elements of the list`(separator: String) throws {
    #expect(try MediaType.representation("text/html" + String(repeating: separator, count: 1000)) == .html)
  }

  @Test func `may be of blanks, commas and semicolons only, as long as a head`() throws {
    let long = 14_000
    #expect(try MediaType.representation("text/html" + String(repeating: " ", count: long)) == .html)
    #expect(try MediaType.representation("text/html" + String(repeating: ";", count: long)) == .html)
    #expect(try MediaType.representation("text/html" + String(repeating: ",", count: long)) == .html)
    #expect(try MediaType.representation("text/html" + String(repeating: ";a=b", count: long / 4) + ";q=0.5") == .html)
  }
}
