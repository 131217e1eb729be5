import Foundation
import HTTPTransport
import Synchronization
import Testing

/// The cancellation of requests: the task throws a `CancellationError` immediately, and the connection is closed.
@Suite struct CancellationTests {
  private let servers = Servers()
  private let transport = CurlTransport.make()

  /// Cancels a request once a condition holds, and expects its connection to close.
  private func cancels(
    _ request: HTTPRequest, _ server: ScriptedServer? = nil, once condition: () async -> Bool = { true },
    _ location: SourceLocation = #_sourceLocation
  ) async {
    let task = Task { try await transport.send(request) }
    #expect(await eventually(condition), sourceLocation: location)
    task.cancel()
    let error = await failure { try await task.value }
    #expect(error is CancellationError, "\(String(describing: error))", sourceLocation: location)
    if let server { #expect(await eventually { server.open == 0 }, sourceLocation: location) }
  }

  @Test func `before the request`() async throws {
    let server = try servers.start { try $0.head() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(.make(server))
    }
    #expect(await failure { try await task.value } is CancellationError)
    #expect(server.accepted == 0)
  }

  @Test func `at any moment near the start`() async throws {
    let server = try servers.start { connection in
      while true {
        try connection.head()
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      }
    }
    var completed = 0
    for _ in 1...300 {
      let task = Task { try await transport.send(.make(server)) }
      task.cancel()
      switch await task.result {
      case .success: completed += 1
      case .failure(let error): #expect(error is CancellationError, "\(error)")
      }
    }
    #expect(try await transport.send(.make(server)).text == "ok")
    #expect(completed <= 300)
    #expect(await eventually { server.open <= 1 })
  }

  @Test func `while the connection is made`() async throws {
    let full = try FullListener()
    let url = try #require(URL(string: "http://127.0.0.1:\(full.port)/"))
    for _ in 1...3 {
      await cancels(HTTPRequest("GET", url, timeouts: .init(connect: .seconds(120), total: .seconds(120))))
    }
    withExtendedLifetime(full) {}
  }

  @Test func `while the server reads the request`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try servers.start { connection in
      try connection.head()
      gate.wait()
      connection.waitForClose()
    }
    var request = HTTPRequest.make(server, method: "POST")
    request.body = [UInt8](repeating: 1, count: 64 << 20)
    await cancels(request, once: { !server.heads.isEmpty })
    gate.signal()
    #expect(await eventually { server.open == 0 })
  }

  @Test(arguments: [
    "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nX: y\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nhalf",
  ])
  func `while the response is read`(_ beginning: String) async throws {
    let hasSent = Atomic(false)
    let server = try servers.start { connection in
      try connection.head()
      try connection.write(beginning)
      hasSent.store(true, ordering: .releasing)
      connection.waitForClose()
    }
    await cancels(.make(server), server, once: { hasSent.load(ordering: .acquiring) })
  }

  @Test func `while the transfer is paused for its reader`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n\r\n")
      _ = connection.writeUntilFull(atMost: 64 << 20)
      connection.waitForClose()
    }
    let (hasHead, announce) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      let stream = try await transport.open(.make(server))
      announce.yield()
      try await Task.sleep(for: .seconds(120))
      return stream.head.status
    }
    for await _ in hasHead { break }
    task.cancel()
    #expect(await failure { try await task.value } is CancellationError)
    #expect(await eventually { server.open == 0 })
  }

  @Test func `while the request is in the queue`() async throws {
    let transport = CurlTransport.make { $0.concurrency = 1 }
    let server = try servers.start { $0.waitForClose() }
    let first = Task { try await transport.send(.make(server)) }
    #expect(await eventually { server.accepted == 1 })
    let second = Task { try await transport.send(.make(server)) }
    try await Task.sleep(for: .milliseconds(20))
    second.cancel()
    #expect(await failure { try await second.value } is CancellationError)
    first.cancel()
    #expect(await failure { try await first.value } is CancellationError)
    #expect(server.accepted == 1)
  }

  @Test func `by releasing the response stream`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n\r\nhello")
      connection.waitForClose()
    }
    do {
      let stream = try await transport.open(.make(server))
      for try await bytes in stream {
        #expect(!bytes.isEmpty)
        break
      }
      #expect(server.open == 1)
      withExtendedLifetime(stream) {}
    }
    #expect(await eventually { server.open == 0 })
  }
}
