import TestApps
import Testing
import Values

@testable import Navigation

/// Refusals by the outcomes of effects: the form that has requested the effect is shown again, with its values.
@Suite struct FormRefusalTests {
  private let app: AppDefinition
  private var state: SessionState

  init() throws {
    app = try AppDefinition(Payee.app())
    state = try app.create()
  }

  private mutating func perform(_ intent: Intent) throws { try store(try app.perform(intent, on: state)) }

  private mutating func act(_ name: String, _ input: Value = .emptyObject) throws {
    try perform(.action(name: name, input: input))
  }

  /// Sends the form with an emptied reference, and returns the effect of its handler that was requested first.
  @discardableResult private mutating func send(_ way: String, iban: String = "DE00") throws -> WorkID {
    let known = state.work.count
    try act("send", ["way": Value(way), "iban": Value(iban), "number": "N-4711", "pin": "1234", "reference": .null])
    return state.work.count > known ? state.work[known].id : WorkID(0)
  }

  private mutating func apply(_ event: BackgroundEvent) throws {
    guard case .applied(let next) = try app.apply(event, to: state) else {
      Issue.record("\(event) was not applied")
      return
    }
    #expect(next.revision == state.revision + 1)
    try store(next)
  }

  private mutating func store(_ next: SessionState) throws {
    try audit(next, of: app)
    #expect(try app.unpack(app.pack(next), locale: next.environment.locale) == next)
    state = next
  }

