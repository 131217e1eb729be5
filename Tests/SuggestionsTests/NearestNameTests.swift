import Suggestions
import Testing

/// The proposal of a name for a wrong one.
@Suite struct NearestNameTests {
  @Test(
    arguments: [
      ("ordrs", "orders"), ("oders", "orders"), ("roders", "orders"), ("ORDERS", "orders"), ("orderss", "orders"),
      ("quotte", "quote"), ("qoute", "quote"), ("titel", "title"), ("id", nil), ("x", nil), ("", nil),
      ("catalogue", nil), ("tittle", "title"),
    ] as [(String, String?)])
  func `a similar name is proposed`(name: String, proposal: String?) {
    #expect(nearest(name, among: ["quote", "orders", "title", "a"]) == proposal)
  }

  @Test func `the most similar name is proposed, and of equally similar names the first of the alphabet`() {
    #expect(nearest("state", among: ["stats", "states", "slate", "start"]) == "slate")
    #expect(nearest("statez", among: ["start", "states"]) == "states")
  }

  @Test func `a long name has no proposal`() {
    let name = String(repeating: "a", count: 65)
    #expect(nearest(name, among: [name]) == nil)
    #expect(nearest("a", among: [name]) == nil)
  }

  @Test func `too many names of a similar length have no proposal`() {
    #expect(nearest("titel", among: ["title", "total", "a"], comparisonLimit: 2) == "title")
    #expect(nearest("titel", among: ["title", "total", "a"], comparisonLimit: 1) == nil)
  }
}
