import Dispatch
import Foundation
import MicroHTTP
import Synchronization
import Testing

@Suite(.blocking) struct `An overloaded server` {
  @Test func `closes connections over the limit and serves those below it`() throws {
    let server = try TestServer {
      $0.threads = 1
      $0.connectionLimit = 3
    }
    let clients = try (0..<3).map { _ in try server.client() }
    for client in clients {
      client.send(request("GET /"))
      #expect(try client.response().status == 200)
    }
    #expect(try server.client().isClosedByServer)
    #expect(try clients.map { $0.send(request("GET /")) ? try $0.response().status : 0 } == [200, 200, 200])
  }

  @Test func `goes on after many more connections than it takes`() throws {
    let server = try TestServer { $0.connectionLimit = 60 }
    for _ in 0..<3 {
      let clients = try (0..<300).map { _ in try server.client() }
      #expect(clients.count == 300)
    }
    #expect(eventually { (try? server.exchange(request("GET /"))).map { $0.status == 200 } ?? false })
    let clock = ContinuousClock()
    let start = clock.now
    server.server.stop(grace: .seconds(2))
    #expect(clock.now - start < .seconds(5))
  }

  @Test(arguments: [false, true]) func `serves some and refuses the rest where more come than can be served`(
    waits: Bool
  ) throws {
    // Every answer takes the one polling thread 20 ms; or they come one by one, each 20 ms after the one before.
    let server = try TestServer(handler: OneAtATime(waits: waits)) {
      $0.threads = 1
      $0.overloadFloor = 16
    }
    let statuses = Mutex<[Int: Int]>([:])
    let clients = (0..<80).map { _ in
      Thread {
        guard let client = try? server.client() else { return }
        for _ in 0..<20 {
          guard client.send(request("GET /")), let status = try? client.response().status else { return }
          statuses.withLock { $0[status, default: 0] += 1 }
          pause(milliseconds: 5)
        }
      }
    }
    for client in clients { client.start() }
    #expect(eventually(within: .seconds(240)) { clients.allSatisfy(\.isFinished) })
    let counts = statuses.withLock { $0 }
    #expect(Set(counts.keys) == [200, 503])
    #expect(counts.values.reduce(0, +) == 80 * 20)
    #expect(counts[200, default: 0] > 10)
    #expect(counts[503, default: 0] > 10)
    // It has calmed down.
    #expect(eventually { (1...20).allSatisfy { _ in (try? server.exchange(request("GET /")).status) == 200 } })
  }

  @Test(arguments: [false, true]) func `refuses nobody where few clients wait for each other`(waits: Bool) throws {
    let server = try TestServer(handler: OneAtATime(waits: waits)) { $0.threads = 1 }
    let served = Atomic(0)
    let clients = (0..<60).map { _ in
      Thread {
        guard let client = try? server.client() else { return }
        for _ in 0..<3 {
          guard client.send(request("GET /")), (try? client.response().status) == 200 else { return }
          served.add(1, ordering: .relaxed)
        }
      }
    }
    for client in clients { client.start() }
    #expect(eventually(within: .seconds(240)) { clients.allSatisfy(\.isFinished) })
    #expect(served.load(ordering: .relaxed) == 180)
  }

  @Test func `refuses while too many wait, but not what is always served, and not for bodies that do not come`()
    throws
  {
    let handler = WaitingHandler()
    let server = try TestServer(handler: handler) {
      $0.threads = 1
      $0.overloadFloor = 4
      $0.alwaysServed = ["/livez"]
    }
    let trickling = try (0..<30).map { _ in try server.client() }
    for client in trickling { client.send("POST /0 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n") }
    #expect(eventually { server.server.load.requests == 30 })
    #expect(try server.exchange(request("GET /0")).status == 200)

    // More than are answered within 100 ms even if all others are.
    let longWaiting = try (0..<60).map { _ in try server.client() }
    for client in longWaiting { client.send(request("GET /gate")) }
    #expect(eventually { server.server.load.suspended == 60 })
    // All answers are late, and the second ones come long after the first.
    let late = try [150, 600].flatMap { wait in
      try (0..<20).map { _ in
        let client = try server.client()
        client.send(request("GET /\(wait)"))
        return client
      }
    }
    #expect(eventually { (try? server.exchange(request("GET /0")).status) == 503 })
    #expect(try server.exchange(request("GET /livez?verbose")).status == 200)
    handler.gate.open()
    for client in longWaiting { #expect(try client.response().status == 200) }
    for client in late { #expect(try [200, 503].contains(client.response().status)) }
    #expect(eventually { (try? server.exchange(request("GET /0")).status) == 200 })
    withExtendedLifetime(trickling) {}
  }

  @Test func `refuses nothing that waits only for its own client's other requests`() throws {
    let server = try TestServer(handler: OneAtATime(waits: false)) {
      $0.threads = 1
      $0.overloadFloor = 4
    }
    let idle = try (0..<8).map { _ in try server.client() }
    #expect(eventually { server.server.load.connections == 8 })
    let client = try server.client()
    client.send(String(repeating: request("GET /"), count: 40))
    for _ in 0..<40 { #expect(try client.response().status == 200) }
    for client in idle { #expect(client.send(request("GET /"))) }
  }

  @Test func `refuses what is over the limit of requests in flight`() throws {
    let gate = Gate()
    let server = try TestServer(handler: gate) { $0.inFlightLimit = 2 }
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients { client.send(request("GET /admitted")) }
    gate.waitUntilEntered(2)
    for line in ["GET /", "POST /"] {
      let refused = try server.exchange(request(line, body: line == "GET /" ? "" : "a body"))
      #expect(refused.status == 503)
      #expect(refused.body == "overloaded")
    }
    gate.open()
    for client in clients { #expect(try client.response().status == 200) }
    #expect(eventually { (try? server.exchange(request("GET /"))).map { $0.status == 200 } ?? false })
  }
}

/// Needs 20 ms for each answer, for which the polling thread waits or the handler does.
private final class OneAtATime: Handler {
  private let waits: Bool
  private let queue = DispatchQueue(label: "one at a time")

  init(waits: Bool) { self.waits = waits }

  func respond(to request: Request) async -> Response {
    if waits {
      await withCheckedContinuation { waiting in
        queue.async {
          pause(milliseconds: 20)
          waiting.resume()
        }
      }
    } else {
      pause(milliseconds: 20)
    }
    return Response(status: 200)
  }

  func refuse(_ refusal: Refusal, of request: Request) -> Response { Response(status: refusal.status) }
}
