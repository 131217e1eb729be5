import MicroHTTP
import Synchronization
import Testing

@Suite struct `A request` {
  @Test func `can be made without a socket`() {
    let request = Request(method: .post, target: "/a", headers: [("X-One", "1"), ("x-one", "2")], body: [1, 2])
    #expect(request.header("x-ONE") == "1")
    #expect(request.header("X-Two") == nil)
    #expect(request.body == [1, 2])
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
      func refuse(_ refusal: Refusal) -> Response { Response(status: refusal.status) }
    }
    let keeper = Keeper()
    let server = try TestServer(handler: keeper)
    #expect(try server.exchange(request("GET /a", "X-Tag: t")).status == 200)
    #expect(eventually { keeper.kept.withLock { $0?.header("X-Tag") } == nil })
    #expect(keeper.kept.withLock { $0?.target } == "/a")
  }
}
