import HTTPAPI
import MicroHTTP
import Sessions
import Stores
import Testing

/// The names by which a service can be reached.
@Suite struct `Allowed hosts` {
  private static let guarded = [("GET", "/metrics", ""), ("POST", "/v1/sessions", #"{"app":"shop"}"#)]

  /// The statuses of what takes a permission where the service asks who makes a request.
  private func statuses(_ service: TestService, _ headers: [String: String]) async throws -> [Int] {
    var statuses: [Int] = []
    for (method, target, body) in Self.guarded {
      let answer = try await service.send(method, target, method == "POST" ? body : nil, headers: headers)
      if answer.status >= 400 { #expect(answer.status == 421 && answer.problem == "misdirected-request") }
      statuses.append(answer.status)
    }
    return statuses
  }

  @Test(arguments: [
    "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "evil.xlocalhost", "evil.localhost.example",
    "127.0.0.1:8080:1", "[::1", "[::1]evil.example", "[evil.example]", "evil.example.", "localhost..", "evil.",
    "127.0.0.1:80@evil.example", "user@localhost", "évil", "a,b", "localhost:x",
  ])
  func `are no names that a stranger can point at the service`(host: String) async throws {
    #expect(try await statuses(TestService(.inProcess), ["Host": host]) == [421, 421], "\(host)")
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "10.0.0.7:1", "[::1]", "[::1]:8080", "[2001:DB8::1]:8080", "localhost",
    "LOCALHOST:8080", "localhost.", "localhost.:8080", "localhost:", "app.localhost", "usher", "usher-1:8080", "",
  ])
  func `are addresses, localhost and names without a dot`(host: String) async throws {
    #expect(try await statuses(TestService(.inProcess), ["Host": host]) == [200, 201], "\(host)")
  }

  @Test func `are asked for where a permission is, and nowhere else`() async throws {
    let service = try TestService(.inProcess)
    let path = try await service.start("shop").path
    let evil = ["Host": "evil.example"]
    for target in ["/livez", "/readyz", "/", "/v1/apps", "/problems/misdirected-request", "/usher.css"] {
      #expect(try await service.send("GET", target, headers: evil).status == 200, "\(target)")
    }
    for target in [path, path + "/tree", path + "/history", "/metrics"] {
      #expect(try await service.send("GET", target, headers: evil).status == 421, "\(target)")
    }
    let page = try await service.send("GET", path, headers: evil.merging(["Accept": "text/html"]) { $1 })
    #expect(page.status == 421 && page.text.contains("evil.example") && page.text.contains("--allowed-hosts"))
  }

  @Test func `are read from the target where it is absolute`() throws {
    let service = try TestService()
    for (line, host, status) in [
      ("GET http://evil.example/metrics HTTP/1.1", "127.0.0.1", "421"),
      ("GET HTTP://evil.example:8080/metrics HTTP/1.1", "127.0.0.1", "421"),
      ("GET http://127.0.0.1/metrics HTTP/1.1", "127.0.0.1", "200"),
      ("GET http://user@localhost/metrics HTTP/1.1", "localhost", "421"),
      ("GET https://[::1]:8080/metrics?x HTTP/1.1", "evil.example", "400"),
      ("GET /metrics HTTP/1.1", "evil.example", "421"), ("GET /metrics HTTP/1.1", "[::1]:1", "200"),
      // What RFC 9112, section 3.2.2, has a server do: the host of the target counts, and not Host.
      ("GET http://localhost/metrics HTTP/1.1", "evil.example", "200"),
    ] {
      let head = try RawExchange.head(service, [line, "Host: \(host)"])
      #expect(head.first?.contains(status) == true, "\(line), \(host)")
    }
    #expect(try RawExchange.head(service, ["GET /metrics HTTP/1.0"]).first?.contains("200") == true)
  }

  @Test func `are those of a list as well`() async throws {
    let hosts = try #require(AllowedHosts(["App.example.com", "xn--bcher-kva.example."]))
    let service = try TestService(.inProcess) { $0.allowedHosts = hosts.adding("10.0.0.1").adding("bound.example") }
    for host in [
      "app.example.com", "APP.EXAMPLE.COM:443", "app.example.com.:8443", "xn--bcher-kva.example", "bound.example",
      "127.0.0.1", "localhost", "usher",
    ] {
      #expect(try await statuses(service, ["Host": host]) == [200, 201], "\(host)")
    }
    for host in ["example.com", "evil.app.example.com", "app.example.com.evil.example", "bücher.example"] {
      #expect(try await statuses(service, ["Host": host]) == [421, 421], "\(host)")
    }
    let open = try TestService(.inProcess) { $0.allowedHosts = AllowedHosts(["*"])! }
    #expect(try await statuses(open, ["Host": "evil.example"]) == [200, 201])
  }

  @Test(arguments: [
    ["https://app.example"], ["app.example:8080"], ["app.example/a"], ["*", "app.example"], ["*.example"], ["a..b"],
    [""], ["."], [".example"], ["bücher.example"], ["a b"], ["[::1]"],
    [(1...64).map { _ in "abc" }.joined(separator: ".")],
  ])
  func `are no lists of anything else`(texts: [String]) { #expect(AllowedHosts(texts) == nil) }

  @Test func `are compared with what a trusted proxy says, too`() async throws {
    let proxies = TrustedProxies([try #require(AddressRange("10.0.0.0/8"))])
    let service = try TestService(.inProcess) {
      $0.trustedProxies = proxies
      $0.allowedHosts = AllowedHosts(["app.example"])!
    }
    for (host, told, peer, status) in [
      ("usher", "app.example", "10.0.0.1", 200), ("usher", "APP.example:443", "10.0.0.1", 200),
      ("app.example", "app.example", "10.0.0.1", 200), ("usher", "evil.example", "10.0.0.1", 421),
      ("usher", "app.example, evil.example", "10.0.0.1", 421), ("usher", "evil.example, app.example", "10.0.0.1", 200),
      // A page on the machine of a proxy.
      ("evil.example", "app.example", "10.0.0.1", 421), ("evil.example", "localhost", "10.0.0.1", 421),
      // Anybody else may say anything.
      ("usher", "evil.example", "192.0.2.1", 200), ("evil.example", "app.example", "192.0.2.1", 421),
    ] {
      let request = Request(
        method: .get, target: "/metrics", headers: [("Host", host), ("X-Forwarded-Host", told)], peer: IPAddress(peer))
      #expect(await service.api.respond(to: request).status == status, "\(host), \(told), \(peer)")
    }
  }

  @Test func `are asked for on the operator's port`() async throws {
    let sessions = SessionService(apps: [], store: MemoryStore())
    let admin = API.admin(sessions: sessions, API.Configuration())
    for (target, status) in [("/metrics", 421), ("/readyz", 200), ("/livez", 200)] {
      let request = Request(method: .get, target: target, headers: [("Host", "evil.example")])
      #expect(await admin.respond(to: request).status == status, "\(target)")
    }
  }
}
