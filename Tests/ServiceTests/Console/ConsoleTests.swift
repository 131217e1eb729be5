import ExampleApps
import HTTPAPI
import MicroHTTP
import Navigation
import Sessions
import Stores
import Testing
import Values

/// The console's pages as they are sent. How they look and behave in a browser is tested in `Tests/Browser`.
@Suite struct ConsoleTests {
  private let clock = TestClock()
  private let store = MemoryStore(liveLimit: 0)
  private let service: SessionService
  private let console: Console

  init() throws {
    service = Self.service(try ExampleApps.all.map { try AppDefinition($0) }, store, clock)
    console = Console(sessions: service, version: "test", host: "127.0.0.1")
  }

  private static func service(_ apps: [AppDefinition], _ store: MemoryStore, _ clock: TestClock) -> SessionService {
    SessionService(apps: apps, store: store, clock: TimeSource { clock.now })
  }

  private func get(_ target: String, _ headers: [(String, String)] = []) async -> Answer {
    await Self.get(target, headers, of: console)
  }

  private static func get(
    _ target: String, _ headers: [(String, String)] = [], of console: Console
  ) async -> Answer {
    Answer(await console.respond(to: Request(method: .get, target: target, headers: headers, body: [])))
  }

  private func find(_ text: String, _ headers: [(String, String)] = []) async -> Answer {
    let type = ("Content-Type", "application/x-www-form-urlencoded")
    let body = Array("session=\(text.replacing("/", with: "%2F"))".utf8)
    return Answer(
      await console.respond(
        to: Request(method: .post, target: "/console/find", headers: [type] + headers, body: body)))
  }

  private func start(_ app: String, _ intents: Intent...) async throws -> SessionID {
    let id = try await service.create(CreateRequest(app: app)).snapshot.id
    for intent in intents { try await act(id, intent) }
    return id
  }

  /// A session of the gallery at its question.
  private func startFarewell() async throws -> SessionID {
    try await start(
      "gallery", .action(name: "fields", input: .emptyObject),
      .action(name: "send", input: ["name": "Ann", "guests": 2, "size": "small", "news": false]), .back, .back,
      .action(name: "leave", input: .emptyObject))
  }

  private func act(_ id: SessionID, _ intent: Intent) async throws {
    _ = try await service.perform(IntentRequest(intent), on: id)
  }

  private func path(_ id: SessionID) -> String { "/console/sessions/\(SessionKey(id).digits)" }

  /// The short keys in the list, in its order.
  private func listed(_ answer: Answer) -> [String] {
    answer.text.matches(of: /<code>([0-9a-f]{8})<\/code><\/a>/).map { String($0.1) }
  }

