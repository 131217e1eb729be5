import Foundation
import Languages
import Messages
import Testing
import UsherTesting
import Values

@testable import Navigation

/// The journeys of the flows `licence` and `delivery` in `Tests/Flows/cases`, with the requests that their backends get.
/// Today is 2026-11-27.
@Suite struct JourneyCaseTests {
  // MARK: Licence

  @Test func `the shortest licence costs the basic fee`() throws {
    var walk = try Walk("licence")
    try walk.licence(
      "street", born: "1990-05-17", "music", things: [#"{"what": "instrument"}"#], "2026-12-01", "2026-12-01")
    #expect(walk.fact == "€20.00")
    try walk.send(
      """
      {"place": "street", "born": "1990-05-17", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg",
       "postcode": "20095", "act": "music", "hasAssistants": "no", "assistants": null,
       "equipment": [{"what": "instrument", "details": null, "watts": null}], "insurer": null, "policy": null,
       "first": "2026-12-01", "last": "2026-12-01", "declared": true, "fee": 2000}
      """)
  }

  @Test func `assistants, a long time and an insurance are added to the fee`() throws {
    var walk = try Walk.licenceB()
    #expect(walk.fact == "€55.50")
    try walk.send(Self.licenceB)
  }

  @Test func `dates at all limits are accepted`() throws {
    var walk = try Walk("licence")
    try walk.licence(
      "park", born: "2010-11-27", "juggling", assistants: [("Eva Nim", "2012-11-27", "+49 40 123456")], "2027-11-27",
      "2027-11-27")
    #expect(walk.fact == "€25.00")
    try walk.send(
      """
      {"place": "park", "born": "2010-11-27", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg",
       "postcode": "20095", "act": "juggling", "hasAssistants": "yes",
       "assistants": [{"name": "Eva Nim", "born": "2012-11-27", "guardian": "+49 40 123456"}], "equipment": [],
       "insurer": null, "policy": null, "first": "2027-11-27", "last": "2027-11-27", "declared": true, "fee": 2500}
      """)
  }

  @Test func `an exit has no way on`() throws {
    var walk = try Walk("licence")
    try walk.answer("place", #"{"place": "private"}"#)
    try walk.expect("not-needed")
    #expect(walk.session.view.actions.isEmpty)
    try walk.session.back()
    try walk.answer("place", #"{"place": "street"}"#)
    try walk.answer("born", #"{"born": "2010-11-28"}"#)
    try walk.expect("too-young")
  }

  @Test func `the insurance leaves the path with the last dangerous thing, and comes back with its answers`() throws {
    var walk = try Walk.licenceB()
    try walk.session.act("change", ["question": "equipment"])
    try walk.session.act("remove", ["item": 0])
    try walk.answer("equipment", "{}")
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
    #expect(walk.fact == "€40.50" && !walk.labels.contains("Insurer"))
    try walk.session.act("change", ["question": "equipment"])
    try walk.session.act("add")
    try walk.answer("equipment-item", #"{"what": "knives"}"#)
    try walk.answer("equipment", "{}")
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
    #expect(walk.fact == "€55.50" && walk.labels.contains("Insurer"))
    let fire = #"{"what": "fire", "details": null, "watts": null}"#
    let amplifier = #"{"what": "amplifier", "details": null, "watts": 40}"#
    try walk.send(
      Self.licenceB.replacing(
        "[\(fire), \(amplifier)]", with: "[\(amplifier), \(fire.replacing("fire", with: "knives"))]"))
  }

  @Test func `Back inside an item shows the typed answers, and Back on its first page drops the item`() throws {
    var walk = try Walk.licenceB()
    try walk.session.act("change", ["question": "assistants"])
    try walk.session.act("add")
    try walk.answer("assistants-item", #"{"name": "Eva Nim", "born": "2012-11-27"}"#)
    try walk.expect("assistants-item-2")
    try walk.session.back()
    #expect(walk.initial("name") == "Eva Nim" && walk.initial("born") == "2012-11-27")
    try walk.answer("assistants-item", #"{"name": "Eva Nim", "born": "1999-01-01"}"#)
    try walk.expect("assistants")
    #expect(walk.items("assistants").last == #"{"name":"Eva Nim","born":"1999-01-01"}"#)
    try walk.session.act("add")
    try walk.session.back()
    try walk.expect("assistants")
    #expect(walk.items("assistants").count == 3)
  }

  @Test func `the last item is removed, and another answer makes the list unnecessary`() throws {
    var walk = try Walk.licenceB()
    try walk.session.act("change", ["question": "assistants"])
    for _ in 1...2 { try walk.session.act("remove", ["item": 0]) }
    #expect(
      walk.refusal("continue", "{}") == ["/assistants: Add an assistant, or say that nobody helps you."])
    try walk.session.back()
    try walk.answer("help", #"{"hasAssistants": "no"}"#)
    try walk.answer("declaration", #"{"declared": true}"#)
    try walk.expect("check")
    #expect(walk.fact == "€45.50")
    try walk.session.act("change", ["question": "hasAssistants"])
    try walk.answer("help", #"{"hasAssistants": "yes"}"#)
    try walk.expect("assistants")
    #expect(walk.items("assistants").isEmpty)
  }

  @Test func `all answers of a licence at once are checked like those of its pages`() throws {
    var walk = try Walk("licence")
    let answers = Self.licenceB.replacing(#/ "\w+": null,?/#, with: "").replacing(#/, "fee": \d+/#, with: "")
      .replacing(#/,}/#, with: "}")
    #expect(walk.refusal("answers", answers.dropLast() + #", "fee": 1}"#) == ["/fee: “fee” is not a question."])
    #expect(
      walk.refusal(
        "answers",
        answers.replacing("\"first\": \"2027-06-01\"", with: "\"first\": \"2026-11-27\"")
          .replacing("1988-08-08", with: "2012-11-28"))
        == [
          "/assistants/1/born: An assistant is at least 14 years old.",
          "/first: The first day is tomorrow at the earliest.",
        ])
    try walk.session.act("answers", try Self.value(answers))
    try walk.expect("check")
    #expect(walk.fact == "€55.50")
    try walk.send(Self.licenceB)
  }

  // MARK: Delivery

  @Test func `the pages of two babies follow each other`() throws {
    var walk = try Walk.deliveryA()
    #expect(walk.labels.suffix(4) == ["Babies", "Ana", "Bo", "Visits since the birth"])
    try walk.send(Self.deliveryA)
  }

  @Test func `a stillbirth is a death, and no list of babies is asked`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.answer("condition", #"{"woman": "deceased"}"#)
    try walk.answer("death", #"{"deathDate": "2026-11-20", "deathPlace": "home"}"#)
    try walk.answer(
      "outcome",
      #"{"delivered": 1, "alive": 0, "date": "2026-11-20", "place": "other", "placeOther": "On the bus", "mode": "vaginal"}"#
    )
    #expect(walk.session.title == "Death of baby 1 of 1")
    try walk.answer("deaths-item", #"{"date": "2026-11-20", "place": "other", "stillbirth": true}"#)
    #expect(walk.refusal("continue", #"{"visits": []}"#).count == 1)
    #expect(walk.refusal("continue", #"{"visits": ["d1", "none"]}"#).count == 1)
    try walk.answer("visits", #"{"visits": ["none"]}"#)
    try walk.send(
      """
      {"patient": "P-77", "woman": "deceased", "womanSigns": null, "deathDate": "2026-11-20", "deathPlace": "home",
       "delivered": 1, "alive": 0, "date": "2026-11-20", "place": "other", "placeOther": "On the bus",
       "mode": "vaginal", "deaths": [{"date": "2026-11-20", "place": "other", "stillbirth": true, "notes": null}],
       "babies": null, "visits": ["none"], "referralDate": null}
      """)
  }

  @Test func `a branch and back leave no trace`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.answer("condition", #"{"woman": "unwell"}"#)
    try walk.answer("danger", #"{"womanSigns": []}"#)
    try walk.answer(
      "outcome", #"{"delivered": 2, "alive": 1, "date": "2026-09-28", "place": "home", "mode": "cesarean"}"#)
    try walk.answer("deaths-item", #"{"date": "2026-10-01", "place": "facility", "notes": "Weak"}"#)
    try walk.answer("babies-item", #"{"name": "Cy", "sex": "female", "condition": "well"}"#)
    try walk.answer("babies-item-2", #"{"weight": 2.4}"#)
    try walk.answer("babies-item-3", #"{"vaccines": "none", "signs": []}"#)
    try walk.answer("visits", #"{"visits": ["d7"]}"#)
    try walk.expect("check")
    try walk.session.act("change", ["question": "woman"])
    try walk.answer("condition", #"{"woman": "deceased"}"#)
    try walk.answer("death", #"{"deathDate": "2026-10-02", "deathPlace": "home"}"#)
    try walk.expect("check")
    #expect(!walk.labels.contains("Her danger signs"))
    try walk.session.act("change", ["question": "woman"])
    try walk.answer("condition", #"{"woman": "unwell"}"#)
    try walk.send(
      """
      {"patient": "P-77", "woman": "unwell", "womanSigns": [], "deathDate": null, "deathPlace": null, "delivered": 2,
       "alive": 1, "date": "2026-09-28", "place": "home", "placeOther": null, "mode": "cesarean",
       "deaths": [{"date": "2026-10-01", "place": "facility", "stillbirth": false, "notes": "Weak"}],
       "babies": [{"name": "Cy", "sex": "female", "condition": "well", "weight": 2.4, "length": null,
        "vaccines": "none", "signs": []}], "visits": ["d7"], "referralDate": null}
      """)
  }

  @Test func `Back from the second baby leads to the first one`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    try walk.outcomeOfA()
    try walk.ana()
    #expect(walk.session.title == "Baby 2 of 2")
    try walk.session.back()
    try walk.expect("babies-item-3")
    for page in ["babies-item-2", "babies-item"] {
      try walk.session.back()
      try walk.expect(page)
    }
    #expect(walk.session.title == "Baby 1 of 2" && walk.initial("name") == "Ana")
    try walk.ana()
    try walk.bo()
    try walk.answer("visits", #"{"visits": ["d1", "d3"]}"#)
    try walk.send(Self.deliveryA)
  }

  @Test func `fewer items keep the others for later`() throws {
    var walk = try Walk.deliveryA()
    let outcome = #"{"delivered": 2, "alive": 1, "date": "2026-11-25", "place": "facility", "mode": "vaginal"}"#
    try walk.session.act("change", ["question": "alive"])
    try walk.answer("outcome", outcome)
    #expect(walk.session.title == "Death of baby 1 of 1")
    try walk.answer("deaths-item", #"{"date": "2026-11-26", "place": "home"}"#)
    try walk.expect("check")
    #expect(walk.labels.contains("Ana") && !walk.labels.contains("Bo"))
    try walk.session.act("change", ["question": "alive"])
    try walk.answer("outcome", outcome.replacing(#""alive": 1"#, with: #""alive": 2"#))
    try walk.expect("check")
    #expect(walk.labels.contains("Bo") && !walk.labels.contains("Deaths"))
    try walk.send(Self.deliveryA)
  }

  @Test func `all answers of a delivery at once may lack items, and have none too many`() throws {
    var walk = try Walk("delivery", input: Walk.patient)
    let all = Self.deliveryA.replacing(#/"(patient|referralDate)": "[^"]*",? ?/#, with: "")
      .replacing(#/"\w+": null,? ?/#, with: "").replacing(", }", with: "}").replacing(", \n}", with: "}")
    let answers = try Self.value(all)
    let (bo, babies) = (answers["babies"]!.items[1], answers["babies"]!.items)
    func with(_ babies: [Value], _ more: [(String, Value)] = []) -> Value {
      .object(answers.members.map { ($0.key, $0.key == "babies" ? .array(babies) : $0.value) } + more)
    }
    #expect(walk.refusal("answers", with(babies + [bo])) == ["/babies: Enter exactly 2 babies."])
    #expect(
      walk.refusal("answers", with(babies, [("referralDate", "2026-12-01")]))
        == ["/referralDate: “referralDate” is not a question."])
    try walk.session.act("answers", with([babies[0]]))
    #expect(walk.session.title == "Baby 2 of 2" && walk.initial("name") == nil)
    try walk.session.act("answers", with(babies))
    try walk.send(Self.deliveryA)
  }

  private static let licenceB = """
    {"place": "street", "born": "1990-05-17", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg", \
    "postcode": "20095", "act": "both", "hasAssistants": "yes", "assistants": [{"name": "Bea Orr", \
    "born": "2011-03-02", "guardian": "+49 40 123456"}, {"name": "Carl Orr", "born": "1988-08-08", "guardian": null}], \
    "equipment": [{"what": "fire", "details": null, "watts": null}, {"what": "amplifier", "details": null, \
    "watts": 40}], "insurer": "Nordlicht", "policy": "NL-204060", "first": "2027-06-01", "last": "2027-06-14", \
    "declared": true, "fee": 5550}
    """

  private static let deliveryA = """
    {"patient": "P-77", "woman": "well", "womanSigns": null, "deathDate": null, "deathPlace": null, "delivered": 2, \
    "alive": 2, "date": "2026-11-25", "place": "facility", "placeOther": null, "mode": "vaginal", "deaths": null, \
    "babies": [{"name": "Ana", "sex": "female", "condition": "well", "weight": 3.1, "length": 49, "vaccines": "both", \
    "signs": []}, {"name": "Bo", "sex": "male", "condition": "unwell", "weight": null, "length": null, \
    "vaccines": "none", "signs": ["fever"]}], "visits": ["d1", "d3"], "referralDate": "2026-11-28"}
    """

  fileprivate static func value(_ json: some StringProtocol) throws -> Value { try JSONParser.parse(Array(json.utf8)) }
}

/// A session of a journey.
private struct Walk {
  var session: TestSession
  static let patient: Value = ["patient": "P-77", "name": "Mina Sol", "born": "1999-04-02"]

  init(_ name: String, input: Value = .emptyObject) throws {
    session = try TestSession(
      NavigationCaseTests.app(name), input: input, locale: "en", now: Timestamp(milliseconds: 1_795_780_800_000))
  }

  // MARK: Steps

  func expect(_ page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try #require(session.view.screen.name == page, sourceLocation: sourceLocation)
  }

  mutating func answer(_ page: String, _ input: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect(page, sourceLocation: sourceLocation)
    try session.act("continue", try JourneyCaseTests.value(input))
  }

  /// Sends the answers, and compares the request.
  mutating func send(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect("check", sourceLocation: sourceLocation)
    try session.act("submit")
    let effect = try #require(session.state.work.first { $0.effect != nil }?.effect, sourceLocation: sourceLocation)
    func canonical(_ value: Value) throws -> String {
      let object = try JSONSerialization.jsonObject(with: Data("\(value)".utf8))
      return String(
        decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted]),
        as: UTF8.self)
    }
    let expected = try canonical(try JourneyCaseTests.value(body))
    #expect(try canonical(effect.input["with"] ?? .null) == expected, sourceLocation: sourceLocation)
  }

  /// Returns the pointers and the sentences of the errors of a refused action.
  mutating func refusal(_ action: String, _ input: some StringProtocol) -> [String] {
    (try? JourneyCaseTests.value(input)).map { refusal(action, $0) } ?? ["The input is not JSON."]
  }

  mutating func refusal(_ action: String, _ input: Value) -> [String] {
    do {
      try session.act(action, input)
      return []
    } catch .invalidInput(let invalid) as Rejection {
      return invalid.failures.map { "\($0.pointer): \($0.sentence(in: .english))" }
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: The view

  var fact: String? {
    session.view.content.compactMap { if case .facts(let facts) = $0 { facts.first?.value.string } else { nil } }.first
  }

  var labels: [String] { session.view.content.answers.map(\.label.string) }

  /// Returns the value with which a field begins.
  func initial(_ field: String) -> String? {
    session.view.actions.first { $0.definition.name == "continue" }?.input.fields.first { $0.name == field }?.initial?
      .text
  }

  /// Returns the items of a list as JSON, whether they are asked or not.
  func items(_ list: String) -> [String] {
    let state = session.state.nodes[0].state.encoding
    return (state["journey"]?["kept"]?[list] ?? state[list] ?? .null).items.map { "\($0)" }
  }

  // MARK: Walks

  mutating func licence(
    _ place: String, born: String, _ act: String, assistants: [(name: String, born: String, phone: String?)] = [],
    things: [String] = [], insurance: String? = nil, _ first: String, _ last: String
  ) throws {
    try answer("place", #"{"place": "\#(place)"}"#)
    try answer("born", #"{"born": "\#(born)"}"#)
    try answer("name", #"{"name": "Ada Moll"}"#)
    try answer("address", #"{"street": "Kai 3", "town": "Hamburg", "postcode": "20095"}"#)
    try answer("act", #"{"act": "\#(act)"}"#)
    try answer("help", #"{"hasAssistants": "\#(assistants.isEmpty ? "no" : "yes")"}"#)
    for assistant in assistants {
      try expect("assistants")
      try session.act("add")
      try answer("assistants-item", #"{"name": "\#(assistant.name)", "born": "\#(assistant.born)"}"#)
      if let phone = assistant.phone { try answer("assistants-item-2", #"{"guardian": "\#(phone)"}"#) }
    }
    if !assistants.isEmpty { try answer("assistants", "{}") }
    for thing in things {
      try session.act("add")
      try answer("equipment-item", thing)
    }
    try answer("equipment", "{}")
    if let insurance { try answer("insurance", insurance) }
    try answer("dates", #"{"first": "\#(first)", "last": "\#(last)"}"#)
    try answer("declaration", #"{"declared": true}"#)
    try expect("check")
  }

  static func licenceB() throws -> Walk {
    var walk = try Walk("licence")
    try walk.licence(
      "street", born: "1990-05-17", "both",
      assistants: [("Bea Orr", "2011-03-02", "+49 40 123456"), ("Carl Orr", "1988-08-08", nil)],
      things: [#"{"what": "fire"}"#, #"{"what": "amplifier", "watts": 40}"#],
      insurance: #"{"insurer": "Nordlicht", "policy": "NL-204060"}"#, "2027-06-01", "2027-06-14")
    return walk
  }

  mutating func outcomeOfA() throws {
    try answer("condition", #"{"woman": "well"}"#)
    try answer(
      "outcome", #"{"delivered": 2, "alive": 2, "date": "2026-11-25", "place": "facility", "mode": "vaginal"}"#)
  }

  mutating func ana() throws {
    try answer("babies-item", #"{"name": "Ana", "sex": "female", "condition": "well"}"#)
    try answer("babies-item-2", #"{"weight": 3.1, "length": 49}"#)
    try answer("babies-item-3", #"{"vaccines": "both", "signs": []}"#)
  }

  mutating func bo() throws {
    try answer("babies-item", #"{"name": "Bo", "sex": "male", "condition": "unwell"}"#)
    try answer("babies-item-2", "{}")
    try answer("babies-item-3", #"{"vaccines": "none", "signs": ["fever"]}"#)
  }

  static func deliveryA() throws -> Walk {
    var walk = try Walk("delivery", input: patient)
    try walk.outcomeOfA()
    try walk.ana()
    try walk.bo()
    try walk.answer("visits", #"{"visits": ["d1", "d3"]}"#)
    return walk
  }
}
