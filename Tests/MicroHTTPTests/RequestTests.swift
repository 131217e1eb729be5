import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// The parts of a request that a handler sees.
@Suite(.blocking) struct RequestTests {
  @Test func `a request can be created without a socket`() {
    let request = Request(method: .post, target: "/a", headers: [("X-One", "1"), ("x-one", "2")], body: [1, 2])
    #expect(request.header("x-ONE") == "1, 2")
    #expect(request.header("X-Two") == nil)
    #expect(request.body == [1, 2])
  }

  @Test func `the values of headers with the same name are joined`() throws {
    let response = try TestServer().exchange(request("GET /", "X-Tag: a", "X-Tap: z", "x-tag:  b "))
    #expect(response.body == "GET / a, b ")
  }

  @Test func `a request may have more query parameters than fit in the memory of the connection`() throws {
    let target = "/?" + String(repeating: "a=1&", count: 3000)
    #expect(try TestServer().exchange(request("GET \(target)")).body == "GET \(target) - ")
  }

  @Test(arguments: ["127.0.0.1", "::"]) func `a request has the address of its client`(host: String) throws {
    let server = try TestServer { $0.host = host }
    #expect(try server.exchange(request("GET /peer")).body == "127.0.0.1")
  }

  @Test func `a request without a socket has the given address`() {
    #expect(Request(method: .get, target: "/").peer == nil)
    #expect(Request(method: .get, target: "/", peer: IPAddress("::1")).peer == IPAddress("::1"))
  }

  @Test func `a method keeps its name`() {
    for name in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"] {
      #expect(Method(name).name == name)
    }
    #expect(Method("get") == .other("get"))
  }

  @Test func `a request that outlives its response has no headers`() throws {
    final class Keeper: Handler {
      let request = Mutex<Request?>(nil)
      func respond(to request: Request) -> Response {
        self.request.withLock { $0 = request }
        return Response(status: request.header("X-Tag") == "t" ? 200 : 500)
      }
    }
    let keeper = Keeper()
    let server = try TestServer(handler: keeper)
    #expect(try server.exchange(request("GET /a", "X-Tag: t")).status == 200)
    #expect(blockUntil { keeper.request.withLock { $0?.header("X-Tag") } == nil })
    #expect(keeper.request.withLock { $0?.target } == "/a")
  }
}

/// IP addresses as text.
@Suite struct IPAddressTests {
  @Test(arguments: [
    ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
    ("0.0.0.0", "0.0.0.0"),
    ("2001:DB8:0:0:0:0:0:1", "2001:db8::1"), ("::", "::"), ("::1", "::1"), ("fe80::1", "fe80::1"),
    ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
  ])
  func `an address is parsed, and described in its canonical form`(text: String, canonical: String) throws {
    let address = try #require(IPAddress(text))
    #expect("\(address)" == canonical)
    #expect(IPAddress(canonical) == address)
    #expect(address.isIPv4 == !canonical.contains(":"))
  }

  @Test(arguments: [
    "", " ", "1", "127.1", "1.2.3", "1.2.3.4.5", "1.2.3.256", "01.2.3.4", "0x7f.0.0.1", "1.2.3.4 ", " 1.2.3.4",
    "1.2.3.4\0",
    "1.2.3.4:80", ":", ":::", "1::2::3", "::12345", "fe80::1%eth0", "[::1]", "::1/128", "localhost", "١.٢.٣.٤",
    String(repeating: "1", count: 10_000),
  ])
  func `any other text is not an address`(text: String) { #expect(IPAddress(text) == nil) }
}
