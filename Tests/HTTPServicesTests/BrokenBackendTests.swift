import Foundation
import HTTPServices
import Navigation
import Observability
import Synchronization
import TestSupport
import Testing
import Values

/// Backends that break the protocol, are out of reach, or do not answer.
@Suite(.limitedConcurrency) struct BrokenBackendTests {
  private let servers = Servers()

  /// Returns the failure of the transport of a request to this address.
  private func transportFailure(_ address: String) async throws -> EffectFailure {
    let host = try TestHost(address) { $0.connectTimeout = .seconds(2) }
    let error = await failure { try await host.shop().post("/", ["a": 1]) as Value }
    let retry = try #require(error as? Retry)
    #expect(retry.failure.reason == .transport && retry.pause == nil)
    #expect(host.count("transport") == 1 && host.endpoint.count == 0)
    return retry.failure
  }

  @Test(arguments: [
    "", "garbage\r\n\r\n", "\u{0}\u{1}\u{2}", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n{}",
    "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.9 200 OK\r\n\r\n",
    "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 200_000) + "\r\n\r\n{}",
  ])
  func `another attempt may succeed after a response that is not HTTP`(_ response: String) async throws {
    let server = try servers.start { connection in
      try connection.head()
      _ = try connection.read(7)
      try connection.write(response)
    }
    #expect(try await transportFailure(server.address).mayHaveHappened)
  }

  @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{"])
  func `another attempt may succeed after a reset`(_ response: String) async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write(response)
      connection.reset()
    }
    #expect(try await transportFailure(server.address).mayHaveHappened)
  }

  @Test func `a refused connection, an unknown host and a failure of TLS prove that nothing happened`() async throws {
    let closed = try Loopback.listen()
    let port = Loopback.port(of: closed)
    close(closed)
    #expect(try await !transportFailure("http://127.0.0.1:\(port)").mayHaveHappened)
    #expect(try await !transportFailure("http://service.invalid").mayHaveHappened)
    let plain = try servers.start { connection in
      _ = try connection.read(5)
      try connection.write("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    #expect(try await !transportFailure("https://127.0.0.1:\(plain.port)").mayHaveHappened)
    #expect(plain.accepted >= 1)
    let full = try FullListener()
    #expect(try await !transportFailure("http://127.0.0.1:\(full.port)").mayHaveHappened)
  }

  @Test func `a request that a reused connection loses may have happened`() async throws {
    let stopped = Mutex<ScriptedServer?>(nil)
    let port = Atomic<UInt16>(0)
    let server = try ScriptedServer { connection in
      try connection.answer(200)
      try connection.head()
      stopped.withLock { $0 = nil }
      // Until the port is closed.
      while true {
        let probe = Loopback.connect(to: port.load(ordering: .relaxed))
        defer { close(probe) }
        var state = pollfd(fd: probe, events: Int16(POLLOUT), revents: 0)
        poll(&state, 1, 1000)
        if state.revents & Int16(POLLERR | POLLHUP) != 0 { break }
      }
    }
    let host = try TestHost(server.address)
    port.store(server.port, ordering: .relaxed)
    stopped.withLock { $0 = server }
    _ = consume server
    try await host.shop().get("/")
    let error = await failure { try await host.shop().get("/") } as? Retry
    #expect(error?.failure.reason == .transport && error?.failure.mayHaveHappened == true)
  }

  @Test func `a cancellation ends transfers and leaves the queue`() async throws {
    let server = try servers.start { connection in
      if try connection.head().hasPrefix("GET /silent") {
        connection.waitForClose()
      } else {
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
      }
    }
    let host = try TestHost(server.address)
    func start(_ count: Int) -> [Task<Void, any Error>] {
      (1...count).map { _ in Task { try await host.shop().get("/silent") } }
    }
    func cancel(_ tasks: [Task<Void, any Error>]) async {
      tasks.forEach { $0.cancel() }
      for task in tasks { #expect(await failure { try await task.value } is CancellationError) }
    }
    let sent = start(16)
    #expect(await eventually { server.heads.count == 16 })
    let queued = start(34)
    #expect(await eventually { host.endpoint.count == 50 })
    #expect(host.metrics.text().contains("usher_service_requests_in_flight{service=\"shop\"} 50\n"))
    await cancel(queued)
    #expect(host.endpoint.count == 16 && server.accepted == 16)
    await cancel(sent)
    #expect(host.endpoint.count == 0 && host.count("cancelled") == 50)
    #expect(await eventually { server.open == 0 })
    #expect(server.accepted == 16)
    try await host.shop().get("/")
    #expect(host.metrics.text().contains("usher_service_duration_seconds_count{service=\"shop\"} 51\n"))
  }

  @Test func `the concurrency of a service is limited, and every request completes`() async throws {
    let isFull = Atomic(false)
    let server = try servers.start { connection in
      while true {
        try connection.head()
        // The first responses wait until the connections are as many as they may be.
        while !isFull.load(ordering: .acquiring) { usleep(1000) }
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
      }
    }
    let host = try TestHost(server.address)
    try await withThrowingTaskGroup { group in
      for _ in 1...200 { group.addTask { try await host.shop().get("/") } }
      #expect(await eventually { server.open == 16 && host.endpoint.count == 200 })
      isFull.store(true, ordering: .releasing)
      try await group.waitForAll()
    }
    #expect(server.maximumOpen == 16 && server.heads.count == 200)
    #expect(host.count("done") == 200 && host.endpoint.count == 0)
  }
}
