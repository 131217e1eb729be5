import Access
import Foundation
import MicroHTTP
import TestSupport
import Testing

@testable import HTTPAPI

/// Ranges of IP addresses.
@Suite struct AddressRangeTests {
  @Test(arguments: [
    ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.1.1.1", true),
    ("192.0.2.1", "192.0.2.1", true), ("192.0.2.1", "192.0.2.2", false), ("192.0.2.1/32", "192.0.2.1", true),
    ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "2001:db8::1", true),
    ("::/0", "203.0.113.9", false), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
    ("2001:db8::/32", "2001:db8:ffff::", true),
    ("2001:db8::/32", "2001:db9::", false), ("2001:db8::1", "2001:db8::1", true),
    ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
    ("fe80::/10", "febf::1", true), ("fe80::/10", "fec0::1", false), ("::1/128", "::1", true),
  ])
  func `a range contains the addresses with its prefix`(range: String, address: String, isContained: Bool) throws {
    let parsed = try #require(AddressRange(range))
    #expect(parsed.contains(try #require(IPAddress(address))) == isContained)
    #expect(AddressRange(parsed.description) == parsed)
  }

  @Test(arguments: [
    "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.1/8",
    "10.0.0.0/8 ",
    "10/8", "::/129", "2001:db8::1/64", "::1/0128", "[::1]/128", "10.0.0.0/٨", "*", "example.org",
  ])
  func `an invalid range is rejected`(text: String) { #expect(AddressRange(text) == nil) }
}

/// The forwarding headers of trusted proxies.
@Suite(.limitedConcurrency) struct TrustedProxiesTests {
  private static func proxies(_ ranges: String...) -> TrustedProxies {
    TrustedProxies(ranges.compactMap { AddressRange($0) })
  }

