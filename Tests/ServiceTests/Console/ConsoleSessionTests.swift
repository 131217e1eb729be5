import ExampleApps
import Navigation
import Sessions
import Testing
import Values

/// The page of a session in the console. `Tests/Browser` tests its appearance and behaviour in a browser.
@Suite struct ConsoleSessionTests {
  private let console: TestConsole

  init() throws { console = try TestConsole() }

  @Test func `no page contains the ID of a session`() async throws {
    let id = try await console.start("shop", .action(name: "buy", input: ["product": 1]))
    for target in ["/console", console.path(id), console.path(id) + "?revision=1", "/console/apps/shop"] {
      let page = await console.get(target)
      #expect(page.status == 200 && !page.text.contains(id.text))
    }
    #expect(
      await console.get(console.path(id)).text.contains(
        "/v1/sessions/\(String(repeating: "*", count: 22))/actions/pay?revision=2"))
  }

  @Test func `an unknown session is 404, and a deleted one 410`() async throws {
    let id = try await console.start("shop")
    for target in ["/console/sessions/nope", "/console/sessions/" + String(repeating: "0", count: 64)] {
      #expect(await console.get(target).status == 404)
    }
    #expect(await console.get(console.path(id) + "?revision=0").status == 400)
    try await console.service.delete(id)
    let gone = await console.get(console.path(id), [("Accept", "text/html")])
    #expect(gone.status == 410 && gone.text.contains("<h1"))
  }

  // MARK: - Content

  @Test func `the diagram joins each entry to the coordinator that owns it`() async throws {
    let id = try await console.start("bank", .action(name: "transfer", input: .emptyObject))
    let state = try await console.service.snapshot(id).state
    let page = await console.get(console.path(id))
    let owned = state.entriesByOwner
    #expect(page.count(of: #"class="joint "#) == owned.values.reduce(0) { $0 + $1.count })
    for (index, node) in state.nodes.enumerated() {
      let boxes = page.text.matches(of: /class="box (node|entry[a-z ]*) hue(\d)/).filter { $0.2 == "\(index)" }
      #expect(boxes.count == 1 + (owned[node.id]?.count ?? 0))
    }
    #expect(page.count(of: #"class="frame modal""#) == 1)
    #expect(page.count(of: #"class="frame tab"#) == 2)
    #expect(page.text.contains("Behind the guard of bank waits: transfer of entry 7."))
    #expect(page.text.contains("<title>Session \(SessionKey(id).short) · Usher console</title>"))
  }

  @Test func `an open prompt is shown with its owner`() async throws {
    let asked = try await console.startFarewell()
    #expect(await console.get(console.path(asked)).text.ranges(of: #"class="box entry prompt hue0"#).count == 1)
    let leaving = try await console.start(
      "bank", .action(name: "transfer", input: .emptyObject), .action(name: "sign-in", input: ["pin": "1234"]),
      .action(name: "next", input: ["to": "bob"]), .back)
    let page = await console.get(console.path(leaving))
    #expect(page.text.contains(">leave?</text>") && page.text.contains("Leave this transfer?"))
  }

  @Test func `pending work is listed with its coordinator and its time`() async throws {
    let id = try await console.start(
      "gallery", .action(name: "background", input: .emptyObject), .action(name: "remind", input: ["seconds": 60]),
      .action(name: "work", input: ["seconds": 5, "fails": false]))
    let page = await console.get(console.path(id))
    #expect(page.text.contains("Pending work"))
    #expect(page.text.contains("effect <code>long-work</code></td><td>gallery</td>"))
    #expect(page.text.contains("timer <code>reminder</code></td><td>gallery</td>"))
    #expect(page.text.contains("due \((console.clock.now + 60).text)"))
    let earlier = await console.get(console.path(id) + "?revision=1")
    #expect(!earlier.text.contains("Pending work"))
  }

  @Test func `every kept revision can be shown`() async throws {
    let id = try await console.start("bank")
    var titles = ["Accounts"]
    let round: [Intent] = [
      .action(name: "open", input: ["accountId": "a1"]), .back, .tab("inbox"),
      .action(name: "read", input: ["messageId": "m1"]), .back, .open(link: "/accounts/a2"), .tab("accounts"),
    ]
    for step in 0..<150 {
      try await console.act(id, round[step % round.count])
      titles.append(try await console.service.snapshot(id).visible.title.string)
    }
    let latest = await console.get(console.path(id))
    let first = try #require(latest.link("First"))
    let reach = try #require(first.split(separator: "=").last.flatMap { Int($0) })
    // At least 64 entries are kept, in chunks of 16. Every second chunk has a checkpoint.
    #expect((2...103).contains(reach))
    for revision in reach...151 {
      let page = await console.get(console.path(id) + "?revision=\(revision)")
      #expect(page.text.contains("<p class=\"screen-title\">\(titles[revision - 1])</p>"), "\(revision)")
      #expect(page.text.contains("Revision \(revision) of 151"))
    }
    let before = await console.get(console.path(id) + "?revision=\(reach - 1)")
    #expect(before.text.contains("The kept history does not reach back to revision \(reach - 1)."))
    #expect(before.link("Later") == console.path(id) + "?revision=\(reach)" && before.link("Earlier") == nil)
    #expect(before.link("First") == before.link("Later"))
    let after = await console.get(console.path(id) + "?revision=152")
    #expect(after.text.contains("The session has not reached revision 152."))
    #expect(after.link("Earlier") == console.path(id) && after.link("Later") == nil)
    #expect(latest.link("Earlier") == console.path(id) + "?revision=150")
    #expect(before.link("Now") == console.path(id))
  }

  @Test func `the ETag changes with the session, and a known page is not sent again`() async throws {
    let id = try await console.start("pages")
    let first = await console.get(console.path(id))
    let tag = try #require(first.header("ETag"))
    #expect(await console.get(console.path(id), [("If-None-Match", tag)]).status == 304)
    #expect(first.text.contains("/console.js"))
    try await console.act(id, .action(name: "next", input: .emptyObject))
    let second = await console.get(console.path(id), [("If-None-Match", tag)])
    #expect(second.status == 200 && second.header("ETag") != tag && second.text.contains("Revision 2 of 2"))
    #expect(
      await console.get(console.path(id), [("If-None-Match", "W/\"x\", W/\(second.header("ETag") ?? "")")]).status
        == 304)
    // A past revision never changes.
    #expect(!(await console.get(console.path(id) + "?revision=1")).text.contains("/console.js"))
  }

  @Test func `the ETag changes when the session expires`() async throws {
    let id = try await console.start("pages")
    let tag = try #require(await console.get(console.path(id)).header("ETag"))
    console.clock.advance(seconds: 90_000)
    let expired = await console.get(console.path(id), [("If-None-Match", tag)])
    #expect(expired.status == 200 && expired.text.contains("<span class=\"status expired\">expired</span>"))
    #expect(!expired.text.contains("/console.js"))
  }

  @Test func `a session shows the idle limit that its app declares`() async throws {
    let limited = try console.other([ExampleApps.pages.life(idle: .seconds(1800))])
    let id = try await limited.start("pages")
    #expect(await limited.get(limited.path(id)).text.contains("</time>, idle limit 1800 s"))
    #expect(!(await console.get(console.path(id))).text.contains("idle limit"))
  }

  @Test func `a page loads nothing from other sites, and has no links to them`() async throws {
    let id = try await console.start("gallery")
    let page = await console.get(console.path(id))
    #expect(page.text.contains("Image: ") && page.text.contains("Link: ") && !page.text.contains("<img"))
    #expect(page.header("Content-Security-Policy")?.contains("img-src data:;") == true)
    #expect(page.text.matches(of: /href="([^"]*)"/).allSatisfy { "/d".contains($0.1.first ?? " ") })
  }

  @Test func `a session of an app that is not hosted is shown as outdated`() async throws {
    let id = try await console.start("shop", .action(name: "buy", input: ["product": 1]))
    let other = try console.other([ExampleApps.bank])
    let page = await other.get(console.path(id))
    #expect(page.status == 200 && page.text.contains("The app shop is not hosted here."))
    #expect(page.text.contains("outdated") && page.text.contains("<code>{&quot;product&quot;:&quot;••••&quot;}</code>"))
    let list = await other.get("/console?status=outdated&app=shop")
    #expect(list.listed == [SessionKey(id).short])
    // The filter offers the hosted apps, and the selected one.
    #expect(list.text.contains("<option selected>shop</option>"))
  }

  @Test func `a past revision is not shown if the changed app leads elsewhere`() async throws {
    func town<Place: Stop>(with _: Place.Type) -> App { App("town", title: "Town") { Walk<Place>() } }
    let old = try console.other([town(with: Bakery.self)])
    let id = try await old.start("town", .action(name: "go", input: .emptyObject), .back)
    #expect(await old.get(console.path(id) + "?revision=2").text.contains("<p class=\"screen-title\">Bakery</p>"))
    // The same intents lead elsewhere in this build, and back to the same state.
    let new = try console.other([town(with: Museum.self)])
    let page = await new.get(console.path(id) + "?revision=2")
    #expect(page.text.contains("The app has changed since") && !page.text.contains("Museum"))
    #expect(await new.get(console.path(id)).text.contains("<p class=\"screen-title\">Home</p>"))
  }

  @Test(arguments: ["<script>alert(1)</script>", "\"><b>", "{{title}}", "\\\"}{[", "\u{E000}0\u{E000}"])
  func `user input is escaped`(name: String) async throws {
    let id = try await console.start(
      "shop", .action(name: "create-account", input: .emptyObject), .action(name: "next", input: ["name": Value(name)]))
    let page = await console.get(console.path(id))
    #expect(!page.text.contains("<script>") && !page.text.contains("\"><b>"))
    // The page contains the view as valid JSON.
    let shown = try #require(page.text.firstMatch(of: /<pre id="view-text" tabindex="0">([^<]*)<\/pre>/)).1
      .replacing("&quot;", with: "\"").replacing("&#39;", with: "'").replacing("&lt;", with: "<")
      .replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    let view = try JSONParser.parse(Array(shown.utf8))
    #expect(view["screen"]?["data"]?["accountName"]?.text == name)
  }
}

private protocol Stop: Screen { init() }

private struct Bakery: Stop {
  static let name = "bakery"
  static let title: Title<Self> = "Bakery"
}

private struct Museum: Stop {
  static let name = "museum"
  static let title: Title<Self> = "Museum"
}

private struct Home: Screen {
  static let name = "home"
  static let title: Title<Self> = "Home"
  static let actions: [any Action.Type] = [Go.self]
}

private struct Go: Action {
  static let name = "go"
  static let title: Text = "Go"
}

private struct Walk<Place: Stop>: Coordinator {
  static var name: String { "walk" }

  func start(_ nav: inout Navigator<Self>) { nav.push(Home()) }

  static var wiring: Wiring<Self> {
    Wiring<Self>().shows(Home.self).shows(Place.self).on(Go.self) { _, _, nav in nav.push(Place()) }
  }
}
