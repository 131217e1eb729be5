import Access
import Foundation
import MicroHTTP
import Testing

@testable import HTTPAPI

/// Whose word is taken on where a request comes from.
@Suite(.limitedConcurrency) struct `Trusted proxies` {
  private static func proxies(_ ranges: String...) -> TrustedProxies {
    TrustedProxies(ranges.compactMap { AddressRange($0) })
  }

  @Test(arguments: [
    // Each adds what it sees on the right.
    ("10.0.0.1", "203.0.113.9", "203.0.113.9"), ("10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
    ("10.0.0.1", "6.6.6.6, 203.0.113.9,10.0.0.2 ,\t10.0.0.3", "203.0.113.9"),
    ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
    ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"), ("fd00::1", "2001:db8::1", "2001:db8::1"),
    // Ports and brackets.
    ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"), ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
    ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"), ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
    // What cannot be read ends the list.
    ("10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"), ("10.0.0.1", "203.0.113.9, x, 10.0.0.2", "10.0.0.2"),
    ("10.0.0.1", "_hidden", "10.0.0.1"), ("10.0.0.1", "", "10.0.0.1"), ("10.0.0.1", " , ,", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9,,", "203.0.113.9"), ("10.0.0.1", "203.0.113.9:x", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9:65536", "10.0.0.1"), ("10.0.0.1", "[2001:db8::1", "10.0.0.1"),
    ("10.0.0.1", "[2001:db8::1]4711", "10.0.0.1"), ("10.0.0.1", "[203.0.113.9]", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9 10.0.0.2", "10.0.0.1"), ("10.0.0.1", "é, \"203.0.113.9\"", "10.0.0.1"),
    // Whoever else says something says it in vain.
    ("192.0.2.1", "203.0.113.9", "192.0.2.1"), ("2001:db8::9", "203.0.113.9", "2001:db8::9"),
  ])
  func `tell the client's address`(peer: String, list: String, client: String) {
    let request = Request(
      method: .get, target: "/", headers: [("X-Forwarded-For", list), ("Forwarded", "for=6.6.6.6")],
      peer: IPAddress(peer))
    #expect(Self.proxies("10.0.0.0/8", "fd00::/8").client(of: request) == IPAddress(client))
    #expect(TrustedProxies.none.client(of: request) == IPAddress(peer))
  }

  @Test func `may send long lists`() {
    let chain = (0..<1000).map { "10.0.\($0 / 250).\($0 % 250)" }
    for (list, client) in [
      (chain, "10.0.0.0"), (["203.0.113.9"] + chain, "203.0.113.9"), (chain + ["203.0.113.9"], "203.0.113.9"),
      (Array(repeating: "x", count: 1000) + ["203.0.113.9"], "203.0.113.9"),
    ] {
      let request = Request(
        method: .get, target: "/", headers: [("X-Forwarded-For", list.joined(separator: ", "))],
        peer: IPAddress("10.9.9.9"))
      #expect(Self.proxies("10.0.0.0/8").client(of: request) == IPAddress(client))
    }
  }

  @Test func `are nobody where there is no socket`() {
    let request = Request(method: .get, target: "/", headers: [("X-Forwarded-For", "203.0.113.9")])
    #expect(Self.proxies("0.0.0.0/0", "::/0").client(of: request) == nil)
  }

  @Test(arguments: [
    ("https", "app.example", "https", "app.example"), ("HTTPS", "app.example:8443", "https", "app.example:8443"),
    ("http, https", "a.example, b.example", "https", "b.example"), ("ftp", " ", nil, "inner"), ("", "", nil, "inner"),
    ("https, ", "app.example,", nil, "inner"),
  ])
  func `tell how the client reached them`(proto: String, host: String, scheme: String?, told: String) {
    let headers = [("Host", "inner"), ("X-Forwarded-Proto", proto), ("X-Forwarded-Host", host)]
    let proxies = Self.proxies("10.0.0.1")
    let trusted = Request(method: .get, target: "/", headers: headers, peer: IPAddress("10.0.0.1"))
    #expect(proxies.scheme(of: trusted) == scheme && proxies.host(of: trusted) == told)
    let other = Request(method: .get, target: "/", headers: headers, peer: IPAddress("10.0.0.2"))
    #expect(proxies.scheme(of: other) == nil && proxies.host(of: other) == "inner")
  }

  // MARK: Over a socket

  private let log = TestLog()

  private func service(_ proxies: TrustedProxies, host: String = "127.0.0.1") throws -> TestService {
    try TestService(host: host) {
      $0.trustedProxies = proxies
      $0.allowedHosts = AllowedHosts(["app.example"])!
      $0.logger = log.logger
      $0.logsRequests = true
    }
  }

  @Test(arguments: ["127.0.0.1", "::"])
  func `are known by the address of their connection`(host: String) async throws {
    for (proxies, client) in [
      (TrustedProxies.none, "127.0.0.1"), (Self.proxies("127.0.0.0/8"), "203.0.113.9"),
      (Self.proxies("10.0.0.0/8"), "127.0.0.1"),
    ] {
      let service = try service(proxies, host: host)
      _ = try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "6.6.6.6, 203.0.113.9"])
      #expect(log.lines.last?["client"].string == client)
    }
  }

  @Test func `may send the list on several lines`() throws {
    let service = try service(Self.proxies("127.0.0.1"))
    let lines = ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 203.0.113.9", "x-forwarded-for: 127.0.0.1"]
    let head = try RawExchange.head(service, ["GET /livez HTTP/1.1", "Host: x"] + lines)
    #expect(head.first == "HTTP/1.1 200 OK")
    #expect(log.lines.last?["client"].string == "203.0.113.9")
  }

  @Test func `tell the host that a form's site is compared with`() async throws {
    let headers = ["Origin": "https://app.example", "X-Forwarded-Host": "app.example", "Accept": "application/json"]
    let told = try service(Self.proxies("127.0.0.1"))
    #expect(try await told.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 201)
    for other in [
      "https://app.example.evil", "https://evil.example", "null", "app.example", "https://app.example:8443",
    ] {
      let headers = headers.merging(["Origin": other]) { $1 }
      #expect(try await told.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 403, "\(other)")
    }
    let untold = try service(.none)
    #expect(try await untold.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 403)
  }

  @Test func `tell where the link of a hand-over leads`() async throws {
    let told = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example", "Accept": "text/plain"]
    for (proxies, origin) in [(Self.proxies("127.0.0.1"), "https://app.example"), (.none, nil)] {
      let service = try service(proxies)
      let shop = try await service.start("shop")
      let offer = try await service.send("POST", shop.path + "/hand-over", headers: told)
      let expected = origin ?? service.address.absoluteString
      #expect(offer.status == 201 && offer.text.hasPrefix("\(expected)/v1/hand-overs/"), "\(offer.text)")
    }
  }

  @Test func `tell the origin that links are made of`() async throws {
    for (proxies, headers, origin) in [
      (
        Self.proxies("10.0.0.1"), [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "app.example")],
        "https://app.example"
      ),
      (Self.proxies("10.0.0.1"), [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "a/b")], ""),
      (Self.proxies("10.0.0.1"), [("X-Forwarded-Proto", "https")], "https://inner:8080"),
      (Self.proxies("10.0.0.1"), [], "http://inner:8080"),
      (.none, [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "evil.example")], "http://inner:8080"),
    ] as [(TrustedProxies, [(String, String)], String)] {
      let service = try TestService(.inProcess) { $0.trustedProxies = proxies }
      let request = Request(
        method: .get, target: "/", headers: [("Host", "inner:8080")] + headers, peer: IPAddress("10.0.0.1"))
      let call = Call(request, service.api, requestID: "1", Router(routes: [], files: [:]))
      #expect(call.origin == origin)
    }
  }
}
