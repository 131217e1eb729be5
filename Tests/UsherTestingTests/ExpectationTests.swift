import ExampleApps
import Navigation
import Testing
import UsherTesting
import Values

/// Expectations of a session, and the differences that they record.
@Suite struct ExpectationTests {
  private var session: TestSession

  init() throws {
    session = try TestSession(Bookshop.app())
    try session.fake(FetchBooks.self) { _ in ["Emma", "Persuasion"] }
  }

  private mutating func askPrice() throws {
    try session.fake(FetchPrice.self) { _ in 400 }
    try session.act("price", ["book": "Emma"])
  }

  @Test mutating func `the stack has the titles of its screens`() throws {
    session.expect(stack: ["Books"])
    try askPrice()
    session.expect(stack: ["Books", "Your book"])
    expectIssue(
      """
      The stack differs: - expected, + found
      - Shelves
      + Books
        Your book
      - Thank you
      """
    ) { session.expect(stack: ["Shelves", "Your book", "Thank you"]) }
  }

  @Test mutating func `the screen is that of the terminal client, without its layout`() throws {
    session.expect(
      screen: """
        Books
        5 Emma
        6 Persuasion
        1 Follow the prices
        2 Show my name
        3 Become a member
        4 Invite me
        """)
    session.expect(
      screen: """
        Books
        =====
          5   Emma
          6   Persuasion

          1   Follow the prices
          2   Show my name
          3   Become a member
          4   Invite me
        """)
    try askPrice()
    session.expect(
      screen: """
        Your book
        Price 400
        In stock no
        Working on it …
        – Buy: The book is not in stock.
        b Back to Books
        """)
    expectIssue(
      """
      The screen differs: - expected, + found
        Your book
      - Price 500
      + Price 400
        In stock no
      + Working on it …
        – Buy: The book is not in stock.
        b Back to Books
      """
    ) {
      session.expect(
        screen: """
          Your book
          Price 500
          In stock no
          – Buy: The book is not in stock.
          b Back to Books
          """)
    }
  }

  @Test func `a screen has its prompt, and only the actions of that`() throws {
    var session = try TestSession(ExampleApps.bank, link: "/transfer")
    try session.act("sign-in", ["pin": "1234"])
    try session.act("next", ["to": "bob"])
    try session.back()
    session.expect(
      screen: """
        Amount
        Leave this transfer?
        The amount is not saved.
        1 Leave
        2 Stay
        b Back to Amount
        """)
  }

  @Test mutating func `the tree has each coordinator below its parent`() throws {
    try session.act("register")
    session.expect(
      tree: """
        bookshop
          joining
        """)
    expectIssue(
      """
      The coordinator tree differs: - expected, + found
        bookshop
      -   leaving
      +   joining
      """
    ) {
      session.expect(
        tree: """
          bookshop
            leaving
          """)
    }
  }

  @Test mutating func `pending work has its kind, its name and its key, and a timer the time until it fires`() throws {
    try askPrice()
    session.expect(pending: ["effect fetch-stock", "timer offer-ends in 90.5 s", #"signal price-changed "prices""#])
    try session.advance(by: .milliseconds(10_500))
    session.expect(pending: ["effect fetch-stock", "timer offer-ends in 80 s", #"signal price-changed "prices""#])
    session.removeFake(FetchPrice.self)
    try session.back()
    try session.act("price", ["book": "Persuasion"])
    expectIssue(
      """
      The pending work differs: - expected, + found
        effect fetch-stock
        timer offer-ends in 80 s
        signal price-changed "prices"
      - effect fetch-price "Emma"
      + effect fetch-price "Persuasion"
      """
    ) {
      session.expect(
        pending: [
          "effect fetch-stock", "timer offer-ends in 80 s", #"signal price-changed "prices""#,
          #"effect fetch-price "Emma""#,
        ])
    }
  }

  @Test mutating func `a failed expectation is at its own line`() throws {
    let line = #line + 2
    withKnownIssue {
      session.expect(stack: [])
    } matching: { issue in
      issue.sourceLocation?.line == line && issue.sourceLocation?.fileName == "ExpectationTests.swift"
    }
  }

  @Test mutating func `the reason of an action that the screen does not have is an issue`() throws {
    #expect(session.disabledReason(of: "price") == nil)
    expectIssue("The screen has no action prise.") { _ = session.disabledReason(of: "prise") }
  }

  /// Expects that the body records one issue with this text.
  private func expectIssue(_ text: String, _ body: () -> Void) {
    withKnownIssue {
      body()
    } matching: { issue in
      issue.comments.map(\.rawValue) == [text]
    }
  }
}
