import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

/// The lifetime and the number of connections, and the lifetime of the thread.
@Suite struct ConnectionTests {
  private let servers = Servers()

  /// Answers every request of a connection.
  private static func answers(_ connection: ScriptedConnection) throws {
    while true {
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
    }
  }

  @Test func `a connection is reused`() async throws {
    let transport = CurlTransport.make()
    let server = try servers.start(Self.answers)
    for _ in 1...20 { #expect(try await transport.send(.make(server)).text == "ok") }
    #expect(server.accepted == 1)
  }

  @Test func `the concurrency limits the connections, and every request completes`() async throws {
    let transport = CurlTransport.make { $0.concurrency = 8 }
    let server = try servers.start(Self.answers)
    try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 1...500 { group.addTask { try await transport.send(.make(server)).text } }
      for try await text in group { #expect(text == "ok") }
    }
    #expect(server.heads.count == 500)
    #expect(server.maximumOpen <= 8)
  }

  @Test func `a request beyond the queue limit fails immediately`() async throws {
    let transport = CurlTransport.make {
      $0.concurrency = 1
      $0.queueLimit = 1
    }
    let gate = DispatchSemaphore(value: 0)
    let server = try servers.start { connection in
      gate.wait()
      try Self.answers(connection)
    }
    let first = Task { try await transport.send(.make(server)) }
    #expect(await eventually { server.accepted == 1 })
    // The queue has room for one of the two.
    let others = [1, 2].map { _ in Task { try await transport.send(.make(server)) } }
    let refused = await withTaskGroup(of: (any Error)?.self) { group in
      for other in others { group.addTask { await failure { try await other.value } } }
      let error = await group.next()!
      gate.signal()
      #expect(await group.next()! == nil)
      return error
    }
    #expect(refused as? TransportError == .overloaded(limit: 1))
    #expect(try await first.value.text == "ok")
  }

  /// A server that closes its first connection when the second request arrives.
  private func closingServer() throws -> ScriptedServer {
    let isFirst = Atomic(true)
    return try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      guard isFirst.exchange(false, ordering: .relaxed) else { return try Self.answers(connection) }
      try connection.head()
    }
  }

  @Test func `an idempotent request is repeated after its reused connection closes`() async throws {
    let transport = CurlTransport.make()
    let server = try closingServer()
    for _ in 1...2 { #expect(try await transport.send(.make(server)).text == "ok") }
    #expect(server.accepted == 2 && server.heads.count == 3)
  }

  @Test func `any other request never arrives twice`() async throws {
    let transport = CurlTransport.make()
    let server = try closingServer()
    #expect(try await transport.send(.make(server)).text == "ok")
    // The request has a new connection, which the server does not close.
    #expect(try await transport.send(.make(server, method: "POST")).text == "ok")
    #expect(server.accepted == 2 && server.heads.count == 2)
    var keyed = HTTPRequest.make(server, method: "POST")
    keyed.isIdempotent = true
    #expect(try await transport.send(keyed).text == "ok")
  }

  @Test func `waiting takes no processor time`() async throws {
    let transport = CurlTransport.make { $0.threadName = "usher.cpu" }
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n\r\n")
      connection.waitForClose()
    }
    let silent = try servers.start { $0.waitForClose() }
    let waiting = Task { try await transport.send(.make(silent, total: nil)) }
    let stream = try await transport.open(.make(server, total: nil))
    #expect(await eventually { silent.accepted == 1 })
    #expect(await eventually { Threads.count(named: "usher.cpu") == 1 })
    let thread = try #require(Threads.folders(named: "usher.cpu").first)
    let before = try Threads.ticks(thread)
    try await Task.sleep(for: .seconds(2))
    // A fully used core takes 200 ticks in two seconds.
    #expect(try Threads.ticks(thread) - before <= 5)
    waiting.cancel()
    withExtendedLifetime(stream) {}
  }

  @Test func `a paused transfer takes no processor time`() async throws {
    let transport = CurlTransport.make { $0.threadName = "usher.paused" }
    let isFull = Atomic(false)
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n\r\n")
      _ = connection.writeUntilFull(atMost: 64 << 20)
      isFull.store(true, ordering: .releasing)
      connection.waitForClose()
    }
    let stream = try await transport.open(.make(server, total: nil))
    #expect(await eventually { isFull.load(ordering: .acquiring) })
    #expect(await eventually { Threads.count(named: "usher.paused") == 1 })
    let thread = try #require(Threads.folders(named: "usher.paused").first)
    let before = try Threads.ticks(thread)
    try await Task.sleep(for: .seconds(1))
    #expect(try Threads.ticks(thread) - before <= 5)
    withExtendedLifetime(stream) {}
  }

  @Test func `the thread and the connections end after a while without requests, and restart`() async throws {
    let transport = CurlTransport.make {
      $0.threadName = "usher.linger"
      $0.lingering = .milliseconds(50)
    }
    let server = try servers.start(Self.answers)
    for round in 1...3 {
      #expect(try await transport.send(.make(server)).text == "ok")
      #expect(server.accepted == round)
      #expect(await eventually { Threads.count(named: "usher.linger") == 0 && server.open == 0 })
    }
  }

  @Test func `requests succeed while the thread ends`() async throws {
    let transport = CurlTransport.make { $0.lingering = .microseconds(1) }
    let server = try servers.start(Self.answers)
    for _ in 1...300 { #expect(try await transport.send(.make(server)).text == "ok") }
  }

  @Test func `a released transport completes its requests and ends its thread`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try servers.start { connection in
      try connection.head()
      gate.wait()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      connection.waitForClose()
    }
    var transport: CurlTransport? = CurlTransport.make { $0.threadName = "usher.released" }
    let stream = Task { [transport] in try await transport!.send(.make(server)) }
    #expect(await eventually { server.heads.count == 1 })
    transport = nil
    gate.signal()
    #expect(try await stream.value.text == "ok")
    #expect(await eventually { Threads.count(named: "usher.released") == 0 && server.open == 0 })
  }

  @Test func `no descriptor leaks, however requests end`() async throws {
    func descriptors() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
    let silent = try servers.start { $0.waitForClose() }
    let good = try servers.start(Self.answers)
    let closing = try servers.start { try $0.head() }
    let before = descriptors()
    for _ in 1...100 {
      let transport = CurlTransport.make { $0.threadName = "usher.leak" }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await transport.send(.make(silent, total: .milliseconds(5))) }
        group.addTask { _ = try? await transport.send(.make(good)) }
        group.addTask { _ = try? await transport.send(.make(closing)) }
        let cancelled = Task { try await transport.send(.make(silent)) }
        cancelled.cancel()
        _ = await cancelled.result
      }
    }
    #expect(await eventually { Threads.count(named: "usher.leak") == 0 })
    #expect(await eventually { silent.open + good.open + closing.open == 0 })
    // A leak would lose at least two descriptors a round. Concurrent tests use up to 150.
    #expect(await eventually { descriptors() < before + 150 })
  }
}
