import Navigation
import Testing
import UsherTesting
import Values

/// The owner of a session, as the code of an app reads it.
@Suite struct PrincipalTests {
  private let ann = SessionPrincipal(subject: "ann")
  private let clerk = SessionPrincipal(subject: "ann", claims: ["role": "clerk", "limit": 5])

  /// The claims of a token that expires some seconds after the start of a session.
  private func clerk(for seconds: Int64) -> SessionPrincipal {
    SessionPrincipal(
      subject: "ann", claims: clerk.claims, expiresAt: Timestamp(milliseconds: 946_684_800_000 + seconds * 1000))
  }

  private func note(_ session: TestSession) -> String? { session.screen(Till.self)?.note }

  @Test func `handlers, fills, guards and reasons read the principal`() throws {
    var session = try TestSession(Till.app, principal: clerk)
    #expect(session.screen(Till.self)?.greeting == "ann, clerk")
    #expect(session.disabledReason(of: "refund") == nil)
    try session.act("refund")
    #expect(note(session) == "ann refunds up to 5")
    try session.act("office")
    #expect(session.titles.last == "Office")
    var other = try TestSession(Till.app, principal: ann)
    #expect(other.screen(Till.self)?.greeting == "ann, nobody")
    #expect(other.disabledReason(of: "refund") == "Only clerks refund.")
    try other.act("office")
    #expect(note(other) == "ann may not enter")
  }

  @Test func `a session without an owner has no principal, and takes none over`() throws {
    var session = try TestSession(Till.app)
    #expect(session.screen(Till.self)?.greeting == "nobody, nobody")
    session.principal = clerk
    try session.act("office")
    #expect(note(session) == "nobody may not enter")
    #expect(session.state.environment.principal == nil)
  }

  @Test func `an action has the claims of its token, and never another subject`() throws {
    var session = try TestSession(Till.app, principal: ann)
    session.principal = SessionPrincipal(subject: "ann", claims: ["role": "guest"])
    // A rejected action changes no claims.
    #expect(throws: Rejection.self) { try session.act("refund") }
    #expect(session.screen(Till.self)?.greeting == "ann, nobody")
    session.principal = clerk
    try session.act("office")
    #expect(session.titles.last == "Office")
    session.principal = SessionPrincipal(subject: "bob", claims: clerk.claims)
    try session.back()
    #expect(session.screen(Till.self)?.greeting == "ann, clerk")
    session.principal = ann
    try session.act("count")
    #expect(session.screen(Till.self)?.greeting == "ann, nobody")
  }

  @Test func `the first step after the expiry of a token removes its claims`() throws {
    var session = try TestSession(Till.app, principal: clerk(for: 60))
    try session.advance(by: .seconds(59))
    try session.act("count")
    #expect(session.screen(Till.self)?.greeting == "ann, clerk")
    // The timer is due at the time of the expiry, in a step that no client causes.
    try session.advance(by: .seconds(1))
    #expect(note(session) == "closed by ann as nobody")
    #expect(session.screen(Till.self)?.greeting == "ann, nobody")
  }

  @Test func `a claim of another type is not a claim`() {
    #expect(clerk.claim("role") == "clerk")
    #expect(clerk.claim("role", as: Int.self) == nil)
    #expect(clerk.claim("limit", as: Int.self) == 5)
    #expect(clerk.claim("missing", as: String.self) == nil)
  }
}

/// The screen of a till, whose coordinator reads the principal wherever it can.
private struct Till: Screen {
  static let name = "till"
  static let title: Title<Self> = "Till"
  static let actions: [any Action.Type] = [Refund.self, Count.self, Enter.self]
  var greeting = ""
  var note: String?

  static let app = App("till", title: "Till") { TillCoordinator() }
}

private struct Office: Screen {
  static let name = "office"
  static let title: Title<Self> = "Office"
}

private struct Refund: Action {
  static let name = "refund"
  static let title: Text = "Refund"
}

private struct Count: Action {
  static let name = "count"
  static let title: Text = "Count"
}

private struct Enter: Action {
  static let name = "office"
  static let title: Text = "Office"
}

private struct Closing: TimedEvent { static let name = "closing" }

extension SessionPrincipal {
  fileprivate var role: String { claim("role") ?? "nobody" }
}

private struct TillCoordinator: Coordinator {
  static let name = "till-flow"

  static let wiring = Wiring<Self>()
    .shows(Till.self) { _, screen, context in
      screen.greeting = "\(context.principal?.subject ?? "nobody"), \(context.principal?.role ?? "nobody")"
    }
    .shows(Office.self)
    .guards(
      screen: Office.self, until: { _, context in context.principal?.role == "clerk" },
      otherwise: { _, nav in nav.replaceTop(Till(note: "\(nav.principal?.subject ?? "nobody") may not enter")) }
    )
    .on(Refund.self, disabled: { _, context in context.principal?.role == "clerk" ? nil : "Only clerks refund." }) {
      _, _, nav in
      nav.replaceTop(Till(note: "\(nav.principal?.subject ?? "") refunds up to \(nav.principal?.claim("limit") ?? 0)"))
    }
    .on(Count.self) { _, _, _ in }
    .on(Enter.self) { _, _, nav in nav.push(Office()) }
    .on(timer: Closing.self) { _, _, nav in
      nav.replaceTop(Till(note: "closed by \(nav.principal?.subject ?? "") as \(nav.principal?.role ?? "")"))
    }

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Till())
    nav.schedule(Closing(), after: .seconds(60))
  }
}
