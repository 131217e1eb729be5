import Foundation
import Flows
import Languages
import Messages
import Testing
import UsherTesting
import Values

@testable import Navigation

/// A session of the flow `licence` or `delivery` in `Tests/Flows/cases`. Today is 2026-11-27.
struct Walk {
  var session: TestSession
  static let patient: Value = ["patient": "P-77", "name": "Mina Sol", "born": "1999-04-02"]

  init(
    _ name: String, in folder: String = "Tests/Flows/cases", input: Value = .emptyObject, locale: String = "en"
  ) throws {
    let compilation = try FlowFolder.check(FlowFolder.repository.appending(path: "\(folder)/\(name)"))
    session = try TestSession(
      #require(compilation.app, "\(compilation.faults)"), input: input, locale: locale,
      now: Timestamp(milliseconds: 1_795_780_800_000))
  }

  // MARK: Steps

  func expect(_ page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try #require(session.view.screen.name == page, sourceLocation: sourceLocation)
  }

  mutating func answer(_ page: String, _ input: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect(page, sourceLocation: sourceLocation)
    try session.act("continue", try Self.value(input))
  }

  mutating func change(_ question: String) throws { try session.act("change", ["question": Value(question)]) }

  mutating func back(to page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try session.back()
    try expect(page, sourceLocation: sourceLocation)
  }

  /// Expects that the page cannot be left, and that no answer can be changed.
  mutating func expectSealed(_ page: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect(page, sourceLocation: sourceLocation)
    #expect(throws: Rejection.self, sourceLocation: sourceLocation) { try session.back() }
    #expect(throws: Rejection.self, sourceLocation: sourceLocation) { try change("place") }
  }

  /// Sends the answers, and compares the request.
  mutating func send(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expect("check", sourceLocation: sourceLocation)
    try session.act("submit")
    try expectRequest(body, sourceLocation: sourceLocation)
  }

  /// Compares the pending request.
  func expectRequest(_ body: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let sent = try #require(request, sourceLocation: sourceLocation)
    func canonical(_ value: Value) throws -> String {
      let object = try JSONSerialization.jsonObject(with: Data("\(value)".utf8))
      return String(
        decoding: try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .prettyPrinted]),
        as: UTF8.self)
    }
    let expected = try canonical(try Self.value(body))
    #expect(try canonical(sent) == expected, sourceLocation: sourceLocation)
  }

  /// Returns the pointers and the sentences of the errors of a refused action.
  mutating func refusal(_ action: String, _ input: some StringProtocol) -> [String] {
    (try? Self.value(input)).map { refusal(action, $0) } ?? ["The input is not JSON."]
  }

  mutating func refusal(_ action: String, _ input: Value) -> [String] {
    do {
      try session.act(action, input)
      return []
    } catch .invalidInput(let invalid) as Rejection {
      return Self.sentences(invalid.failures)
    } catch .refused(let failures) as Rejection {
      return Self.sentences(failures)
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: The view

  /// The values of all facts.
  var facts: [String] {
    session.view.content.flatMap { block -> [String] in
      if case .facts(let facts) = block { facts.map(\.value.string) } else { [] }
    }
  }

  /// The number of the page, and that of all pages.
  var progress: [Int] {
    session.view.content.flatMap { block -> [Int] in
      if case .progress(let progress) = block { [progress.step, progress.count] } else { [] }
    }
  }

  var notices: [String] {
    session.view.content.compactMap { if case .notice(let text, _) = $0 { text.string } else { nil } }
  }

  /// The texts, also those of list items.
  var texts: [String] {
    session.view.content.flatMap { block -> [String] in
      switch block {
      case .text(let text): [text.string]
      case .list(let list): (0..<list.count).map { list[$0].title.string }
      default: []
      }
    }
  }

  var links: [String] { session.view.content.compactMap { if case .link(_, let href) = $0 { href } else { nil } } }

  var actions: [String] { session.view.actions.map(\.definition.name) }

  /// The labels and the answers.
  var rows: [String] { session.view.content.answers.map { "\($0.label.string): \($0.value.string)" } }

  /// The key of the pending request.
  var key: WorkKey? { effect?.key }

  /// The parameters of the pending request.
  var request: Value? { effect?.input["with"] }

  private var effect: PendingEffect? { session.state.work.compactMap(\.effect).first }

  var labels: [String] { session.view.content.answers.map(\.label.string) }

  /// The errors of a form that an outcome has refused.
  func errors(of action: String = "continue") -> [String] {
    Self.sentences(session.view.actions.first { $0.definition.name == action }?.failures ?? [])
  }

  private static func sentences(_ failures: [InvalidInput.Failure]) -> [String] {
    failures.map { "\($0.pointer): \($0.sentence(in: .english))" }
  }

  /// The answers that count.
  var answered: Value { session.state.nodes[0].state.encoding }

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

  // MARK: Requests

  static let bodyOfLicenceB = """
    {"place": "street", "born": "1990-05-17", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg", \
    "postcode": "20095", "act": "both", "hasAssistants": "yes", "assistants": [{"name": "Bea Orr", \
    "born": "2011-03-02", "guardian": "+49 40 123456"}, {"name": "Carl Orr", "born": "1988-08-08", "guardian": null}], \
    "equipment": [{"what": "fire", "details": null, "watts": null}, {"what": "amplifier", "details": null, \
    "watts": 40}], "insurer": "Nordlicht", "policy": "NL-204060", "first": "2027-06-01", "last": "2027-06-14", \
    "declared": true, "fee": 5550}
    """

  static let bodyOfDeliveryA = """
    {"patient": "P-77", "woman": "well", "womanSigns": null, "deathDate": null, "deathPlace": null, "delivered": 2, \
    "alive": 2, "date": "2026-11-25", "place": "facility", "placeOther": null, "mode": "vaginal", "deaths": null, \
    "babies": [{"name": "Ana", "sex": "female", "condition": "well", "weight": 3.1, "length": 49, "vaccines": "both", \
    "signs": []}, {"name": "Bo", "sex": "male", "condition": "unwell", "weight": null, "length": null, \
    "vaccines": "none", "signs": ["fever"]}], "visits": ["d1", "d3"], "referralDate": "2026-11-28"}
    """

  static func value(_ json: some StringProtocol) throws -> Value { try JSONParser.parse(Array(json.utf8)) }
}
