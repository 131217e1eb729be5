import HTTPAPI
import MicroHTTP
import Sessions
import Stores
import Testing

/// The hosts under which a service may be reached.
@Suite struct AllowedHostsTests {
  private static let guarded = [("GET", "/metrics", ""), ("POST", "/v1/sessions", #"{"app":"shop"}"#)]

  /// Returns the statuses of requests to routes that require a permission.
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
    "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example", "evil.xlocalhost",
    "evil.localhost.example",
    "127.0.0.1:8080:1", "[::1", "[::1]evil.example", "[evil.example]", "evil.example.", "localhost..", "evil.",
    "127.0.0.1:80@evil.example", "user@localhost", "évil", "a,b", "localhost:x",
  ])
  func `a name that any site can point at the service is refused`(host: String) async throws {
    #expect(try await statuses(TestService(.inProcess), ["Host": host]) == [421, 421], "\(host)")
  }

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "10.0.0.7:1", "[::1]", "[::1]:8080", "[2001:DB8::1]:8080", "localhost",
    "LOCALHOST:8080", "localhost.", "localhost.:8080", "localhost:", "app.localhost", "usher", "usher-1:8080", "",
  ])
  func `addresses, localhost and names without a dot are allowed`(host: String) async throws {
    #expect(try await statuses(TestService(.inProcess), ["Host": host]) == [200, 201], "\(host)")
  }

  @Test func `only routes that require a permission check the host`() async throws {
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

  @Test func `the host of an absolute target overrides Host`() throws {
    let service = try TestService()
    for (line, host, status) in [
      ("GET http://evil.example/metrics HTTP/1.1", "127.0.0.1", "421"),
      ("GET HTTP://evil.example:8080/metrics HTTP/1.1", "127.0.0.1", "421"),
      ("GET http://127.0.0.1/metrics HTTP/1.1", "127.0.0.1", "200"),
      ("GET http://user@localhost/metrics HTTP/1.1", "localhost", "421"),
      ("GET https://[::1]:8080/metrics?x HTTP/1.1", "evil.example", "400"),
      ("GET /metrics HTTP/1.1", "evil.example", "421"), ("GET /metrics HTTP/1.1", "[::1]:1", "200"),
      // RFC 9112, section 3.2.2: the host of an absolute target overrides Host.
      ("GET http://localhost/metrics HTTP/1.1", "evil.example", "200"),
    ] {
      let head = try RawExchange.head(service, [line, "Host: \(host)"])
      #expect(head.first?.contains(status) == true, "\(line), \(host)")
    }
    #expect(try RawExchange.head(service, ["GET /metrics HTTP/1.0"]).first?.contains("200") == true)
  }

  @Test func `listed hosts are allowed`() async throws {
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
  func `an invalid list is rejected`(texts: [String]) { #expect(AllowedHosts(texts) == nil) }

  @Test func `the X-Forwarded-Host of a trusted proxy is checked too`() async throws {
    let proxies = TrustedProxies([try #require(AddressRange("10.0.0.0/8"))])
    let service = try TestService(.inProcess) {
      $0.trustedProxies = proxies
      $0.allowedHosts = AllowedHosts(["app.example"])!
    }
    for (host, forwarded, peer, status) in [
      ("usher", "app.example", "10.0.0.1", 200), ("usher", "APP.example:443", "10.0.0.1", 200),
      ("app.example", "app.example", "10.0.0.1", 200), ("usher", "evil.example", "10.0.0.1", 421),
      ("usher", "app.example, evil.example", "10.0.0.1", 421), ("usher", "evil.example, app.example", "10.0.0.1", 200),
      // A page on the machine of the proxy.
      ("evil.example", "app.example", "10.0.0.1", 421), ("evil.example", "localhost", "10.0.0.1", 421),
      // The headers of other peers are ignored.
      ("usher", "evil.example", "192.0.2.1", 200), ("evil.example", "app.example", "192.0.2.1", 421),
    ] {
      let request = Request(
        method: .get, target: "/metrics", headers: [("Host", host), ("X-Forwarded-Host", forwarded)],
        peer: IPAddress(peer))
      #expect(await service.api.respond(to: request).status == status, "\(host), \(forwarded), \(peer)")
    }
  }

  @Test func `the admin server checks the host`() async throws {
    let sessions = SessionService(apps: [], store: MemoryStore())
    let admin = API.admin(sessions: sessions, API.Configuration())
    for (target, status) in [("/metrics", 421), ("/readyz", 200), ("/livez", 200)] {
      let request = Request(method: .get, target: target, headers: [("Host", "evil.example")])
      #expect(await admin.respond(to: request).status == status, "\(target)")
    }
  }
}