  private func link(_ title: String, in answer: Answer) -> String? {
    answer.text.matches(of: /<a href="([^"]+)"[^>]*>([^<]+)<\/a>/).first { $0.2 == title }
      .map { String($0.1).replacing("&amp;", with: "&") }
  }

  // MARK: - The list

  @Test func `lists the sessions in pages, the newest first`() async throws {
    #expect(await get("/console").text.contains("No session yet."))
    var keys: [String] = []
    for _ in 0..<120 {
      keys.insert(SessionKey(try await start("pages")).short, at: 0)
      clock.advance(seconds: 1)
    }
    var address: String? = "/console"
    var seen: [[String]] = []
    while let next = address {
      let page = await get(next)
      #expect(page.status == 200)
      seen.append(listed(page))
      address = link("Older", in: page)
    }
    #expect(seen.map(\.count) == [50, 50, 20])
    #expect(seen.flatMap(\.self) == keys)
  }

  @Test func `searches by app, screen and status`() async throws {
    let home = try await start("shop")
    let sale = try await start("shop", .action(name: "buy", input: ["product": 1]))
    let ended = try await startFarewell()
    try await act(ended, .action(name: "goodbye", input: .emptyObject))
    for (query, expected) in [
      ("app=shop", [sale, home]), ("app=bank", []), ("screen=home", [home]), ("status=finished", [ended]),
      ("status=active", [sale, home]), ("app=shop&screen=buy&status=active", [sale]),
      ("app=gallery&status=active", []), ("app=&screen=&status=", [ended, sale, home]), ("status=outdated", []),
    ] {
      let page = await get("/console?" + query)
      #expect(Set(listed(page)) == Set(expected.map { SessionKey($0).short }), "\(query)")
      #expect(page.text.contains("No such session") == expected.isEmpty)
    }
    clock.advance(seconds: 90_000)
    #expect(listed(await get("/console?status=expired")).count == 3)
  }

  @Test func `looks at a bounded number of sessions, and goes on from there`() async throws {
    let wanted = try await start("tabs")
    for _ in 0..<2100 {
      clock.advance(seconds: 1)
      _ = try await start("pages")
    }
    let first = await get("/console?app=tabs")
    #expect(listed(first) == [] && first.text.contains("No such session among the 2000 that were looked at."))
    let next = try #require(link("Look further", in: first))
    #expect(next.contains("app=tabs"))
    #expect(listed(await get(next)) == [SessionKey(wanted).short])
  }

  @Test(arguments: ["status=asleep", "before=yesterday", "before=1.x", "key=zz", "key=", "page=2", "app=a&app=b"])
  func `refuses a search that makes no sense`(query: String) async {
    #expect(await get("/console?" + query).status == (query == "key=" ? 200 : 400))
  }

  // MARK: - Finding one

  @Test func `finds a session by its id, its address or its key`() async throws {
    let id = try await start("shop")
    let key = SessionKey(id)
    for text in [id.text, "/v1/sessions/\(id.text)", "http://127.0.0.1:8080/v1/sessions/\(id.text)", " \(id.text) "] {
      let found = await find(text)
      #expect(found.status == 303 && found.header("Location") == path(id), "\(text)")
    }
    for digits in [key.short, key.short.uppercased(), String(key.digits.prefix(20)), key.digits] {
      let found = await find(digits)
      #expect(found.status == 303)
      let list = await get(try #require(found.header("Location")))
      #expect(listed(list) == [key.short] && link("All sessions", in: list) == "/console")
    }
    #expect(listed(await get("/console?key=" + (key.short.first == "0" ? "11111111" : "00000000"))) == [])
    for text in ["", "nope", String(key.digits.prefix(7)), key.digits + "0"] { #expect(await find(text).status == 400) }
    #expect(await find(id.text, [("Sec-Fetch-Site", "cross-site")]).status == 403)
    #expect(await get("/console/find").status == 405)
  }

  @Test func `never tells the id of a session`() async throws {
    let id = try await start("shop", .action(name: "buy", input: ["product": 1]))
    for target in ["/console", path(id), path(id) + "?revision=1", "/console/apps/shop"] {
      let page = await get(target)
      #expect(page.status == 200 && !page.text.contains(id.text))
    }
    #expect(
      await get(path(id)).text.contains("/v1/sessions/\(String(repeating: "*", count: 22))/actions/pay?revision=2"))
  }

  @Test func `says that a session is not there, or not any more`() async throws {
    let id = try await start("shop")
    for target in ["/console/sessions/nope", "/console/sessions/" + String(repeating: "0", count: 64)] {
      #expect(await get(target).status == 404)
    }
    #expect(await get(path(id) + "?revision=0").status == 400)
    try await service.delete(id)
    let gone = await get(path(id), [("Accept", "text/html")])
    #expect(gone.status == 410 && gone.text.contains("<h1"))
  }

  // MARK: - One session

  @Test func `joins each entry to the coordinator that owns it`() async throws {
    let id = try await start("bank", .action(name: "transfer", input: .emptyObject))
    let state = try await service.snapshot(id).state
    let page = await get(path(id))
    let owned = state.entriesByOwner
    #expect(page.text.ranges(of: #"class="joint "#).count == owned.values.reduce(0) { $0 + $1.count })
    for (index, node) in state.nodes.enumerated() {
      let boxes = page.text.matches(of: /class="box (node|entry[a-z ]*) hue(\d)/).filter { $0.2 == "\(index)" }
      #expect(boxes.count == 1 + (owned[node.id]?.count ?? 0))
    }
    #expect(page.text.ranges(of: #"class="frame modal""#).count == 1)
    #expect(page.text.ranges(of: #"class="frame tab"#).count == 2)
    #expect(page.text.contains("Waiting behind the guard"))
    #expect(page.text.contains("<title>Session \(SessionKey(id).short) · Usher console</title>"))
  }

  @Test func `shows what is asked, and by whom`() async throws {
    let asked = try await startFarewell()
    #expect(await get(path(asked)).text.ranges(of: #"class="box entry prompt hue0"#).count == 1)
    let leaving = try await start(
      "bank", .action(name: "transfer", input: .emptyObject), .action(name: "sign-in", input: ["pin": "1234"]),
      .action(name: "next", input: ["to": "bob"]), .back)
    let page = await get(path(leaving))
    #expect(page.text.contains(">leave?</text>") && page.text.contains("Leave this transfer?"))
  }

  @Test func `travels to every revision that is kept`() async throws {
    let id = try await start("bank")
    var titles = ["Accounts"]
    let round: [Intent] = [
      .action(name: "open", input: ["accountId": "a1"]), .back, .tab("inbox"),
      .action(name: "read", input: ["messageId": "m1"]), .back, .open(link: "/accounts/a2"), .tab("accounts"),
    ]
    for step in 0..<150 {
      try await act(id, round[step % round.count])
      titles.append(try await service.snapshot(id).visible.title.string)
    }
    let latest = await get(path(id))
    let first = try #require(link("First", in: latest))
    let reach = try #require(first.split(separator: "=").last.flatMap { Int($0) })
    // 64 entries are kept at least, and the states of every other sixteen.
    #expect((2...103).contains(reach))
    for revision in reach...151 {
      let page = await get(path(id) + "?revision=\(revision)")
      #expect(page.text.contains("<p class=\"screen-title\">\(titles[revision - 1])</p>"), "\(revision)")
      #expect(page.text.contains("Revision \(revision) of 151"))
    }
    let before = await get(path(id) + "?revision=\(reach - 1)")
    #expect(before.text.contains("What is kept of the history does not reach back to revision \(reach - 1)."))
    #expect(link("Later", in: before) == path(id) + "?revision=\(reach + 1)")
    #expect(await get(path(id) + "?revision=152").text.contains("The session has not got to revision 152."))
    #expect(link("Earlier", in: latest) == path(id) + "?revision=150")
    #expect(link("Now", in: before) == path(id))
  }

  @Test func `is as new as the session, and is not sent twice`() async throws {
    let id = try await start("pages")
    let first = await get(path(id))
    let tag = try #require(first.header("ETag"))
    #expect(await get(path(id), [("If-None-Match", tag)]).status == 304)
    #expect(first.text.contains("/console.js"))
    try await act(id, .action(name: "next", input: .emptyObject))
    let second = await get(path(id), [("If-None-Match", tag)])
    #expect(second.status == 200 && second.header("ETag") != tag && second.text.contains("Revision 2 of 2"))
    // What was does not change.
    #expect(!(await get(path(id) + "?revision=1")).text.contains("/console.js"))
  }

  @Test func `explains a session that this build cannot show`() async throws {
    let id = try await start("shop", .action(name: "buy", input: ["product": 1]))
    let other = Console(
      sessions: Self.service([try AppDefinition(ExampleApps.bank)], store, clock), version: "test", host: "127.0.0.1")
    let page = await Self.get(path(id), of: other)
    #expect(page.status == 200 && page.text.contains("The app shop is not hosted here."))
    #expect(page.text.contains("outdated") && page.text.contains("<code>{&quot;product&quot;:1}</code>"))
    #expect(listed(await Self.get("/console?status=outdated", of: other)) == [SessionKey(id).short])
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"><b>", "{{title}}", "\\\"}{[", "\u{E000}0\u{E000}"])
  func `shows what was typed as text`(name: String) async throws {
    let id = try await start(
      "shop", .action(name: "create-account", input: .emptyObject), .action(name: "next", input: ["name": Value(name)]))
    let page = await get(path(id))
    #expect(!page.text.contains("<script>") && !page.text.contains("\"><b>"))
    // The view as it stands there is the view.
    let shown = try #require(page.text.firstMatch(of: /<pre tabindex="0">([^<]*)<\/pre>/)).1
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    let view = try JSONParser.parse(Array(shown.utf8))
    #expect(view["screen"]?["data"]?["accountName"]?.text == name)
  }

  // MARK: - An app

  @Test func `draws what an app declares and what its sessions did`() async throws {
    let before = await get("/console/apps/bank")
    #expect(before.text.ranges(of: #"class="card""#).count == 9 && !before.text.contains("class=\"step"))
    _ = try await start("bank", .action(name: "open", input: ["accountId": "a1"]), .back, .tab("inbox"))
    _ = try await start("bank", .action(name: "open", input: ["accountId": "a2"]))
    let page = await get("/console/apps/bank")
    #expect(page.text.contains("<title>open: accounts to account, 2</title>"))
    #expect(page.text.contains("<title>back: account to accounts, 1</title>"))
    #expect(page.text.contains("<title>tab: accounts to inbox, 1</title>"))
    #expect(page.text.contains("/accounts/{accountId}"))
    for app in ["pages", "shop", "tabs", "gallery"] { #expect(await get("/console/apps/" + app).status == 200) }
    #expect(await get("/console/apps/nope").status == 404)
  }

  // MARK: - Who gets it

  @Test func `is not to be had under a name that any site could have taken`() async {
    for host in ["evil.example", "evil.example:8081", "127.0.0.1.evil.example", ""] {
      let status = await get("/console", [("Host", host)]).status
      #expect(status == (host.isEmpty ? 200 : 403), "\(host)")
    }
    for host in ["127.0.0.1:8081", "localhost", "LOCALHOST:8081", "[::1]:8081", "10.0.0.7"] {
      #expect(await get("/console", [("Host", host)]).status == 200, "\(host)")
    }
    let named = Console(sessions: service, version: "test", host: "Console.example")
    #expect(await Self.get("/console", [("Host", "console.example:8081")], of: named).status == 200)
  }

  @Test func `is no part of the service, and serves nothing else`() async throws {
    let service = try TestService(.inProcess)
    #expect(try await service.send("GET", "/console").status == 404)
    #expect(await get("/").header("Location") == "/console")
    for target in ["/v1/apps", "/v1/sessions", "/usher.js", "/livez", "/console/sessions"] {
      #expect(await get(target).status == 404)
    }
    for target in ["/console.css", "/console.js", "/usher.css"] { #expect(await get(target).status == 200) }
    #expect(await get("/console", [("Accept", "application/json")]).status == 406)
  }
}