  @Test(arguments: [
    // Each proxy appends the address that it sees.
    ("10.0.0.1", "203.0.113.9", "203.0.113.9"), ("10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
    ("10.0.0.1", "6.6.6.6, 203.0.113.9,10.0.0.2 ,\t10.0.0.3", "203.0.113.9"),
    ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
    ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"), ("fd00::1", "2001:db8::1", "2001:db8::1"),
    // Ports and brackets.
    ("10.0.0.1", "203.0.113.9:4711", "203.0.113.9"), ("10.0.0.1", "[2001:db8::1]:4711", "2001:db8::1"),
    ("10.0.0.1", "[2001:db8::1]", "2001:db8::1"), ("10.0.0.1", "::ffff:203.0.113.9", "203.0.113.9"),
    // An unreadable element ends the list.
    ("10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"), ("10.0.0.1", "203.0.113.9, x, 10.0.0.2", "10.0.0.2"),
    ("10.0.0.1", "_hidden", "10.0.0.1"), ("10.0.0.1", "", "10.0.0.1"), ("10.0.0.1", " , ,", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9,,", "203.0.113.9"), ("10.0.0.1", "203.0.113.9:x", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9:65536", "10.0.0.1"), ("10.0.0.1", "[2001:db8::1", "10.0.0.1"),
    ("10.0.0.1", "[2001:db8::1]4711", "10.0.0.1"), ("10.0.0.1", "[203.0.113.9]", "10.0.0.1"),
    ("10.0.0.1", "203.0.113.9 10.0.0.2", "10.0.0.1"), ("10.0.0.1", "é, \"203.0.113.9\"", "10.0.0.1"),
    // The headers of other peers are ignored.
    ("192.0.2.1", "203.0.113.9", "192.0.2.1"), ("2001:db8::9", "203.0.113.9", "2001:db8::9"),
  ])
  func `the client's address is the last one that no trusted proxy has`(peer: String, list: String, client: String) {
    let request = Request(
      method: .get, target: "/", headers: [("X-Forwarded-For", list), ("Forwarded", "for=6.6.6.6")],
      peer: IPAddress(peer))
    #expect(Self.proxies("10.0.0.0/8", "fd00::/8").client(of: request) == IPAddress(client))
    #expect(TrustedProxies.none.client(of: request) == IPAddress(peer))
  }

  @Test func `long lists are read`() {
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

  @Test func `a request without a socket has no client address`() {
    let request = Request(method: .get, target: "/", headers: [("X-Forwarded-For", "203.0.113.9")])
    #expect(Self.proxies("0.0.0.0/0", "::/0").client(of: request) == nil)
  }

  @Test(arguments: [
    ("https", "app.example", "https", "app.example"), ("HTTPS", "app.example:8443", "https", "app.example:8443"),
    ("http, https", "a.example, b.example", "https", "b.example"), ("ftp", " ", nil, "inner"), ("", "", nil, "inner"),
    ("https, ", "app.example,", nil, "inner"),
  ])
  func `the scheme and host of a trusted proxy override those of the request`(
    proto: String, host: String, scheme: String?, forwarded: String
  ) {
    let headers = [("Host", "inner"), ("X-Forwarded-Proto", proto), ("X-Forwarded-Host", host)]
    let proxies = Self.proxies("10.0.0.1")
    let trusted = Request(method: .get, target: "/", headers: headers, peer: IPAddress("10.0.0.1"))
    #expect(proxies.scheme(of: trusted) == scheme && proxies.host(of: trusted) == forwarded)
    let other = Request(method: .get, target: "/", headers: headers, peer: IPAddress("10.0.0.2"))
    #expect(proxies.scheme(of: other) == nil && proxies.host(of: other) == "inner")
  }

  // MARK: - Over a socket

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
  func `a proxy is trusted by the address of its connection`(host: String) async throws {
    for (proxies, client) in [
      (TrustedProxies.none, "127.0.0.1"), (Self.proxies("127.0.0.0/8"), "203.0.113.9"),
      (Self.proxies("10.0.0.0/8"), "127.0.0.1"),
    ] {
      let service = try service(proxies, host: host)
      _ = try await service.send("GET", "/v1/apps", headers: ["X-Forwarded-For": "6.6.6.6, 203.0.113.9"])
      #expect(log.lines.last?["client"].string == client)
    }
  }

  @Test func `X-Forwarded-For may span several lines`() throws {
    let service = try service(Self.proxies("127.0.0.1"))
    let lines = ["X-Forwarded-For: 6.6.6.6", "X-Forwarded-For: 203.0.113.9", "x-forwarded-for: 127.0.0.1"]
    let head = try RawExchange.head(service, ["GET /livez HTTP/1.1", "Host: x"] + lines)
    #expect(head.first == "HTTP/1.1 200 OK")
    #expect(log.lines.last?["client"].string == "203.0.113.9")
  }

  @Test func `the origin of a form is compared with the forwarded host`() async throws {
    let headers = ["Origin": "https://app.example", "X-Forwarded-Host": "app.example", "Accept": "application/json"]
    let trusting = try service(Self.proxies("127.0.0.1"))
    #expect(try await trusting.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 201)
    for other in [
      "https://app.example.evil", "https://evil.example", "null", "app.example", "https://app.example:8443",
    ] {
      let headers = headers.merging(["Origin": other]) { $1 }
      #expect(try await trusting.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 403, "\(other)")
    }
    let distrusting = try service(.none)
    #expect(try await distrusting.submit("/v1/sessions", ["app": "shop"], headers: headers).status == 403)
  }

  @Test func `the link of a hand-over has the forwarded origin`() async throws {
    let headers = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "app.example", "Accept": "text/plain"]
    for (proxies, origin) in [(Self.proxies("127.0.0.1"), "https://app.example"), (.none, nil)] {
      let service = try service(proxies)
      let shop = try await service.start("shop")
      let offer = try await service.send("POST", shop.path + "/hand-over", headers: headers)
      let expected = origin ?? service.address.absoluteString
      #expect(offer.status == 201 && offer.text.hasPrefix("\(expected)/v1/hand-overs/"), "\(offer.text)")
    }
  }

  @Test func `links have the forwarded origin`() async throws {
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
      let call = Call(request, service.api, requestID: "1")
      #expect(call.origin == origin)
    }
  }
}
