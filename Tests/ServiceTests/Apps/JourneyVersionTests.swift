import TestSupport
import Testing

/// Sessions of journeys that move to the second version of their flow, which has one more question.
@Suite(.limitedConcurrency) struct JourneyVersionTests {
  // MARK: The check page

  /// - Parameter isView: whether the session moves with a view, before the action of the old page.
  @Test(arguments: [true, false])
  func `a session at the check page of an outbreak is at the page that is new, with all answers`(isView: Bool)
    async throws
  {
    let report = try await Report()
    try await report.walkA()
    try await report.expectMove(from: "outbreak", to: "residents", isView)
    #expect(try await report.refused("continue", "{}") == ["/residents: Write how many people live there."])
    #expect(try await report.post("actions/continue", #"{"residents": 501}"#).status == 422)
    try await report.next(#"{"residents": 40}"#, "check")
    var labels = JourneyTests.labelsOfA
    labels.insert("How many people live there?", at: 1)
    #expect(try await report.labels() == labels)
    try await report.send()
    #expect(try report.bodies() == [canonical(String(report.bodyOfA.dropLast()) + #", "residents": 40}"#)])
  }

  @Test(arguments: [true, false])
  func `a session at the check page of a licence is at the page that is new, and declares the answers again`(
    isView: Bool
  ) async throws {
    let report = try await Report.licence()
    try await report.licenceA()
    try await report.expectMove(from: "licence", to: "power", isView)
    #expect(try await report.refused("continue", "{}") == ["/power: Say whether you need electricity."])
    try await report.next(#"{"power": "no"}"#, "declaration")
    try await report.next(#"{"declared": true}"#, "check")
    #expect(try await report.rows().contains("Do you need electricity?: No"))
    try await report.send(to: "payment")
    #expect(try report.bodies() == [canonical(String(report.bodyOfLicenceA.dropLast()) + #", "power": "no"}"#)])
  }

  @Test(arguments: [true, false])
  func `a session at the check page of a delivery is at the page with the new question, and no baby is asked again`(
    isView: Bool
  ) async throws {
    let report = try await Report("delivery", input: Report.patient)
    try await report.deliveryA()
    try await report.expectMove(from: "delivery", to: "outcome", isView)
    for (name, value) in [("date", report.day(-2)), ("place", "facility"), ("mode", "vaginal")] {
      #expect(try await report.field(name)["default"].string == value)
    }
    for name in ["delivered", "alive"] { #expect(try await report.field(name)["default"].int == 2) }
    for name in ["placeOther", "births"] { #expect(try await report.field(name)["default"].isMissing) }
    let answers = String(report.birthOfA.dropLast())
    for births in ["", #", "births": 21"#] {
      #expect(
        try await report.refused("continue", "\(answers)\(births)}") == ["/births: Enter a number from 0 to 20."])
    }
    try await report.next(answers + #", "births": 3}"#, "check")
    #expect(try await report.rows().contains("Births before this one: 3"))
    try await report.send()
    #expect(try report.bodies() == [canonical(String(report.bodyOfDeliveryA.dropLast()) + #", "births": 3}"#)])
  }

  // MARK: Open forms

  @Test func `an open form of the old version is refused, and has the typed values and the new question`() async throws
  {
    let report = try await Report("delivery", input: Report.patient)
    try await report.deliveryA()
    try await report.change("alive", "outcome")
    let revision = try await report.revision()
    try await report.move(to: "delivery-v2")
    let fields = "delivered=2&alive=1&date=\(report.day(-2))&place=facility&placeOther=&mode=vaginal"
    let answer = try await report.submit("actions/continue?revision=\(revision)", fields)
    #expect(answer.status == 409)
    #expect(answer.text.contains(#"name="alive" value="1""#), "\(answer.text)")
    #expect(answer.text.contains(#"name="births" value="""#), "\(answer.text)")
    #expect(try await report.field("alive")["default"].int == 2)
    #expect(try await report.page() == "outcome")
    #expect(report.targets.isEmpty)
  }

  @Test(
    arguments: [
      ("licence", [#"{"place": "street"}"#, #"{"born": "1990-05-17"}"#], "name=Ada+Moll", "Ada Moll"),
      ("outbreak", [], "setting=other&other=Day+centre", "Day centre"),
    ] as [(String, [String], String, String)])
  func `a form that the new version does not change is refused as well, and has the typed values`(
    flow: String, answers: [String], fields: String, typed: String
  ) async throws {
    let report = try await Report(flow)
    for answer in answers { try await report.act("continue", answer) }
    let page = try await report.page()
    let revision = try await report.revision()
    try await report.move(to: "\(flow)-v2")
    let answer = try await report.submit("actions/continue?revision=\(revision)", fields)
    #expect(answer.status == 409 && answer.text.contains("value=\"\(typed)\""), "\(answer.text)")
    #expect(try await report.page() == page)
  }
}

extension Report {
  /// Moves the session from the check page to the second version. Expects that the next request shows a page, and that
  /// nothing is sent.
  ///
  /// - Parameter isView: whether the session moves with a view, before the action of the old page.
  fileprivate func expectMove(from flow: String, to page: String, _ isView: Bool) async throws {
    try #require(try await self.page() == "check")
    let revision = try await self.revision()
    try await move(to: "\(flow)-v2")
    if isView { #expect(try await self.page() == page) }
    let old = try await post("actions/submit?revision=\(revision)", "{}")
    #expect(old.status == 409 && old.json["view", "screen", "name"].string == page, "\(old.text)")
    #expect(try await self.page() == page)
    #expect(targets.isEmpty)
  }

  static let patient = #"{"patient": "P-77", "name": "Mina Sol", "born": "1999-04-02"}"#

  fileprivate var birthOfA: String {
    #"{"delivered": 2, "alive": 2, "date": "\#(day(-2))", "place": "facility", "mode": "vaginal"}"#
  }

  fileprivate func deliveryA() async throws {
    try await next(#"{"woman": "well"}"#, "outcome")
    try await next(birthOfA, "babies-item")
    try await next(#"{"name": "Ana", "sex": "female", "condition": "well"}"#, "babies-item-2")
    try await next(#"{"weight": 3.1, "length": 49}"#, "babies-item-3")
    try await next(#"{"vaccines": "both", "signs": []}"#, "babies-item")
    try await next(#"{"name": "Bo", "sex": "male", "condition": "unwell"}"#, "babies-item-2")
    try await next("{}", "babies-item-3")
    try await next(#"{"vaccines": "none", "signs": ["fever"]}"#, "visits")
    try await next(#"{"visits": ["d1", "d3"]}"#, "check")
  }

  fileprivate var bodyOfDeliveryA: String {
    """
    {"patient": "P-77", "woman": "well", "womanSigns": null, "deathDate": null, "deathPlace": null, "delivered": 2,
     "alive": 2, "date": "\(day(-2))", "place": "facility", "placeOther": null, "mode": "vaginal", "deaths": null,
     "babies": [{"name": "Ana", "sex": "female", "condition": "well", "weight": 3.1, "length": 49, "vaccines": "both",
     "signs": []}, {"name": "Bo", "sex": "male", "condition": "unwell", "weight": null, "length": null,
     "vaccines": "none", "signs": ["fever"]}], "visits": ["d1", "d3"], "referralDate": "\(day(1))"}
    """
  }
}
