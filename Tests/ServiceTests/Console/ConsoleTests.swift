import ExampleApps
import Navigation
import Sessions
import TestSupport
import Testing
import Values

/// The pages of apps in the console, and its access rules.
@Suite(.limitedConcurrency) struct ConsoleTests {
  private let console: TestConsole

  init() throws { console = try TestConsole() }

  // MARK: - Apps

  @Test func `the page of an app shows its declarations and the transitions of its sessions`() async throws {
    let before = await console.get("/console/apps/bank")
    #expect(before.count(of: #"class="card""#) == 9 && !before.text.contains("class=\"step"))
    _ = try await console.start("bank", .action(name: "open", input: ["accountId": "a1"]), .back, .tab("inbox"))
    _ = try await console.start("bank", .action(name: "open", input: ["accountId": "a2"]))
    let page = await console.get("/console/apps/bank")
    #expect(page.text.contains("<title>open: accounts to account, 2</title>"))
    #expect(page.text.contains("<title>back: account to accounts, 1</title>"))
    #expect(page.text.contains("<title>tab: accounts to inbox, 1</title>"))
    #expect(page.text.contains("/accounts/{accountId}"))
    for app in ["pages", "shop", "tabs", "gallery"] { #expect(await console.get("/console/apps/" + app).status == 200) }
    #expect(await console.get("/console/apps/nope").status == 404)
    let gallery = await console.get("/console/apps/gallery").text
    #expect(gallery.contains("created with visitor string?") && gallery.contains("<code>leave</code></span>"))
    #expect(gallery.contains("<code>goodbye</code> words string?</span>"))
    #expect(gallery.contains("start address <code>/start/gallery</code>"))
  }

  @Test func `the page of an app has the QR code of its start address`() async throws {
    let known = try console.other(publicURL: "https://app.example")
    let page = await known.get("/console/apps/bank").text
    let code = try #require(QRCodeImage("https://app.example/start/bank"))
    #expect(page.contains("<code>https://app.example/start/bank</code>") && page.contains("d=\"\(code.path)\""))
    #expect(page.contains(#"role="img" aria-label="QR code of the start address""#))
    // The console has another address than the service.
    let other = await console.get("/console/apps/bank").text
    #expect(!other.contains("Start address"))
  }

  @Test func `a start address that is too long for a QR code has none`() async throws {
    let long = try console.other(publicURL: "https://" + String(repeating: "a", count: 3000))
    let page = await long.get("/console/apps/bank").text
    #expect(page.contains("a/start/bank</code>") && !page.contains("class=\"qr\""))
  }

  // MARK: - Access

  @Test func `hosts that any site could claim are refused`() async throws {
    for host in ["evil.example", "evil.example:8081", "127.0.0.1.evil.example", ""] {
      let status = await console.get("/console", [("Host", host)]).status
      #expect(status == (host.isEmpty ? 200 : 421), "\(host)")
    }
    for host in ["[evil.example]", "[::1].evil.example", "127.0.0.1:80@evil.example", "1:1:1", "console", "a, b"] {
      #expect(await console.get("/console", [("Host", host)]).status == 421, "\(host)")
    }
    for host in ["127.0.0.1:8081", "localhost", "LOCALHOST:8081", "[::1]:8081", "10.0.0.7", "localhost."] {
      #expect(await console.get("/console", [("Host", host)]).status == 200, "\(host)")
    }
    let named = try console.other(host: "Console.example")
    #expect(await named.get("/console", [("Host", "console.example:8081")]).status == 200)
    #expect(await named.get("/console", [("Host", "other.example")]).status == 421)
  }

  @Test func `the console and the service have separate routes`() async throws {
    let service = try TestService(.inProcess)
    #expect(try await service.send("GET", "/console").status == 404)
    #expect(await console.get("/").header("Location") == "/console")
    for target in ["/v1/apps", "/v1/sessions", "/usher.js", "/livez", "/console/nope"] {
      #expect(await console.get(target).status == 404)
    }
    for target in ["/console.css", "/console.js", "/usher.css", "/problems/not-found"] {
      #expect(await console.get(target).status == 200)
    }
    for target in ["/console/find", "/console/sessions", "/console/apps"] {
      #expect(await console.get(target).header("Location") == "/console")
    }
    let missing = await console.get("/nope", [("Accept", "text/html")])
    #expect(missing.status == 404 && missing.link("All sessions") == "/console" && missing.text.contains("id=\"find\""))
    #expect(await console.get("/console", [("Accept", "application/json")]).status == 406)
  }
}

/// The list of sessions in the console, and its search.
@Suite struct ConsoleListTests {
  private let console: TestConsole

  init() throws { console = try TestConsole() }

  // MARK: - List

  @Test func `the list has pages, with the newest session first`() async throws {
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

  @Test func `sessions are filtered by app, screen and status`() async throws {
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

  @Test func `a search examines at most 2000 sessions, and can be continued`() async throws {
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
  func `an invalid search is rejected`(query: String) async {
    #expect(await console.get("/console?" + query).status == 400)
  }

  // MARK: - Search

  @Test func `a session is found by its ID, its address or its key`() async throws {
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
    for digits in [key.short, key.short.uppercased(), String(key.hexadecimal.prefix(20)), key.hexadecimal] {
      let found = await console.find(digits)
      #expect(found.status == 303)
      let list = await console.get(try #require(found.header("Location")))
      #expect(list.listed == [key.short] && list.link("All sessions") == "/console")
    }
    #expect((await console.get("/console?key=" + (key.short.first == "0" ? "11111111" : "00000000"))).listed == [])
    for text in ["", "nope", String(key.hexadecimal.prefix(7)), key.hexadecimal + "0"] {
      #expect(await console.find(text).status == 400)
    }
    #expect(await console.find(id.text, [("Sec-Fetch-Site", "cross-site")]).status == 403)
  }
}
