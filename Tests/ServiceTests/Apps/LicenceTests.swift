import TestSupport
import Testing

/// The flow `Tests/Flows/cases/licence`, over HTTP and with a backend: an application whose fee people pay elsewhere.
@Suite(.limitedConcurrency) struct LicenceTests {
  @Test func `a signal under the number of the licence ends the application`() async throws {
    let report = try await Report.licence()
    try await report.licenceA()
    try await report.send(to: "payment")
    #expect(report.targets == ["/licences"])
    #expect(try report.bodies() == [canonical(report.bodyOfLicenceA)])
    let link = try await report.view()["screen", "content"].array.first { $0["type"].string == "link" }
    #expect(link?["href"].string == "https://pay.example/L-1")
    #expect(try await report.post("back", "{}").status == 409)
    // The payment of another amount is not the one for which the session waits.
    for cents in [1999, 2000] {
      let input = #"{"licence": "L-1", "cents": \#(cents)}"#
      #expect(try await report.signal("paid", key: "L-1", input) == 1)
    }
    try #require(try await report.reaches("sent"))
    #expect(try await report.view()["screen", "data", "licence"].string == "L-1")
    for (target, body) in [
      ("back", "{}"), ("actions/change", #"{"question": "place"}"#), ("answers", #"{"place": "park"}"#),
    ] { #expect(try await report.post(target, body).status == 409) }
    #expect(try await report.signal("paid", key: "L-1", #"{"licence": "L-1", "cents": 2001}"#) == 0)
    #expect(report.targets.count == 1)
  }

  @Test func `a second try has the key of the first request, and another answer has another one`() async throws {
    let report = try await Report.licence(status: 400)
    try await report.licenceA()
    try await report.send(to: "away")
    try await report.act("again", "{}")
    #expect(await eventually { report.keys.count == 2 })
    #expect(try await report.reaches("away"))
    try await report.back("check")
    try await report.send(to: "away")
    try await report.back("check")
    try await report.change("name", "name")
    try await report.next(#"{"name": "Ada Mol"}"#, "declaration")
    try await report.next(#"{"declared": true}"#, "check")
    report.answer(200)
    try await report.send(to: "payment")
    let keys = report.keys
    #expect(keys.count == 4 && !keys[0].isEmpty && Set(keys.prefix(3)).count == 1 && keys[3] != keys[0], "\(keys)")
    #expect(try report.bodies().prefix(3) == Array(repeating: canonical(report.bodyOfLicenceA), count: 3)[...])
  }

  @Test func `an amount that people have not agreed to is not paid`() async throws {
    let report = try await Report.licence(cents: 2500)
    try await report.licenceA()
    try await report.send(to: "consent")
    #expect(try await report.view()["actions"].strings("name") == ["agree"])
    #expect(try await report.signal("paid", key: "L-1", #"{"licence": "L-1", "cents": 2500}"#) == 0)
    try await report.act("agree", "{}", "payment")
    #expect(try await report.view()["screen", "data", "cents"].int == 2500)
  }
}

extension Report {
  /// Creates an application, for which the authority asks an amount.
  static func licence(cents: Int = 2000, status: Int = 200) async throws -> Report {
    try await Report(
      "licence", response: #"{"licence": "L-1", "cents": \#(cents), "page": "https://pay.example/L-1"}"#,
      status: status)
  }

  /// Answers the pages of the shortest application.
  func licenceA() async throws {
    try await next(#"{"place": "street"}"#, "born")
    try await next(#"{"born": "1990-05-17"}"#, "name")
    try await next(#"{"name": "Ada Moll"}"#, "address")
    try await next(#"{"street": "Kai 3", "town": "Hamburg", "postcode": "20095"}"#, "act")
    try await next(#"{"act": "music"}"#, "help")
    try await next(#"{"hasAssistants": "no"}"#, "equipment")
    try await act("add", "{}", "equipment-item")
    try await next(#"{"what": "instrument"}"#, "equipment")
    try await next("{}", "dates")
    try await next(#"{"first": "\#(day(4))", "last": "\#(day(4))"}"#, "declaration")
    try await next(#"{"declared": true}"#, "check")
  }

  var bodyOfLicenceA: String {
    """
    {"place": "street", "born": "1990-05-17", "name": "Ada Moll", "street": "Kai 3", "town": "Hamburg",
     "postcode": "20095", "act": "music", "hasAssistants": "no", "assistants": null,
     "equipment": [{"what": "instrument", "details": null, "watts": null}], "insurer": null, "policy": null,
     "first": "\(day(4))", "last": "\(day(4))", "declared": true, "fee": 2000}
    """
  }
}
