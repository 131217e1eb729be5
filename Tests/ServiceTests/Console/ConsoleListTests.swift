import ExampleApps
import Navigation
import Sessions
import Testing
import Values

/// The list of sessions in the console, and the way to one of them.
@Suite struct ConsoleListTests {
  private let console: TestConsole

  init() throws { console = try TestConsole() }

  // MARK: - The list

  @Test func `lists the sessions in pages, the newest first`() async throws {
    #expect(await console.get("/console").text.contains("No session yet."))
    var keys: [String] = []
    for _ in 0..<120 {
      keys.insert(SessionKey(try await console.start("pages")).short, at: 0)
      console.clock.advance(seconds: 1)
    }
    var address: String? = "/console"
    var seen: [[String]] = []
    while let next = address {
      let page = await console.get(next)
      #expect(page.status == 200)
      seen.append(page.listed)
      address = page.link("Older")
    }
    #expect(seen.map(\.count) == [50, 50, 20])
    #expect(seen.flatMap(\.self) == keys)
  }

  @Test func `searches by app, screen and status`() async throws {
    let home = try await console.start("shop")
    let sale = try await console.start("shop", .action(name: "buy", input: ["product": 1]))
    let ended = try await console.startFarewell()
    try await console.act(ended, .action(name: "goodbye", input: .emptyObject))
    for (query, expected) in [
      ("app=shop", [sale, home]), ("app=bank", []), ("screen=home", [home]), ("status=finished", [ended]),
      ("status=active", [sale, home]), ("app=shop&screen=buy&status=active", [sale]),
      ("app=gallery&status=active", []), ("app=&screen=&status=", [ended, sale, home]), ("status=outdated", []),
    ] {
      let page = await console.get("/console?" + query)
      #expect(Set(page.listed) == Set(expected.map { SessionKey($0).short }), "\(query)")
      #expect(page.text.contains("No such session") == expected.isEmpty)
    }
    console.clock.advance(seconds: 90_000)
    #expect((await console.get("/console?status=expired")).listed.count == 3)
  }

  @Test func `looks at a bounded number of sessions, and goes on from there`() async throws {
    let wanted = try await console.start("tabs")
    for _ in 0..<2100 {
      console.clock.advance(seconds: 1)
      _ = try await console.start("pages")
    }
    let first = await console.get("/console?app=tabs")
    #expect(first.listed == [] && first.text.contains("No such session among the 2000 that were looked at."))
    let next = try #require(first.link("Look further"))
    #expect(next.contains("app=tabs"))
    #expect((await console.get(next)).listed == [SessionKey(wanted).short])
  }

  @Test(arguments: [
    "status=asleep", "before=yesterday", "before=1.x", "key=zz", "key=", "key=00000000&app=shop", "page=2",
    "app=a&app=b",
  ])
  func `refuses a search that makes no sense`(query: String) async {
    #expect(await console.get("/console?" + query).status == 400)
  }

  // MARK: - Finding one

  @Test func `finds a session by its id, its address or its key`() async throws {
    let id = try await console.start("shop")
    let key = SessionKey(id)
    for text in [
      id.text, "/v1/sessions/\(id.text)", "http://127.0.0.1:8080/v1/sessions/\(id.text)", " \(id.text) ",
      "/v1/sessions/\(id.text)/actions/buy?revision=1", "http://127.0.0.1:8080/v1/sessions/\(id.text)?revision=3#top",
      "http://127.0.0.1:8081\(console.path(id))?revision=1",
    ] {
      let found = await console.find(text)
      #expect(found.status == 303 && found.header("Location") == console.path(id), "\(text)")
    }
    for digits in [key.short, key.short.uppercased(), String(key.digits.prefix(20)), key.digits] {
      let found = await console.find(digits)
      #expect(found.status == 303)
      let list = await console.get(try #require(found.header("Location")))
      #expect(list.listed == [key.short] && list.link("All sessions") == "/console")
    }
    #expect((await console.get("/console?key=" + (key.short.first == "0" ? "11111111" : "00000000"))).listed == [])
    for text in ["", "nope", String(key.digits.prefix(7)), key.digits + "0"] {
      #expect(await console.find(text).status == 400)
    }
    #expect(await console.find(id.text, [("Sec-Fetch-Site", "cross-site")]).status == 403)
  }
}
