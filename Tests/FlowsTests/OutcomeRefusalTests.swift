import Navigation
import Testing
import UsherTesting
import Values

/// Forms that outcomes of flows refuse.
@Suite struct OutcomeRefusalTests {
  /// A page that asks for an IBAN, which a bank checks.
  ///
  /// - Parameters:
  ///   - fields: the fields of the form.
  ///   - head: the version of the flow.
  private static func payee(
    _ fields: String = "iban: {type: string, title: field}, note: {type: string}", _ head: String = ""
  ) throws -> AppDefinition {
    try FlowRunTests.app(
      """
      \(head)
      coordinators:
        main:
          state: {tries: {type: integer, default: 0}}
          start: [{push: contact}]
          handles:
            send:
              - push: one-moment
              - do: check
          steps:
            check: [{perform: bank.check}]
          outcomes:
            bank.check:
              done: [{perform: bank.register}]
              failed: [{set: {tries: =tries + 1}}, {refuse: {text: wrong, with: {tries: =tries}}, field: iban}]
            bank.register:
              done: [{setStack: [done]}]
              failed: [{refuse: {text: away}}]
      services:
        bank:
          check: {post: /checks}
          register: {post: /accounts}
      screens:
        contact: {actions: {send: {input: {\(fields)}}}}
        one-moment: {leave: sealed}
        done:

      """,
      texts: [
        "en": "field: IBAN\nwrong: Wrong after {tries} tries.\naway: The bank is away.\n",
        "de": "field: IBAN\nwrong: Falsch nach {tries} Versuchen.\naway: Die Bank ist nicht erreichbar.\n",
      ])
  }

  private static let input: Value = ["iban": "DE00", "note": "Rent"]

  private static func failed(_ session: TestSession) throws -> SessionState {
    let work = try #require(session.state.work.first)
    guard case .applied(let state) = try session.app.apply(.failed(work.id, EffectFailure(.status)), to: session.state)
    else { throw TestFailure() }
    return state
  }

  private struct TestFailure: Error {}

  private static func errors(_ state: SessionState, of app: AppDefinition) throws -> [String] {
    try app.view(of: state).actions[0].failures.map { failure in
      guard case .refused(let reason) = failure.fault.fact else { return "\(failure)" }
      return "\(failure.pointer): \(reason.string)"
    }
  }

  @Test func `an outcome refuses the form of the handler, in the language of each view`() throws {
    let app = try Self.payee()
    var session = try TestSession(app, locale: "en")
    try session.act("send", Self.input)
    let state = try Self.failed(session)
    #expect(try app.view(of: state).screen.name == "contact")
    #expect(try Self.errors(state, of: app) == ["/iban: Wrong after 1 tries."])
    #expect(try app.view(of: state).actions[0].input.fields.map(\.initial) == ["DE00", "Rent"])
    // The state of the coordinator is as before the outcome.
    #expect(state.nodes[0].state.encoding["tries"] == 0)
    let german = try app.perform(.locale("de"), on: app.unpack(app.pack(state), locale: "en"))
    #expect(try Self.errors(german, of: app) == ["/iban: Falsch nach 1 Versuchen."])
  }

  @Test func `an outcome refuses the form behind the operation before`() throws {
    let app = try Self.payee()
    var session = try TestSession(app, locale: "en")
    try session.act("send", Self.input)
    let work = try #require(session.state.work.first)
    guard case .applied(let checked) = try app.apply(.done(work.id, .null), to: session.state),
      let next = checked.work.first,
      case .applied(let state) = try app.apply(.failed(next.id, EffectFailure(.timeout)), to: checked)
    else { throw TestFailure() }
    #expect(try Self.errors(state, of: app) == [": The bank is away."])
  }

  @Test func `a version without the field tells the reason in a notice, and drops a refusal that is shown`() throws {
    let first = try Self.payee()
    var session = try TestSession(first, locale: "en")
    try session.act("send", Self.input)
    let second = try Self.payee("note: {type: string}, iban: {type: integer}", "version: 2\ncarry: [1]\n")
    let third = try FlowRunTests.app(
      """
      version: 3
      carry: [1]
      coordinators:
        main:
          state: {tries: {type: integer, default: 0}}
          start: [{push: contact}]
          handles: {send: [{push: one-moment}, {perform: bank.check}]}
          outcomes:
            bank.check: {done: [{setStack: [done]}], failed: [{refuse: No.}]}
      services:
        bank: {check: {post: /checks}}
      screens:
        contact: {actions: {send: {input: {note: {type: string}}}}}
        one-moment: {leave: sealed}
        done:

      """)
    let refused = try Self.failed(session)
    let shown = try second.unpack(first.pack(refused), locale: "en")
    #expect(try Self.errors(shown, of: second) == ["/iban: Wrong after 1 tries."])
    // A value that the field no longer takes is left out.
    #expect(try second.view(of: shown).actions[0].input.fields.map(\.initial) == ["Rent", nil])
    #expect(try third.unpack(first.pack(refused), locale: "en").refusal == nil)
    let work = try #require(session.state.work.first)
    let pending = try third.unpack(first.pack(session.state), locale: "en")
    guard case .applied(let other) = try third.apply(.failed(work.id, EffectFailure(.status)), to: pending) else {
      throw TestFailure()
    }
    #expect(try third.view(of: other).screen.name == "contact")
    #expect(try Self.errors(other, of: third) == [": No."])
  }
}
