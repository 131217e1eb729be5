import Languages
import MicroHTTP
import Navigation
import TestApps
import TestSupport
import Testing
import Views

/// The language of a session, and of the service's own texts.
@Suite(.limitedConcurrency) struct LanguageTests {
  private func service(_ transport: TestService.Transport = .socket) throws -> TestService {
    try TestService(transport, apps: [Teahouse.app, Cashier.app()])
  }

  private func start(
    _ service: TestService, accepting languages: String? = nil, _ members: String = "", app: String = "teahouse"
  ) async throws -> Visitor {
    let headers = ["Accept-Language": languages ?? "*"]
    return try Visitor(
      service, try await service.send("POST", "/v1/sessions", "{\"app\":\"\(app)\"\(members)}", headers: headers))
  }

  @Test(arguments: TestService.Transport.allCases)
  func `a new session has the locale of the body, or else the best language of the header`(
    transport: TestService.Transport
  ) async throws {
    let service = try service(transport)
    for (languages, members, title, locale) in [
      (nil, "", "Menu", "en"), ("de", "", "Karte", "de"), ("de-CH, en;q=0.5", "", "Karte", "de"),
      ("fr, de;q=0.5", "", "Karte", "de"), ("de;q=0.4, en;q=0.5", "", "Menu", "en"), ("xx;q=9, ,;", "", "Menu", nil),
      ("fr", "", "Menu", nil), ("en", #","locale":"de-AT""#, "Karte", "de-AT"),
      ("de", #","locale":"fr""#, "Menu", "fr"),
    ] as [(String?, String, String, String?)] {
      let visitor = try await start(service, accepting: languages, members)
      #expect(visitor.view["screen", "title"].string == title)
      #expect(visitor.data["locale"].string == locale)
      #expect(visitor.last.header("Content-Language") == (title == "Karte" ? "de" : "en"))
      let again = try await service.send("GET", visitor.path, headers: ["Accept-Language": "en"])
      #expect(again.json == visitor.last.json)
      #expect(again.header("Vary") == nil)
    }
  }

  @Test func `a form of the start page creates a session in the language of the browser`() async throws {
    let service = try service(.inProcess)
    let answer = try await service.send(
      "POST", "/v1/sessions", "app=teahouse",
      headers: ["Content-Type": "application/x-www-form-urlencoded", "Accept": browser, "Accept-Language": "de"])
    let path = try #require(answer.header("Location"))
    let page = try await service.send("GET", path, headers: ["Accept": browser]).text
    #expect(page.hasPrefix("<!DOCTYPE html>\n<html lang=\"de\">"))
    for text in ["<h1 tabindex=\"-1\" autofocus>Karte</h1>", "Noch nichts", "Schritt 1 von 2", ">Tee<"] {
      #expect(page.contains(text), "\(text)")
    }
    #expect(page.contains("Auf einem anderen Gerät fortsetzen"))
    #expect(page.contains("Mindestens 1, höchstens 8."))
  }

  @Test func `every text of a view is in the language of the session`() async throws {
    let visitor = try await start(try service(), accepting: "de")
    #expect(visitor.action("order")["title"].string == "Bestellen")
    #expect(visitor.action("order")["input", "properties", "cups", "title"].string == "Tassen")
    #expect(visitor.tab("table")["title"].string == "Tee")
    #expect(visitor.view["screen", "content"][1]["text"].string == "Schritt 1 von 2")
    try await visitor.act("order", #"{"cups":7}"#)
    #expect(visitor.view["screen", "content"][0]["text"].string == "7 Tassen")
    #expect(visitor.action("order")["reason"].string == "Wir haben geschlossen.")
    try await visitor.act("write")
    try await visitor.back()
    #expect(visitor.view["prompt", "title"].string == "Diese Seite verlassen?")
    #expect(visitor.view["prompt", "actions"].strings("title") == ["Verlassen", "Bleiben"])
    #expect(visitor.view["prompt", "message"].string == "Ihre Eingaben auf dieser Seite gehen verloren.")
  }

  @Test func `the view as text is in the language of the session, in the terminal client too`() async throws {
    let service = try service(.inProcess)
    let visitor = try await start(service, accepting: "de")
    try await visitor.act("write")
    let text = try await service.send("GET", visitor.path, headers: ["Accept": "text/plain"]).text
    #expect(text.contains("  b   Zurück zu Karte\n"), "\(text)")
    #expect(try SessionView(JSONValue(parsing: visitor.last.bytes)).text == text)
  }

  @Test func `a change of the language is the next revision`() async throws {
    let service = try service()
    let visitor = try await start(service, accepting: "en")
    let language = visitor.view["language"]
    #expect(language["current"].string == "en")
    #expect(language["languages"].strings("tag") == ["en", "de"])
    #expect(language["languages"].strings("name") == ["English", "Deutsch"])
    let href = try #require(language["href"].string)
    #expect(href == "\(visitor.path)/locale?revision=1")
    let answer = try await service.send("POST", href, #"{"locale":"de"}"#)
    #expect(answer.status == 200)
    #expect(answer.json["session", "revision"].int == 2)
    #expect(answer.json["screen", "title"].string == "Karte")
    #expect(answer.json["screen", "data", "locale"].string == "de")
    #expect(answer.json["navigation", "tabs", "items"].strings("title") == ["Tee"])
    #expect(answer.header("ETag") == "\"2\"")
    #expect(answer.header("Content-Language") == "de")
    // A retry is recognized by its revision.
    let retry = try await service.send("POST", href, #"{"locale":"de"}"#)
    #expect(retry.status == 200)
    #expect(retry.json == answer.json)
    #expect(try await service.send("POST", href, #"{"locale":"en"}"#).problem == "stale-revision")
    let history = try await service.send("GET", visitor.path + "/history").json["entries"]
    #expect(history[1]["kind"].string == "locale")
    #expect(history[1]["input", "locale"].string == "de")
    #expect(history[1]["link"].string == nil)
  }

  @Test func `a change of the language obeys preconditions and idempotency keys`() async throws {
    let service = try service()
    let visitor = try await start(service, accepting: "en")
    let path = visitor.path + "/locale"
    let stale = try await service.send("POST", path, #"{"locale":"de"}"#, headers: ["If-Match": "\"7\""])
    #expect(stale.status == 412)
    let headers = ["Idempotency-Key": "k1"]
    let first = try await service.send("POST", path, #"{"locale":"de"}"#, headers: headers)
    #expect(first.json["session", "revision"].int == 2)
    try await visitor.post("/locale", #"{"locale":"en"}"#)
    // The replay shows the session as it was, in its language of then.
    let replay = try await service.send("POST", path, #"{"locale":"de"}"#, headers: headers)
    #expect(replay.header("Idempotency-Replayed") == "true")
    #expect(replay.json == first.json)
    let reused = try await service.send("POST", path, #"{"locale":"en"}"#, headers: headers)
    #expect(reused.problem == "idempotency-conflict")
    #expect(reused.json["detail"].string?.hasPrefix("The idempotency key") == true)
  }

  @Test func `a change of the language is possible while a question is open, and not after the end`() async throws {
    let service = try service()
    let visitor = try await start(service, accepting: "en")
    try await visitor.act("write")
    try await visitor.back()
    try await visitor.post("/locale", #"{"locale":"de"}"#)
    #expect(visitor.view["prompt", "title"].string == "Diese Seite verlassen?")
    try await visitor.act("leave")
    try await visitor.act("leave-house")
    #expect(visitor.view["language", "href"].string == nil)
    let answer = try await visitor.attempt("/locale", #"{"locale":"en"}"#)
    #expect(answer.problem == "session-finished")
    #expect(answer.json["detail"].string == "Die Sitzung ist beendet und kann nur noch gelesen werden.")
  }

  @Test(arguments: [
    "{}", #"{"locale":null}"#, #"{"locale":1}"#, #"{"locale":""}"#, #"{"locale":"de_DE"}"#, #"{"locale":"-"}"#,
    #"{"locale":"de","other":1}"#, #"{"locale":"abcdefgh-abcdefgh-abcdefgh-abcdefghi"}"#,
  ])
  func `an invalid language tag is refused`(body: String) async throws {
    let visitor = try await start(try service(.inProcess))
    #expect(try await visitor.attempt("/locale", body).problem == "invalid-request")
  }

  @Test func `the page of an app with several languages has a form to choose one`() async throws {
    let service = try service(.inProcess)
    let visitor = try await start(service, accepting: "en")
    let page = try await service.send("GET", visitor.path, headers: ["Accept": browser]).text
    #expect(page.contains("<option value=\"en\" lang=\"en\" selected>English</option>"))
    #expect(page.contains("<option value=\"de\" lang=\"de\">Deutsch</option>"))
    #expect(page.contains("<label for=\"session-language\">Language</label>"))
    let form = ["Content-Type": "application/x-www-form-urlencoded", "Accept": browser]
    let answer = try await service.send("POST", visitor.path + "/locale?revision=1", "locale=de", headers: form)
    #expect(answer.status == 303)
    #expect(answer.header("Location") == visitor.path)
    let german = try await service.send("GET", visitor.path, headers: ["Accept": browser]).text
    #expect(german.contains("<label for=\"session-language\">Sprache</label>"))
    let other = try await start(service, accepting: "en", app: "cashier")
    #expect(
      !(try await service.send("GET", other.path, headers: ["Accept": browser]).text.contains("session-language")))
    #expect(other.view["language"].string == nil)
  }

  @Test func `the view of an app in one language names it, and has no link to another one`() async throws {
    let app = Cashier.app().texts(TextCatalogue(fallback: "de", ["de": [:]]))
    let service = try TestService(.inProcess, apps: [app])
    let visitor = try await start(service, accepting: "en", app: "cashier")
    #expect(visitor.last.header("Content-Language") == "de")
    #expect(visitor.view["language", "current"].string == "de")
    #expect(visitor.view["language", "languages"].strings("name") == ["Deutsch"])
    #expect(visitor.view["language", "href"].isNull)
    let page = try await service.send("GET", visitor.path, headers: ["Accept": browser]).text
    #expect(page.contains("<html lang=\"de\">") && !page.contains("session-language"))
  }

  @Test func `buttons, hints and errors of a journey are in the language of an app of literals`() async throws {
    let app = Claim.app.texts(TextCatalogue(fallback: "de", ["de": [:]]))
    let service = try TestService(.inProcess, apps: [app])
    let visitor = try await start(service, accepting: "en", app: "claim")
    try await visitor.post("/answers", #"{"name": "Ann", "first": "2026-11-20", "last": "2026-11-21"}"#)
    #expect(visitor.screen == "count" && visitor.action("continue")["title"].string == "Weiter")
    let page = try await service.send("GET", visitor.path, headers: ["Accept": browser]).text
    #expect(page.contains("How many things?") && page.contains("höchstens 3.") && page.contains("Weiter"), "\(page)")
    let refusal = try await visitor.attempt("/actions/continue", #"{"count": 7}"#)
    #expect(refusal.json["errors"][0]["detail"].string == "„How many things?“ darf höchstens 3 sein.")
  }

  @Test func `an app without texts of its own has the languages of the service`() async throws {
    let service = try service(.inProcess)
    let visitor = try await start(service, accepting: "nl, de-CH;q=0.5", app: "cashier")
    #expect(visitor.last.header("Content-Language") == nil)
    let answer = try await visitor.attempt("/back")
    #expect(answer.json["title"].string == "Aktion nicht verfügbar")
    #expect(answer.json["reason"].string == "Es gibt keine Seite, zu der Sie zurückkehren können.")
    let french = try await start(service, accepting: "fr-CH, de;q=0.5", app: "cashier")
    #expect(try await french.attempt("/back").json["reason"].string == "Il n’y a aucune page à laquelle revenir.")
    let siren = try await service.send(
      "GET", visitor.path, headers: ["Accept": "application/vnd.siren+json", "Accept-Language": "en"])
    #expect(siren.status == 200)
  }
}

/// Problems in the language of the session or of the request. Machine-readable members are the same in every language.
@Suite(.limitedConcurrency) struct LocalizedProblemTests {
  private let service: TestService

  init() throws { service = try TestService(.inProcess, apps: [Teahouse.app]) }

  private func send(
    _ method: String, _ target: String, _ body: String? = nil, _ headers: [String: String] = [:]
  ) async throws -> Answer {
    try await service.send(
      method, target, body, headers: ["Accept-Language": "de-DE, en;q=0.5"].merging(headers) { $1 })
  }

  @Test func `a problem without a session has the language of the request`() async throws {
    let answer = try await send("GET", "/nope")
    #expect(answer.json["title"].string == "Nicht gefunden")
    #expect(answer.json["detail"].string == "Unter diesem Pfad gibt es nichts.")
    #expect(answer.json["type"].string == "/problems/not-found")
    #expect(answer.header("Content-Language") == "de")
    #expect(answer.header("Vary") == "Accept-Language")
    let english = try await service.send("GET", "/nope")
    #expect(english.json["title"].string == "Not found")
    #expect(english.header("Content-Language") == "en")
    let french = try await service.send("GET", "/nope", headers: ["Accept-Language": "fr-CA, de;q=0.5"])
    #expect(french.json["title"].string == "Introuvable")
    #expect(french.json["detail"].string == "Aucune ressource n’a ce chemin.")
    #expect(french.header("Content-Language") == "fr")
    let query = try await send("GET", "/v1/apps?x=1")
    #expect(query.json["detail"].string == "Der Abfrageparameter x ist hier unbekannt.")
    let page = try await send("GET", "/nope", nil, ["Accept": browser])
    #expect(page.text.contains("<html lang=\"de\">"))
    #expect(page.text.contains("Alle Apps"))
    let text = try await send("GET", "/nope", nil, ["Accept": "text/plain"])
    #expect(text.text == "Unter diesem Pfad gibt es nichts.\n")
  }

  @Test func `a problem of a session has its language, and not that of the request`() async throws {
    let created = try await send("POST", "/v1/sessions", #"{"app":"teahouse"}"#)
    let visitor = try Visitor(service, created)
    let english = ["Accept-Language": "en"]
    let invalid = try await send("POST", visitor.path + "/actions/order", #"{"cups":9}"#, english)
    #expect(invalid.json["detail"].string == "„Tassen“ darf höchstens 8 sein.")
    #expect(invalid.json["errors"][0]["detail"].string == "„Tassen“ darf höchstens 8 sein.")
    #expect(invalid.json["errors"][0]["keyword"].string == "maximum")
    #expect(invalid.json["errors"][0]["pointer"].string == "/cups")
    #expect(invalid.json["title"].string == "Ungültige Eingabe")
    #expect(invalid.header("Content-Language") == "de")
    #expect(invalid.header("Vary") == nil)
    let refused = try await send("POST", visitor.path + "/actions/order", #"{"cups":5}"#, english)
    #expect(refused.json["reason"].string == "Höchstens 4")
    let form = ["Content-Type": "application/x-www-form-urlencoded", "Accept": browser]
    let page = try await send("POST", visitor.path + "/actions/order?revision=1", "cups=9", form)
    #expect(page.status == 422)
    #expect(page.text.contains("Bitte prüfen Sie Ihre Eingaben"))
    #expect(page.text.contains("<title>Bitte prüfen Sie Ihre Eingaben · Karte · Teehaus</title>"))
    #expect(page.text.contains("„Tassen“ darf höchstens 8 sein."))
  }

  @Test func `the start page and the list of apps have the language of the request`() async throws {
    let page = try await send("GET", "/", nil, ["Accept": browser])
    #expect(page.text.contains("<html lang=\"de\">"))
    #expect(page.text.contains("<h2>Teehaus</h2>"))
    #expect(page.text.contains("Starten"))
    #expect(page.header("Content-Language") == "de")
    #expect(page.header("Vary") == "Accept-Language")
    let apps = try await send("GET", "/v1/apps")
    #expect(apps.json["apps"][0]["title"].string == "Teehaus")
    #expect(apps.json["apps"][0]["summary"].string == "Tee")
    #expect(apps.header("Vary") == "Accept-Language")
    let app = try await send("GET", "/v1/apps/teahouse")
    #expect(app.json["screens"][0]["title"].string == "Karte")
    #expect(app.header("Content-Language") == "de")
    let english = try await service.send("GET", "/v1/apps")
    #expect(english.json["apps"][0]["title"].string == "Teahouse")
    #expect(try await send("GET", "/", nil, ["Accept": "text/plain"]).text == "teahouse\tTeehaus\n")
  }

  @Test func `the pages of a hand-over have the language of the session`() async throws {
    let visitor = try Visitor(service, try await send("POST", "/v1/sessions", #"{"app":"teahouse"}"#))
    let offer = try await service.send("POST", visitor.path + "/hand-over").json
    #expect(offer["title"].string == "Teehaus")
    let path = try #require(offer["href"].string)
    let question = try await service.send("GET", path, headers: ["Accept": browser]).text
    #expect(question.contains("Hier fortsetzen?"))
    #expect(question.contains("Wenn Sie „Teehaus“ auf diesem Gerät fortsetzen"))
    let taken = try await service.send("POST", path)
    #expect(taken.status == 201)
    let left = try await service.send("GET", visitor.path).json
    #expect(left["actions"][0]["reason"].string == "Diese Sitzung wird auf einem anderen Gerät fortgesetzt.")
    let refused = try await visitor.attempt("/locale", #"{"locale":"en"}"#)
    #expect(refused.problem == "read-only")
  }
}
