import ExampleApps
import Navigation
import Sessions
import TestSupport
import Testing

/// Sessions with an idle limit of 640 seconds. A change extends them to 650 seconds, and clients warn 64 seconds before
/// their end. The clock of the tests begins at 2026-11-20T12:00:00Z.
@Suite(.limitedConcurrency) struct LifetimeTests {
  private let service: TestService

  init() throws {
    service = try TestService(
      .inProcess,
      apps: [
        App("stroll", title: "Stroll") { Stroll() }.life(idle: .seconds(640), most: .seconds(6400)),
        App("march", title: "March") { Stroll() },
      ])
  }

  private func page(_ path: String) async throws -> Answer {
    try await service.send("GET", path, headers: ["Accept": browser])
  }

  @Test func `a view has the request that extends the session`() async throws {
    let visitor = try await service.start("stroll")
    #expect(visitor.view["session", "expiresAt"].string == "2026-11-20T12:10:50Z")
    let extend = visitor.view["session", "extend"]
    #expect(extend["from"].string == "2026-11-20T12:09:46Z" && extend["title"].string == "Extend the session")
    #expect(extend["method"].string == "POST" && extend["href"].string == visitor.path + "/extend")
    let german = try await service.start("stroll", #","locale":"de""#)
    #expect(german.view["session", "extend", "title"].string == "Sitzung verlängern")
    service.clock.advance(seconds: 600)
    let contract = Contract(document: try await service.send("GET", "/openapi.json").json)
    let answer = try await service.send("POST", visitor.path + "/extend")
    contract.check(answer, "POST", "/v1/sessions/{id}/extend")
    contract.check(try await page(visitor.path), "GET", "/v1/sessions/{id}")
    #expect(answer.status == 200 && answer.json["session", "revision"].int == 1)
    #expect(answer.json["session", "expiresAt"].string == "2026-11-20T12:20:50Z")
    #expect(answer.json["session", "extend", "from"].string == "2026-11-20T12:19:46Z")
    // The page of the first view is not stale.
    #expect(try await service.send("POST", visitor.path + "/actions/stay?revision=1").status == 200)
    let siren = try await service.send("GET", visitor.path, headers: ["Accept": "application/vnd.siren+json"])
    #expect(siren.json["actions"].strings("name").contains("extend"))
  }

  @Test func `a session that cannot be extended has no such request`() async throws {
    for (app, members) in [("march", ""), ("stroll", #","ttl":700"#)] {
      let visitor = try await service.start(app, members)
      #expect(visitor.view["session", "extend"].isNull, "\(app)")
      let answer = try await service.send("POST", visitor.path + "/extend")
      #expect(answer.status == 200 && answer.json == visitor.view, "\(app)")
      #expect(visitor.last.header("ETag") == "\"1\"")
      #expect(try await !page(visitor.path).text.contains(#"id="ending""#))
    }
    let finished = try await service.start("stroll").act("stop")
    #expect(finished.view["session", "extend"].isNull)
    let refused = try await service.send("POST", finished.path + "/extend")
    #expect(refused.status == 409 && refused.problem == "session-finished")
    #expect(try await service.send("POST", "/v1/sessions/nope/extend").status == 404)
    let old = try await service.start("stroll").path
    let link = try #require(try await service.send("POST", old + "/hand-over").json["href"].string)
    #expect(try await service.send("POST", link).json["session", "extend"].isNull == false)
    #expect(try await service.send("GET", old).json["session", "extend"].isNull)
    let readOnly = try await service.send("POST", old + "/extend")
    #expect(readOnly.status == 403 && readOnly.problem == "read-only")
  }

  @Test func `an entity tag changes with the end, and still names the revision`() async throws {
    let visitor = try await service.start("stroll")
    let tag = try #require(visitor.last.header("ETag"))
    #expect(tag == "\"1@1795176650000\"")
    #expect(try await service.send("GET", visitor.path, headers: ["If-None-Match": tag]).status == 304)
    service.clock.advance(seconds: 600)
    _ = try await service.send("POST", visitor.path + "/extend")
    let later = try await service.send("GET", visitor.path, headers: ["If-None-Match": tag])
    #expect(later.status == 200 && later.header("ETag") == "\"1@1795177250000\"")
    let html = try #require(try await page(visitor.path).header("ETag"))
    #expect(html == "\"1@1795177250000-html\"")
    for known in [tag, html] {
      let path = try await service.start("stroll").path
      #expect(try await service.send("POST", path + "/actions/stay", headers: ["If-Match": known]).status == 200)
      #expect(try await service.send("POST", path + "/actions/stop", headers: ["If-Match": known]).status == 412)
    }
  }

  @Test func `a page warns from the time of the warning, also without a script`() async throws {
    let visitor = try await service.start("stroll")
    let times = #"data-from="2026-11-20T12:09:46Z" data-ends="2026-11-20T12:10:50Z""#
    let before = try await page(visitor.path)
    #expect(before.text.contains(times + " hidden>"))
    #expect(before.text.contains("This session ends at 12:10 UTC. Your answers will then be lost."))
    service.clock.advance(milliseconds: 585_999)
    let headers = ["Accept": browser, "If-None-Match": before.header("ETag") ?? ""]
    #expect(try await service.send("GET", visitor.path, headers: headers).status == 304)
    service.clock.advance(milliseconds: 1)
    let warning = try await service.send("GET", visitor.path, headers: headers)
    #expect(warning.status == 200 && warning.text.contains(times + ">"))
    let button = "<form method=\"post\" action=\"\(visitor.path)/extend\"><button>Extend the session</button>"
    #expect(warning.text.contains(button))
    let form = ["Accept": browser, "Content-Type": "application/x-www-form-urlencoded"]
    let sent = try await service.send("POST", visitor.path + "/extend", "", headers: form)
    #expect(sent.status == 303 && sent.header("Location") == visitor.path)
    #expect(try await page(visitor.path).text.contains(#"data-ends="2026-11-20T12:20:36Z" hidden>"#))
    // Forms of other sites extend nothing.
    let foreign = form.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
    #expect(try await service.send("POST", visitor.path + "/extend", "", headers: foreign).status == 403)
  }

  @Test func `a change in the last millisecond extends the session`() async throws {
    let (late, tooLate) = (try await service.start("stroll"), try await service.start("stroll"))
    service.clock.advance(milliseconds: 649_999)
    #expect(try await late.act("stay").view["session", "expiresAt"].string == "2026-11-20T12:21:39Z")
    service.clock.advance(milliseconds: 1)
    #expect(try await service.send("POST", tooLate.path + "/actions/stay").status == 410)
    #expect(try await late.act("stay").screen == "page")
  }

  @Test func `a session that has expired says of which app it was, until the sweep`() async throws {
    let visitor = try await service.start("stroll", #","timeZone":"Europe/Berlin""#)
    service.clock.advance(seconds: 650)
    let problem = try await service.send("GET", visitor.path)
    #expect(problem.status == 410 && problem.problem == "session-expired" && problem.json["app"].string == "stroll")
    let shown = try await page(visitor.path)
    #expect(shown.status == 410 && shown.text.contains("<title>This session has expired · Stroll</title>"))
    #expect(
      shown.text.contains("<p>Stroll</p>") && shown.text.contains("<button class=\"primary\">Start again</button>"))
    #expect(shown.text.contains("<h1 tabindex=\"-1\" autofocus>This session has expired</h1>"))
    #expect(shown.text.contains(#"<input type="hidden" name="app" value="stroll">"#))
    #expect(shown.text.contains(#"<input type="hidden" name="timeZone" value="Europe/Berlin">"#))
    try await service.sessions.sweep()
    let tombstone = try await service.send("GET", visitor.path)
    #expect(tombstone.status == 410 && tombstone.json["app"].isMissing)
    #expect(try await !page(visitor.path).text.contains("Stroll"))
    let deleted = try await service.start("stroll")
    _ = try await service.send("DELETE", deleted.path)
    #expect(try await service.send("GET", deleted.path).json["app"].isMissing)
  }

  private struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Stay.self, Stop.self]
  }

  private struct Stay: Action {
    static let name = "stay"
    static let title: Text = "Stay here"
  }

  private struct Stop: Action {
    static let name = "stop"
    static let title: Text = "Stop"
  }

  private struct Stroll: Coordinator {
    static let name = "stroll"
    static let wiring = Wiring<Self>()
      .shows(Page.self)
      .on(Stay.self) { _, _, _ in }
      .on(Stop.self) { _, _, nav in nav.finish() }
    func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
  }
}

extension TestService {
  /// Creates a service with the app `pages`, whose sessions have an idle limit.
  convenience init(_ transport: Transport, idleLimit: Duration) throws {
    try self.init(transport, apps: [ExampleApps.pages.life(idle: idleLimit)])
  }
}