  private var view: VisibleScreen { get throws { try app.view(of: state) } }
  private var screen: String { get throws { try view.screen.name } }
  private var form: OfferedAction { get throws { try #require(try view.actions.first) } }
  private var notice: String? { get throws { try view.prompt?.message.string } }

  /// The refusals at the form: each field with its sentence.
  private var errors: [String] {
    get throws {
      try form.failures.map { failure in
        guard case .refused(let reason) = failure.fault.fact else { return "\(failure)" }
        return "\(failure.pointer): \(reason.string)"
      }
    }
  }

  private func initial(_ field: String) throws -> Value? {
    try form.input.fields.first { $0.name == field }?.initial
  }

  private var coordinator: Value { state.nodes.last?.state.encoding ?? .null }

  private static let typo = "/iban: This IBAN has a typing error."

  // MARK: The form is shown again

  @Test(arguments: ["push", "present", "child", "stay"])
  mutating func `a refusal shows the form with the values that were sent`(way: String) throws {
    let form = try #require(state.visibleEntry?.id)
    let id = try send(way)
    try apply(.done(id, "typo"))
    #expect(state.visibleEntry?.id == form)
    #expect(try screen == "contact" && errors == [Self.typo] && notice == nil)
    #expect(state.stacks.count == 1 && state.nodes.count == 2 && state.work.isEmpty)
    #expect(try initial("iban") == "DE00" && initial("way") == Value(way) && initial("number") == "N-4711")
  }

  @Test mutating func `a secret is never kept, and an empty field stays empty`() throws {
    #expect(try initial("note") == "From the address book." && initial("reference") == "Rent")
    let id = try send("push")
    guard case .submitted(let form)? = state.work.first?.effect?.form else {
      Issue.record("The effect has no form.")
      return
    }
    #expect(form.input["pin"] == nil && form.input["iban"] == "DE00")
    try apply(.done(id, "typo"))
    #expect(try initial("pin") == nil && initial("note") == nil && initial("reference") == nil)
    #expect(!app.pack(state).contains("1234".utf8))
  }

  @Test mutating func `a refused outcome changes nothing else`() throws {
    let id = try send("push")
    try apply(.done(id, "typo"))
    #expect(coordinator["sent"] == 1 && coordinator["outcomes"] == 0)
    guard case .obsolete = try app.apply(.done(id, "fine"), to: state) else {
      Issue.record("The outcome was applied twice.")
      return
    }
  }

  @Test mutating func `a child over the form is cancelled`() throws {
    let id = try send("child")
    #expect(state.nodes.count == 3)
    try apply(.done(id, "typo"))
    #expect(coordinator["sent"] == 11)
  }

  @Test mutating func `a refusal may be about the form as a whole, and have several reasons`() throws {
    try apply(.done(try send("push"), "both"))
    #expect(try errors == [Self.typo, ": The account is closed."])
  }

  @Test mutating func `the handler of a failure refuses as well`() throws {
    try apply(.failed(try send("push"), EffectFailure(.error, detail: "Busy.")))
    #expect(try screen == "contact" && errors == [": The bank is away. Try again later."])
  }

  @Test mutating func `an effect that an outcome requests has the same form`() throws {
    try apply(.done(try send("push"), "next"))
    #expect(try screen == "confirmed")
    try apply(.done(try #require(state.work.first?.id), "typo"))
    #expect(try screen == "contact" && errors == [Self.typo])
  }

  @Test mutating func `an outcome that does not refuse goes on`() throws {
    try apply(.done(try send("push"), "fine"))
    #expect(try screen == "confirmed" && coordinator["outcomes"] == 1)
    #expect(state.refusal == nil)
  }

  // MARK: The end of a refusal

  @Test mutating func `the next intent ends the refusal, and another language does not`() throws {
    try apply(.done(try send("push"), "typo"))
    try perform(.locale("de"))
    #expect(try errors == [Self.typo])
    try act("look")
    #expect(try errors == [] && initial("note") == "From the address book." && initial("iban") == nil)
    #expect(state.refusal == nil)
  }

  @Test mutating func `an intent that waits behind a guard ends the refusal, and supersedes other outcomes`() throws {
    try act("close")
    let first = try send("twice")
    let second = try #require(state.work.last?.id)
    try apply(.done(first, "typo"))
    try send("confirm")
    #expect(try screen == "one-moment" && state.pending != nil && state.refusal == nil)
    try apply(.done(second, "closed"))
    #expect(try screen == "one-moment" && state.pending != nil && state.refusal == nil && notice == nil)
  }

  @Test mutating func `a question to leave the form does not end the refusal`() throws {
    try apply(.done(try send("push"), "typo"))
    try perform(.back)
    #expect(try view.prompt?.name == "leave")
    try act("stay")
    #expect(try errors == [Self.typo])
    try perform(.back)
    try act("leave")
    #expect(try screen == "lobby" && state.refusal == nil)
  }

  @Test mutating func `the form can be sent again`() throws {
    try apply(.done(try send("push"), "typo"))
    let id = try send("push", iban: "DE01")
    #expect(state.refusal == nil)
    try apply(.done(id, "closed"))
    #expect(try errors == [": The account is closed."] && initial("iban") == "DE01")
  }

  // MARK: Several effects

  @Test(arguments: ["stay", "skip"])
  mutating func `an outcome does not refuse a form that was sent again since`(second: String) throws {
    let first = try send("stay")
    let other = try send(second, iban: "DE01")
    try apply(.done(first, "typo"))
    #expect(try errors == [] && notice == nil && screen == "contact")
    guard second == "stay" else { return }
    try apply(.done(other, "typo"))
    #expect(try errors == [Self.typo] && initial("iban") == "DE01")
  }

  @Test mutating func `an outcome of an earlier submission leaves the refusal of a later one`() throws {
    let first = try send("stay")
    let second = try send("stay", iban: "DE01")
    try apply(.done(second, "typo"))
    try apply(.done(first, "closed"))
    #expect(try errors == [Self.typo] && initial("iban") == "DE01")
  }

  @Test(arguments: ["closed", "both"])
  mutating func `the refusals of two effects of one submission are shown together`(answer: String) throws {
    let first = try send("twice")
    let second = try #require(state.work.last?.id)
    try apply(.done(first, "typo"))
    try apply(.done(second, Value(answer)))
    #expect(try errors == [Self.typo, ": The account is closed."])
  }

  @Test mutating func `a refusal that an intent has ended does not come back with another one`() throws {
    let first = try send("twice")
    let second = try #require(state.work.last?.id)
    try apply(.done(first, "typo"))
    try perform(.locale("de"))
    try act("look")
    try apply(.done(second, "closed"))
    #expect(try errors == [": The account is closed."])
  }

  // MARK: The form is gone

  @Test(arguments: ["typo", "closed"])
  mutating func `a refusal of a form that is gone is told in a notice`(answer: String) throws {
    try apply(.done(try send("replace"), Value(answer)))
    #expect(try screen == "one-moment")
    #expect(try notice == (answer == "typo" ? "This IBAN has a typing error." : "The account is closed."))
    #expect(state.refusal == nil)
  }

  @Test mutating func `a field that the form does not have makes a notice`() throws {
    try apply(.done(try send("push"), "bic"))
    #expect(try screen == "one-moment" && notice == "The bank needs a BIC.")
  }

  @Test mutating func `an effect of a prompt has no form`() throws {
    try act("ask-first")
    try act("check")
    #expect(state.work.first?.effect?.form == nil)
    try apply(.done(try #require(state.work.first?.id), "closed"))
    #expect(try errors == [] && notice == "The account is closed.")
  }

  @Test mutating func `the screen of another coordinator over the form stays, and a notice tells`() throws {
    try act("interrupt", ["isEnd": false])
    let timer = try #require(state.work.first?.id)
    let id = try send("stay")
    try apply(.due(timer))
    #expect(try screen == "lobby")
    try apply(.done(id, "typo"))
    #expect(try screen == "lobby" && notice == "This IBAN has a typing error.")
  }

  @Test mutating func `a refusal ends with its screen`() throws {
    try act("interrupt", ["isEnd": true])
    let timer = try #require(state.work.first?.id)
    try apply(.done(try send("stay"), "typo"))
    try apply(.due(timer))
    #expect(try screen == "lobby" && state.refusal == nil)
  }

  @Test mutating func `the outcome of a coordinator that has ended does not arrive`() throws {
    let id = try send("stay")
    try perform(.back)
    try act("leave")
    guard case .obsolete = try app.apply(.done(id, "typo"), to: state) else {
      Issue.record("The outcome was applied.")
      return
    }
  }

  // MARK: Obstacles

  @Test mutating func `a refusal waits for the end of a prompt`() throws {
    let id = try send("stay")
    try act("ask-first")
    guard case .blocked(.promptIsOpen) = try app.apply(.done(id, "typo"), to: state) else {
      Issue.record("The outcome was applied.")
      return
    }
    try perform(.back)
    try apply(.done(id, "typo"))
    #expect(try errors == [Self.typo])
  }

  @Test mutating func `an outcome that has not declared it cannot refuse`() throws {
    try act("look")
    #expect(state.work.first?.effect?.form == nil)
    let id = try #require(state.work.first?.id)
    #expect(throws: Rejection.self) { try app.apply(.done(id, "wrong"), to: state) }
  }

  @Test mutating func `an effect without a form takes no byte more`() throws {
    try act("look")
    let size = app.pack(state).count
    var other = state
    other.work = state.work.map { work in
      guard var effect = work.effect else { return work }
      effect.form = .superseded
      return PendingWork(id: work.id, owner: work.owner, since: work.since, content: .effect(effect))
    }
    // The parts of an effect have one byte in any case.
    #expect(app.pack(other).count == size)
  }

  @Test mutating func `a refusal goes to another version of the app`() throws {
    let id = try send("push")
    let next = try AppDefinition(Payee.app(version: 2))
    let pending = try next.unpack(app.pack(state))
    guard case .applied(let refused) = try next.apply(.done(id, "typo"), to: pending) else {
      Issue.record("The outcome was not applied.")
      return
    }
    #expect(try next.view(of: refused).actions[0].failures.count == 1)
    try apply(.done(id, "typo"))
    #expect(try next.view(of: try next.unpack(app.pack(state))).actions[0].failures.count == 1)
  }

  @Test mutating func `damaged bytes of a refusal are an error, or a state that can be shown`() throws {
    try apply(.done(try send("push"), "typo"))
    let packed = Array(app.pack(state).dropLast(PackedFormat.checksumSize))
    for place in packed.indices {
      for byte in [0, 1, 8, 12, 255] as [UInt8] {
        var changed = packed
        changed[place] = byte
        let sum = changed.withUnsafeBytes { checksum($0) }
        withUnsafeBytes(of: sum.littleEndian) { changed += $0 }
        guard let read = try? app.unpack(changed) else { continue }
        _ = try? app.view(of: read)
        _ = try? app.perform(.back, on: read)
      }
    }
  }
}
