import Navigation
import Testing
import UsherTesting
import Values

/// The reasons of rejections, as tests and their output show them.
@Suite struct RejectionTests {
  private var session: TestSession

  init() throws { session = try TestSession(Bookshop.app()) }

  private mutating func reasons(_ step: (inout TestSession) throws -> Void) -> [String]? {
    #expect(throws: Rejection.self) { try step(&session) }?.reasons
  }

  @Test mutating func `a reason that concerns a field follows the name of the field`() {
    #expect(reasons { try $0.act("price", ["book": ""]) } == ["book: “Book” must not be empty."])
    #expect(reasons { try $0.act("price") } == ["book: “Book” is required."])
    #expect(reasons { try $0.act("price", "Emma") } == ["The input must be an object."])
  }

  @Test mutating func `a reason is the sentence that clients read`() throws {
    #expect(reasons { try $0.act("buy") } == ["The screen shelf has no action buy."])
    try session.fake(FetchPrice.self) { _ in 100 }
    try session.act("price", ["book": "Emma"])
    #expect(reasons { try $0.act("buy") } == ["The book is not in stock."])
  }

  @Test mutating func `a test that fails because of a rejection prints its reasons`() {
    let rejection = #expect(throws: Rejection.self) { try session.act("price") }
    #expect(rejection?.testDescription == "Rejection: book: “Book” is required.")
  }
}
