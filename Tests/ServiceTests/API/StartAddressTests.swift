import Navigation
import Sessions
import TestSupport
import Testing
import Values

@testable import HTTPAPI

/// Start addresses: the page that leads people to an app or to the target of a link, and the form on it.
@Suite(.limitedConcurrency) struct StartAddressTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess, apps: [Parcels.app, Teahouse.app]) }

  private func page(_ target: String, _ headers: [String: String] = [:]) async throws -> Answer {
    try await service.send("GET", target, headers: ["Accept": browser].merging(headers) { $1 })
  }

  private func json(_ target: String) async throws -> JSON {
    try await service.send("GET", target, headers: ["Accept": "application/json"]).json
  }

  private var sessionCount: Int {
    get async throws { try await service.sessions.count().stored }
  }

  /// Follows the redirection after a form, and returns the view of the new session.
  private func view(after answer: Answer) async throws -> JSON {
    #expect(answer.status == 303, "\(answer.status) \(answer.text)")
    return try await service.send("GET", try #require(answer.header("Location"))).json
  }

  // MARK: The page

  @Test func `the page has the title, the summary, the picture and one form`() async throws {
    let answer = try await page("/start/parcels")
    #expect(answer.status == 200 && answer.header("Cache-Control") == "no-store")
    #expect(answer.text.contains(">Parcels</h1>") && answer.text.contains(">Find a parcel.</p>"))
    #expect(answer.text.contains(#"<img class="portrait" src="/parcel.svg" alt="">"#))
    #expect(answer.text.ranges(of: "<form").count == 1 && answer.text.contains(">Start</button>"))
    #expect(answer.text.contains(#"method="post" action="/start/parcels" novalidate>"#))
    #expect(answer.text.contains(#"<input type="hidden" name="key" value=""#))
    #expect(answer.text.contains(#"<script type="module" src="/page.js"></script>"#))
  }

  @Test func `a client that names no type gets the page`() async throws {
    for headers in [[:], ["Accept": "*/*"], ["Accept": browser]] {
      let answer = try await service.send("GET", "/start/parcels", headers: headers)
      #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
    }
  }

  @Test func `the address in JSON has what the creation needs, and in text its title and summary`() async throws {
    let found = try await json("/start/parcels/parcels/7?kind=box&name=Ada&utm_id=1")
    #expect(found["app"].string == "parcels" && found["title"].string == "Parcels")
    #expect(found["summary"].string == "Find a parcel." && found["image"].string == "/parcel.svg")
    #expect(found["link"].string == "/parcels/7?kind=box" && found["method"].string == "POST")
    #expect(found["href"].string == "/start/parcels/parcels/7?kind=box&name=Ada&utm_id=1")
    #expect(found["input", "properties", "name", "default"].string == "Ada")
    #expect(found["input", "properties", "source", "fromAddress"].bool == true)
    #expect(try await json("/start/parcels")["link"].isNull)
    let text = try await service.send("GET", "/start/parcels", headers: ["Accept": "text/plain"])
    #expect(text.text == "Parcels\nFind a parcel.\n")
  }

  @Test(arguments: [
    "Googlebot/2.1 (+http://www.google.com/bot.html)", "facebookexternalhit/1.1", "Slackbot-LinkExpanding 1.0",
    "WhatsApp/2.23",
  ])
  func `crawlers and link previews start no session`(agent: String) async throws {
    for method in ["GET", "HEAD"] {
      for target in ["/start/parcels", "/start/parcels/parcels/7?kind=box", "/start/parcels/nowhere"] {
        _ = try await service.send(method, target, headers: ["User-Agent": agent, "Accept": "*/*"])
      }
    }
    #expect(try await sessionCount == 0)
  }

  @Test func `previews have the texts, the picture and the address, but no value of an input`() async throws {
    let headers = ["Host": "app.example:8080"]
    let whole = try await page("/start/parcels/parcels/7?code=geheim&kind=box&name=Ada&source=mail", headers).text
    let head = whole.prefix(upTo: try #require(whole.firstRange(of: "</head>")).lowerBound)
    let address = "http://app.example:8080/start/parcels/parcels/7?kind=box"
    for line in [
      #"<meta name="description" content="Find a parcel.">"#, #"<link rel="canonical" href="\#(address)">"#,
      #"<meta property="og:type" content="website">"#, #"<meta property="og:title" content="Parcels">"#,
      #"<meta property="og:description" content="Find a parcel.">"#, #"<meta property="og:url" content="\#(address)">"#,
      #"<meta property="og:locale" content="en">"#,
      #"<meta property="og:image" content="http://app.example:8080/parcel.svg">"#,
      #"<meta name="twitter:card" content="summary">"#,
    ] {
      #expect(head.contains(line), "\(line)")
    }
    for value in ["geheim", "Ada", "mail"] { #expect(!head.contains(value), "\(value)") }
  }

  @Test func `previews show no path with a sensitive value, and the public address of the service`() async throws {
    let service = try TestService(.inProcess, apps: [Parcels.app]) { $0.publicURL = "https://public.example" }
    let answer = try await service.send("GET", "/start/parcels/people/Ada", headers: ["Host": "inner"])
    #expect(answer.text.contains(#"<link rel="canonical" href="https://public.example/start/parcels">"#))
    #expect(answer.text.contains(#"content="https://public.example/parcel.svg""#))
    #expect(answer.text.ranges(of: "Ada").count == 1, "Only the form may have the value.")
  }

  @Test func `apps and links name their start addresses`() async throws {
    #expect(try await service.send("GET", "/v1/apps").json["apps"][0]["start"].string == "/start/parcels")
    let app = try await service.send("GET", "/v1/apps/parcels").json
    #expect(app["start"].string == "/start/parcels")
    #expect(app["links"].strings("start") == ["/start/parcels/parcels/{number}", "/start/parcels/people/{person}"])
    let start = try await page("/")
    #expect(start.text.contains(#"<a href="/start/parcels">Address to share<span class="unseen"> Parcels</span></a>"#))
  }

  // MARK: The link

  @Test func `the button starts at the target of the link, with the declared parameters`() async throws {
    let target = "/start/parcels/parcels/7?kind=box&fbclid=1&utm_id=2"
    let view = try await view(after: try await service.submit(target))
    #expect(view["screen", "name"].string == "parcel" && view["screen", "data", "number"].string == "7")
    let path = try #require(view["links", "self"].string)
    let history = try await service.send("GET", path + "/history").json["entries"][0]
    #expect(history["link"].string == "/parcels/7?kind=box")
  }

  @Test func `a program creates the session with JSON`() async throws {
    let target = "/start/parcels/parcels/7"
    let created = try await service.send(
      "POST", target, #"{"input": {"name": "Ada"}, "timeZone": "Europe/Berlin", "ttl": 60}"#)
    #expect(created.status == 201 && created.header("Location") != nil)
    #expect(created.json["screen", "data", "number"].string == "7")
    #expect(created.json["session", "timeZone"].string == "Europe/Berlin")
    #expect(try await service.send("POST", target).status == 201)
    for body in [#"{"app": "parcels"}"#, #"{"link": "/"}"#, #"{"locale": "de"}"#, "[]"] {
      #expect(try await service.send("POST", target, body).status == 400, "\(body)")
    }
  }

  @Test func `an address without a link of the app leads nowhere`() async throws {
    for target in [
      "/start/parcels/nowhere", "/start/parcels/parcels", "/start/parcels/parcels/7/8", "/start/parcels/..",
      "/start/parcels/parcels%2F7", "/start/parcels" + String(repeating: "/a", count: 200),
    ] {
      let answer = try await page(target)
      #expect(answer.status == 404 && answer.text.contains("The app has no page at this address."), "\(target)")
      #expect(answer.text.contains(#"<a href="/start/parcels">Start from the beginning</a>"#))
      #expect(!answer.text.contains("<form") && !answer.text.contains("og:"))
      let posted = try await service.send("POST", target, "{}")
      #expect(posted.status == 404 && posted.problem == "not-found", "\(target)")
    }
    #expect(try await sessionCount == 0)
  }

  @Test func `an address with an invalid value has the problem of the creation`() async throws {
    for target in [
      "/start/parcels/parcels/0123456789", "/start/parcels/parcels/7?kind=a&kind=b", "/start/parcels/parcels/%ZZ",
      "/start/parcels/parcels/7?kind=%FF",
    ] {
      let answer = try await page(target)
      #expect(answer.status == 422 && answer.text.contains("Start from the beginning"), "\(target)")
      for method in ["GET", "POST"] {
        let headers = ["Accept": "application/json"]
        let found = try await service.send(method, target, method == "POST" ? "{}" : nil, headers: headers)
        #expect(found.status == 422 && found.problem == "invalid-link", "\(method) \(target)")
        #expect(found.json["instance"].string?.contains("?") == false)
      }
    }
  }

  @Test func `an encoded slash and dots are a part of a value, and empty segments do not count`() async throws {
    for (target, number) in [
      ("/start/parcels/parcels/a%2Fb", "a/b"), ("/start/parcels/parcels/..", ".."), ("/start/parcels//parcels/7/", "7"),
      ("/start/parcels/parcels/7?kind=" + String(repeating: "k", count: 8000), "7"),
    ] {
      let created = try await service.send("POST", target, "{}")
      #expect(created.json["screen", "data", "number"].string == number, "\(target)")
    }
    for target in ["/start/parcels/", "/start/parcels//"] {
      #expect(try await service.send("POST", target, "{}").json["screen", "name"].string == "counter", "\(target)")
    }
  }

  @Test func `an unknown app has no start address`() async throws {
    for target in ["/start/nobody", "/start/nobody/parcels/7", "/start//parcels", "/start", "/start/"] {
      #expect(try await page(target).status == 404, "\(target)")
      #expect(try await service.send("POST", target, "{}").status == 404, "\(target)")
    }
    #expect(try await page("/start/%FF").status == 400)
    let allowed = try await service.send("PUT", "/start/parcels/parcels/7")
    #expect(allowed.status == 405 && allowed.header("Allow") == "GET, HEAD, POST, OPTIONS")
  }

  // MARK: The input

  @Test func `the query fills in the fields of the app, which people may change`() async throws {
    let target = "/start/parcels?name=Ada%20L&office=x&office=y&pin=1234&broken=%ZZ&name%ZZ=1"
    let page = try await page(target).text
    #expect(page.contains(#"name="input.name" value="Ada L""#))
    #expect(!page.contains("1234\""), "A secret is not filled in.")
    let values = try AppDefinition(Parcels.app).input.values(ofQuery: ["pin": ["1234"], "name": ["Ada"]])
    #expect(values == ["name": "Ada"], "A secret is not taken.")
    // Several values are a list, which the field is not.
    #expect(page.contains(#"name="input.office" value="main""#))
    for (fields, name) in [
      (["input.name": "Bob"], "Bob"), (["input.name": ""], nil), ([:], "Ada L"),
    ] as [(KeyValuePairs<String, String>, String?)] {
      let view = try await view(after: try await service.submit(target, fields))
      #expect(view["screen", "data", "name"].string == name, "\(fields)")
    }
    let created = try await service.send("POST", target, #"{"input": {"office": "north"}}"#)
    #expect(created.json["screen", "data", "name"].string == "Ada L")
    #expect(created.json["screen", "data", "office"].string == "north")
  }

  @Test func `an invalid value is not filled in`() async throws {
    let long = String(repeating: "a", count: 21)
    let found = try await json("/start/parcels?name=\(long)&source=\(long)")
    #expect(found["input", "properties", "name", "default"].isMissing)
    #expect(try await service.send("POST", "/start/parcels?source=\(long)", "{}").status == 201)
    let refused = try await service.send("POST", "/start/parcels", #"{"input": {"source": "\#(long)"}}"#)
    #expect(refused.status == 422)
  }

  @Test func `only an address fills in a field without a control`() async throws {
    let page = try await page("/start/parcels/parcels/7?source=mail").text
    #expect(page.contains(#"<input type="hidden" name="input.source" value="mail">"#))
    #expect(!page.contains(#"id="parcels-source""#) && page.contains(#"id="parcels-name""#))
    for target in ["/", "/start/parcels", "/start/parcels?source=" + String(repeating: "a", count: 21)] {
      let other = try await self.page(target).text
      #expect(!other.contains("input.source"), "\(target)")
    }
    let created = try await service.submit("/start/parcels?source=mail", ["input.source": "qr"])
    #expect(try await view(after: created)["screen", "data", "source"].string == "qr")
    let sent = try await service.send("POST", "/start/parcels?source=mail", "{}")
    #expect(sent.json["screen", "data", "source"].string == "mail")
  }

  @Test func `a flow has the field of a campaign under the name of the tracker`() async throws {
    let service = try await FlowService.cases("../valid/campaign")
    let created = try await service.send("POST", "/start/campaign?utm_source=mail&name=Ada", "{}")
    #expect(created.json["screen", "data", "source"].string == "mail", "\(created.text)")
    #expect(created.json["screen", "data", "name"].string == "Ada")
    let page = try await service.send("GET", "/start/campaign?utm_source=mail", headers: ["Accept": browser])
    #expect(page.text.contains(#"<input type="hidden" name="input.utm_source" value="mail">"#))
  }

  @Test func `a field from an address is optional, no secret, and a field of the app's input`() {
    let faults = #expect(throws: WiringFaults.self) { try AppDefinition(Mistaken.app) }
    #expect(
      faults?.faults.map(\.description) == [
        "mistaken › input › needed: An address may lack the field, and people see no control for it. Give it a default, or let it be null.",
        "mistaken › input › pin: An address is not secret. Remove the secrecy of the field, or let people type the value.",
        "page › go › source: Only the input of an app has fields from an address. Remove isFromAddress, or move the field there.",
      ])
  }

  // MARK: The language

  @Test func `the locale of the address is that of the page and of the session`() async throws {
    for (target, accepted, title, locale) in [
      ("/start/teahouse?locale=de", "en", "Teehaus", "de"), ("/start/teahouse", "de", "Teehaus", "de"),
      ("/start/teahouse?locale=en&locale=de", "en", "Teehaus", "de"),
      ("/start/teahouse?locale=xx", "de", "Teahouse", "xx"),
      ("/start/teahouse?locale=%2F%2F", "de", "Teehaus", "de"), ("/start/teahouse?locale=", "de", "Teehaus", "de"),
    ] {
      let answer = try await page(target, ["Accept-Language": accepted])
      #expect(answer.text.contains(">\(title)</h1>"), "\(target)")
      #expect(answer.text.contains("<html lang=\"\(title == "Teehaus" ? "de" : "en")\">"), "\(target)")
      let created = try await service.submit(target, headers: ["Accept-Language": accepted])
      #expect(try await view(after: created)["session", "locale"].string == locale, "\(target)")
    }
    let named = try await service.submit("/start/teahouse?locale=en", ["locale": "de"])
    #expect(try await view(after: named)["session", "locale"].string == "de")
    let nowhere = try await page("/start/teahouse/nowhere?locale=de")
    #expect(nowhere.text.contains("Unter dieser Adresse gibt es in der App keine Seite."))
    #expect(nowhere.header("Content-Language") == "de")
  }

  // MARK: The form

  @Test func `a second click with the same key gives the same session`() async throws {
    let target = "/start/parcels/parcels/7"
    let first = try await service.submit(target, ["key": "k1"])
    let second = try await service.submit(target, ["key": "k1"])
    #expect(first.status == 303 && first.header("Location") == second.header("Location"))
    #expect(try await sessionCount == 1)
    let other = try await service.submit("/start/parcels/parcels/8", ["key": "k1"])
    #expect(other.status == 422 && other.text.contains(">Parcels</h1>") && other.text.contains("<form"))
    let headers = ["Idempotency-Key": "k2"]
    #expect(try await service.send("POST", target + "?kind=a", "{}", headers: headers).status == 201)
    #expect(try await service.send("POST", target + "?kind=b", "{}", headers: headers).status == 422)
  }

  @Test func `the time zone of the browser is that of the session`() async throws {
    for (zone, expected) in [("Pacific/Auckland", "Pacific/Auckland"), ("Etc/Unknown", nil)] as [(String, String?)] {
      let created = try await service.submit("/start/parcels", ["timeZone": zone])
      #expect(try await view(after: created)["session", "timeZone"].string == expected)
    }
  }

  @Test func `a refusal is shown on the page with what was typed`() async throws {
    let target = "/start/parcels?source=mail"
    let refused = try await service.submit(target, ["input.name": "nobody", "input.source": "qr"])
    #expect(refused.status == 422 && refused.text.contains(">Parcels</h1>"))
    #expect(refused.text.contains(##"<a href="#parcels-name">This is no name.</a>"##))
    #expect(refused.text.contains(#"name="input.name" value="nobody""#))
    #expect(refused.text.contains(#"name="input.source" value="qr">"#))
    let lost = try await service.submit("/start/parcels/parcels/lost", ["input.name": "Ada"])
    #expect(lost.status == 422 && lost.text.contains("This parcel is lost."))
    #expect(lost.text.contains(#"name="input.name" value="Ada""#) && lost.text.contains("Start from the beginning"))
    #expect(try await sessionCount == 0)
  }

  @Test func `a refused value without a control is not sent again`() async throws {
    let long = String(repeating: "a", count: 21)
    for (target, value) in [("/start/parcels", nil), ("/start/parcels?source=mail", "mail")] as [(String, String?)] {
      let refused = try await service.submit(target, ["input.source": long])
      #expect(refused.status == 422 && !refused.text.contains(long), "\(target)")
      #expect(refused.text.contains(#"name="input.source""#) == (value != nil), "\(target)")
      if let value { #expect(refused.text.contains(#"name="input.source" value="\#(value)">"#)) }
    }
  }

  @Test(arguments: ["/start/parcels?name=Ada", "/start/parcels/people/Ada?code=1"])
  func `a problem names the app of an address alone`(target: String) async throws {
    let answer = try await service.send("GET", target, headers: ["Accept": "image/png"])
    #expect(answer.status == 406 && answer.json["instance"].string == "/start/parcels")
  }

  @Test func `another site may send a form from an allowed origin, and to a start address only`() async throws {
    let allowed = try #require(AllowedOrigins(["https://shop.example"]))
    let service = try TestService(.inProcess, apps: [Parcels.app]) { $0.allowedOrigins = allowed }
    for (target, origin, status) in [
      ("/start/parcels", "https://shop.example", 303), ("/start/parcels/parcels/7", "https://shop.example", 303),
      ("/start/parcels", "https://evil.example", 403), ("/start/parcels/parcels/7", "null", 403),
      ("/v1/sessions", "https://shop.example", 403),
    ] {
      let headers = ["Origin": origin, "Sec-Fetch-Site": "cross-site"]
      let answer = try await service.submit(target, ["app": "parcels"], headers: headers)
      #expect(answer.status == status, "\(target) \(origin)")
    }
    let headers = ["Sec-Fetch-Site": "cross-site"]
    #expect(try await service.submit("/start/parcels", headers: headers).status == 403)
  }

  @Test func `visitors of a form with one key for all begin sessions of their own`() async throws {
    let allowed = try #require(AllowedOrigins(["https://shop.example"]))
    let service = try TestService(.inProcess, apps: [Parcels.app]) { $0.allowedOrigins = allowed }
    var sessions: Set<String> = []
    let foreign = ["Origin": "https://shop.example", "Sec-Fetch-Site": "cross-site"]
    for headers in [foreign, foreign, ["Sec-Fetch-Site": "same-origin"], ["Sec-Fetch-Site": "same-origin"]] {
      let answer = try await service.submit("/start/parcels", ["key": "fixed"], headers: headers)
      sessions.insert(try #require(answer.header("Location")))
    }
    #expect(sessions.count == 3)
  }

  @Test func `the log has no value of an address`() async throws {
    let log = TestLog()
    let service = try TestService(.inProcess, apps: [Parcels.app]) {
      ($0.logger, $0.logsRequests) = (log.logger, true)
    }
    for target in ["/start/parcels?name=Adelheid", "/start/parcels/people/Adelheid?code=geheim"] {
      _ = try await service.send("GET", target)
      _ = try await service.send("POST", target, "{}")
    }
    _ = try await service.send("GET", "/start/parcels/AAAAAAAAAAAAAAAAAAAAAA")
    #expect(!log.text.contains("Adelheid") && !log.text.contains("geheim"))
    #expect(log.lines.allSatisfy { $0["session"].isMissing })
    #expect(log.lines.strings("route").contains("/start/{app}/{link}"))
  }

  @Test func `start addresses match the contract`() async throws {
    let contract = Contract(document: try await service.send("GET", "/openapi.json").json)
    let (app, link) = ("/start/{app}", "/start/{app}/{link}")
    for (method, template, target, accept, status) in [
      ("GET", app, "/start/parcels", "text/html", 200), ("GET", app, "/start/parcels", "application/json", 200),
      ("GET", app, "/start/parcels", "text/plain", 200), ("GET", app, "/start/parcels", "image/png", 406),
      ("GET", app, "/start/nobody", "application/json", 404),
      ("GET", link, "/start/parcels/parcels/7", "application/json", 200),
      ("GET", link, "/start/parcels/parcels/0123456789", "application/json", 422),
      ("POST", app, "/start/parcels", "application/json", 201), ("POST", app, "/start/parcels", "text/html", 303),
      ("POST", link, "/start/parcels/parcels/7", "application/vnd.siren+json", 201),
      ("POST", link, "/start/parcels/parcels/lost", "application/json", 422),
      ("POST", link, "/start/parcels/nowhere", "application/json", 404),
    ] {
      let body = method == "POST" ? "{}" : nil
      let answer = try await service.send(method, target, body, headers: ["Accept": accept])
      #expect(answer.status == status, "\(method) \(target) \(accept)")
      contract.check(answer, method, template)
    }
  }
}

extension [JSON] {
  fileprivate func strings(_ name: String) -> [String] { compactMap { $0[name].string } }
}

/// An app with an input and links, one of which has a sensitive value in its path.
private struct Parcels: Coordinator {
  struct Input: AppInput {
    @Field("Name", length: 1...20) var name: String?
    @Field("Office") var office: String = "main"
    @Field("PIN", length: 0...8, isSecret: true) var pin: String?
    @Field("Source", length: 0...20, isFromAddress: true) var source: String?
  }

  static let app = App(
    "parcels", title: "Parcels", summary: "Find a parcel.", image: "/parcel.svg",
    links: [ParcelLink.self, PersonLink.self], input: Input.self
  ) { Parcels(name: $0.name, office: $0.office, source: $0.source) }

  static let name = "parcels"
  var name: String?
  var office: String
  var source: String?

  func start(_ nav: inout Navigator<Self>) {
    nav.push(Counter())
    if name == "nobody" { nav.refuse("This is no name.", field: "name") }
  }

  static let wiring = Wiring<Self>()
    .shows(Counter.self) { me, counter in
      (counter.name, counter.office, counter.source) = (me.name, me.office, me.source)
    }
    .shows(Parcel.self)
    .on(OpenParcel.self) { _, parcel, nav in
      if parcel.number == "lost" { return nav.refuse("This parcel is lost.") }
      nav.push(Parcel(number: parcel.number))
    }

  struct Counter: Screen {
    static let name = "counter"
    static let title: Title<Self> = "Counter"
    static let actions: [any Action.Type] = [OpenParcel.self]
    var name: String?
    var office = ""
    var source: String?
  }

  struct Parcel: Screen {
    static let name = "parcel"
    static let title: Title<Self> = "Parcel"
    var number: String
  }

  struct OpenParcel: Action {
    static let name = "open"
    static let title: Text = "Open"
    @Field("Number") var number: String
  }

  struct ParcelLink: Link {
    static let pattern = "/parcels/{number}"
    @Field("Number", length: 1...8) var number: String
    @Field("Kind") var kind: String?
    @Field("Code", isSensitive: true) var code: String?
    var steps: [Step] { [.action(OpenParcel(number: $number))] }
  }

  struct PersonLink: Link {
    static let pattern = "/people/{person}"
    @Field("Person", isSensitive: true) var person: String
    var steps: [Step] { [.action(OpenParcel(number: Field(value: "1")))] }
  }
}

/// An app whose fields from an address are declared in wrong ways.
private struct Mistaken: Coordinator {
  struct Input: AppInput {
    @Field("Needed", isFromAddress: true) var needed: String
    @Field("PIN", length: 0...8, isSecret: true, isFromAddress: true) var pin: String?
  }

  static let app = App("mistaken", title: "Mistaken", input: Input.self) { _ in Mistaken() }
  static let name = "mistaken"
  func start(_ nav: inout Navigator<Self>) { nav.push(Page()) }
  static let wiring = Wiring<Self>().shows(Page.self).on(Go.self) { _, _, _ in }

  struct Page: Screen {
    static let name = "page"
    static let title: Title<Self> = "Page"
    static let actions: [any Action.Type] = [Go.self]
  }

  struct Go: Action {
    static let name = "go"
    static let title: Text = "Go"
    @Field("Source", isFromAddress: true) var source: String?
  }
}
