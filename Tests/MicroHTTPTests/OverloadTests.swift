import Dispatch
import Foundation
import MicroHTTP
import Synchronization
import TestSupport
import Testing

/// Limits of connections and requests, and load shedding.
@Suite(.blocking) struct OverloadTests {
  @Test func `connections over the limit are closed, and the others are served`() throws {
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

  @Test func `a server still works after many more connections than its limit`() throws {
    let server = try TestServer { $0.connectionLimit = 60 }
    for _ in 0..<3 {
      let clients = try (0..<300).map { _ in try server.client() }
      #expect(clients.count == 300)
    }
    #expect(blockUntil { (try? server.exchange(request("GET /"))).map { $0.status == 200 } ?? false })
    let clock = ContinuousClock()
    let start = clock.now
    server.server.stop(grace: .seconds(120))
    #expect(clock.now - start < .seconds(60))
  }

  @Test(arguments: [false, true]) func `an overloaded server serves some requests, and sheds the rest`(suspends: Bool)
    throws
  {
    // Each response occupies the only polling thread for 20 ms, or comes 20 ms after the previous one.
    let server = try TestServer(handler: SerialHandler(suspends: suspends)) {
      $0.threads = 1
      $0.loadSheddingThreshold = 16
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
    #expect(blockUntil(within: .seconds(240)) { clients.allSatisfy(\.isFinished) })
    let counts = statuses.withLock { $0 }
    #expect(Set(counts.keys) == [200, 503])
    #expect(counts.values.reduce(0, +) == 80 * 20)
    #expect(counts[200, default: 0] > 10)
    #expect(counts[503, default: 0] > 10)
    // The overload ends.
    #expect(blockUntil { (1...20).allSatisfy { _ in (try? server.exchange(request("GET /")).status) == 200 } })
  }

  @Test(arguments: [false, true]) func `no load of a few clients is shed`(suspends: Bool) throws {
    let server = try TestServer(handler: SerialHandler(suspends: suspends)) { $0.threads = 1 }
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
    #expect(blockUntil(within: .seconds(240)) { clients.allSatisfy(\.isFinished) })
    #expect(served.load(ordering: .relaxed) == 180)
  }

  @Test func `load is shed while too many requests are suspended, except for paths that are always served`() throws {
    let handler = DelayHandler()
    let server = try TestServer(handler: handler) {
      $0.threads = 1
      $0.loadSheddingThreshold = 4
      // A busy machine would refuse some of the requests at the gate.
      $0.alwaysServed = ["/livez", "/gate"]
    }
    // Incomplete bodies cause no load shedding.
    var trickling = try (0..<30).map { _ in try server.client() }
    for client in trickling { client.send("POST /0 HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n") }
    #expect(blockUntil { server.load.requests == 30 })
    #expect(try server.exchange(request("GET /0")).status == 200)

    // The requests at the gate outnumber those that are served within 100 ms.
    let longWaiting = try (0..<60).map { _ in try server.client() }
    for client in longWaiting { client.send(request("GET /gate")) }
    #expect(blockUntil { server.load.suspended == 60 })
    // All of these responses are late, and those of the second group come long after those of the first. On a busy
    // machine a fast response in between can end the alert, hence several rounds.
    var late: [RawClient] = []
    #expect(
      blockUntil {
        for wait in [150, 600] {
          for _ in 0..<20 {
            guard let client = try? server.client() else { continue }
            client.send(request("GET /\(wait)"))
            late.append(client)
          }
        }
        return blockUntil(within: .seconds(1)) { (try? server.exchange(request("GET /0")).status) == 503 }
      })
    #expect(try server.exchange(request("GET /livez?verbose")).status == 200)
    handler.gate.open()
    #expect(try longWaiting.map { try $0.response().status } == Array(repeating: 200, count: 60))
    for client in late { #expect(try [200, 503].contains(client.response().status)) }
    #expect(blockUntil { (try? server.exchange(request("GET /0")).status) == 200 })
    trickling = []
    #expect(blockUntil { server.load.suspended == 0 && server.load.requests == 0 })
  }

  @Test func `no request is shed that waits only for an earlier one on its connection`() throws {
    let server = try TestServer(handler: SerialHandler(suspends: false)) {
      $0.threads = 1
      $0.loadSheddingThreshold = 4
    }
    let idle = try (0..<8).map { _ in try server.client() }
    #expect(blockUntil { server.load.connections == 8 })
    let client = try server.client()
    client.send(String(repeating: request("GET /"), count: 40))
    for _ in 0..<40 { #expect(try client.response().status == 200) }
    for client in idle { #expect(client.send(request("GET /"))) }
  }

  @Test func `requests over the in-flight limit are refused`() throws {
    let gate = GatedHandler()
    let server = try TestServer(handler: gate) { $0.inFlightLimit = 2 }
    let clients = try (0..<2).map { _ in try server.client() }
    for client in clients { client.send(request("GET /admitted")) }
    gate.waitUntilStarted(2)
    for line in ["GET /", "POST /"] {
      let refused = try server.exchange(request(line, body: line == "GET /" ? "" : "a body"))
      #expect(refused.status == 503)
      #expect(refused.body == "overloaded")
    }
    gate.open()
    for client in clients { #expect(try client.response().status == 200) }
    #expect(blockUntil { (try? server.exchange(request("GET /"))).map { $0.status == 200 } ?? false })
  }
}

/// A handler that takes 20 ms for each response. It blocks the polling thread, or suspends requests and serves them one
/// by one.
private final class SerialHandler: Handler {
  private let suspends: Bool
  private let queue = DispatchQueue(label: "serial handler")

  init(suspends: Bool) { self.suspends = suspends }

  func respond(to request: Request) async -> Response {
    if suspends {
      await withCheckedContinuation { continuation in
        queue.async {
          pause(milliseconds: 20)
          continuation.resume()
        }
      }
    } else {
      pause(milliseconds: 20)
    }
    return Response(status: 200)
  }
}
