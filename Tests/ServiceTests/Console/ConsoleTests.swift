import ExampleApps
import Navigation
import Sessions
import Testing
import Values

/// The apps in the console, and who gets it.
@Suite(.limitedConcurrency) struct ConsoleTests {
  private let console: TestConsole

  init() throws { console = try TestConsole() }

  // MARK: - An app

  @Test func `draws what an app declares and what its sessions did`() async throws {
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
  }

  // MARK: - Who gets it

  @Test func `is not to be had under a name that any site could have taken`() async throws {
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

  @Test func `is no part of the service, and serves nothing else`() async throws {
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
