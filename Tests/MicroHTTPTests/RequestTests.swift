import MicroHTTP
import Synchronization
import Testing

@Suite(.blocking) struct `A request` {
  @Test func `can be made without a socket`() {
    let request = Request(method: .post, target: "/a", headers: [("X-One", "1"), ("x-one", "2")], body: [1, 2])
    #expect(request.header("x-ONE") == "1, 2")
    #expect(request.header("X-Two") == nil)
    #expect(request.body == [1, 2])
  }

  @Test func `joins the values of headers of one name`() throws {
    let response = try TestServer().exchange(request("GET /", "X-Tag: a", "X-Tap: z", "x-tag:  b "))
    #expect(response.body == "GET / a, b ")
  }

  @Test func `may have more query parameters than the library could keep`() throws {
    let target = "/?" + String(repeating: "a=1&", count: 3000)
    #expect(try TestServer().exchange(request("GET \(target)")).body == "GET \(target) - ")
  }

  @Test(arguments: ["127.0.0.1", "::"]) func `knows where its connection comes from`(host: String) throws {
    let server = try TestServer { $0.host = host }
    #expect(try server.exchange(request("GET /peer")).body == "127.0.0.1")
  }

  @Test func `without a socket comes from where a test says`() {
    #expect(Request(method: .get, target: "/").peer == nil)
    #expect(Request(method: .get, target: "/", peer: IPAddress("::1")).peer == IPAddress("::1"))
  }

  @Test func `knows its method by name`() {
    for name in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"] {
      #expect(Method(name).name == name)
    }
    #expect(Method("get") == .other("get"))
  }

  @Test func `that outlives its answer has no headers any more`() throws {
    final class Keeper: Handler {
      let kept = Mutex<Request?>(nil)
      func respond(to request: Request) -> Response {
        kept.withLock { $0 = request }
        return Response(status: request.header("X-Tag") == "t" ? 200 : 500)
      }
      func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }
    }
    let keeper = Keeper()
    let server = try TestServer(handler: keeper)
    #expect(try server.exchange(request("GET /a", "X-Tag: t")).status == 200)
    #expect(eventually { keeper.kept.withLock { $0?.header("X-Tag") } == nil })
    #expect(keeper.kept.withLock { $0?.target } == "/a")
  }
}
