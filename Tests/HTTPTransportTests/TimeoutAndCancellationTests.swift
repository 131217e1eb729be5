import Foundation
import HTTPTransport
import Synchronization
import TestSupport
import Testing

/// The timeouts of requests. No test measures the time: the timeout under test is far below all others.
@Suite struct TimeoutTests {
  private let servers = Servers()
  private let transport = CurlTransport.make()

  /// A server that sends `beginning`, and then nothing until the client closes the connection.
  private func server(_ beginning: String? = nil) throws -> ScriptedServer {
    try servers.start { connection in
      if let beginning {
        try connection.head()
        try connection.write(beginning)
      }
      connection.waitForClose()
    }
  }

  private func timeout(_ request: HTTPRequest) async -> TransportError.Timeout? {
    let error = await failure { try await transport.send(request) }
    guard case .timedOut(let timeout, let text)? = error as? TransportError else {
      Issue.record("\(String(describing: error))")
      return nil
    }
    #expect(text.hasPrefix("http://127.0.0.1:") && text.hasSuffix("within 0.2 seconds."))
    return timeout
  }

  static let beginnings = [
    nil, "", "HTT", "HTTP/1.1 200 OK\r\nConte", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
  ]

  @Test(arguments: beginnings)
  func `an incomplete response ends at the total timeout`(_ beginning: String?) async throws {
    let server = try server(beginning)
    #expect(await timeout(.make(server, total: .milliseconds(200))) == .total)
    #expect(await eventually { server.open == 0 })
  }

  @Test(arguments: beginnings)
  func `a stalled response ends at the idle timeout`(_ beginning: String?) async throws {
    let server = try server(beginning)
    #expect(await timeout(.make(server, total: nil, idle: .milliseconds(200))) == .idle)
    #expect(await eventually { server.open == 0 })
  }

  @Test func `a slow response ends at the total timeout, not at the idle timeout`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\n\r\n")
      while true {
        try connection.write("x")
        usleep(10_000)
      }
    }
    #expect(await timeout(.make(server, total: .milliseconds(200), idle: .seconds(20))) == .total)
    #expect(await eventually { server.open == 0 })
  }

  @Test func `an upload that the server does not read ends at the idle timeout`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try servers.start { connection in
      try connection.head()
      gate.wait()
    }
    defer { gate.signal() }
    var request = HTTPRequest.make(server, method: "POST", total: nil, idle: .milliseconds(200))
    request.body = [UInt8](repeating: 1, count: 64 << 20)
    #expect(await timeout(request) == .idle)
  }

  @Test func `a slow connection ends at the connect timeout`() async throws {
    let full = try FullListener()
    let url = try #require(URL(string: "http://127.0.0.1:\(full.port)/"))
    let request = HTTPRequest("GET", url, timeouts: .init(connect: .milliseconds(200), total: .seconds(120)))
    #expect(await timeout(request) == .connect)
    withExtendedLifetime(full) {}
  }

  @Test func `the total timeout includes the time in the queue`() async throws {
    let transport = CurlTransport.make { $0.concurrency = 1 }
    let server = try server()
    let first = Task { try await transport.send(.make(server)) }
    #expect(await eventually { server.accepted == 1 })
    let error = await failure { try await transport.send(.make(server, total: .milliseconds(200))) }
    guard case .timedOut(.total, _)? = error as? TransportError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.accepted == 1)
    first.cancel()
    _ = await first.result
  }

  @Test func `a timeout of one request affects no other`() async throws {
    let slow = try server()
    let good = try servers.start { connection in
      while true {
        try connection.head()
        try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
      }
    }
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...20 {
        group.addTask { #expect(await timeout(.make(slow, total: .milliseconds(200))) == .total) }
        group.addTask { #expect((try? await transport.send(.make(good)))?.text == "ok") }
      }
    }
  }
}

/// The cancellation of requests: the task throws a `CancellationError` immediately, and the connection is closed.
@Suite struct CancellationTests {
  private let servers = Servers()
  private let transport = CurlTransport.make()

  /// Cancels a request once a condition holds, and expects its connection to close.
  private func expectCancellation(
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

  @Test func `a request that is cancelled before its start makes no connection`() async throws {
    let server = try servers.start { try $0.head() }
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transport.send(.make(server))
    }
    #expect(await failure { try await task.value } is CancellationError)
    #expect(server.accepted == 0)
  }

  @Test func `a request can be cancelled at any moment near its start`() async throws {
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

  @Test func `a request can be cancelled while it connects`() async throws {
    let full = try FullListener()
    let url = try #require(URL(string: "http://127.0.0.1:\(full.port)/"))
    for _ in 1...3 {
      await expectCancellation(HTTPRequest("GET", url, timeouts: .init(connect: .seconds(120), total: .seconds(120))))
    }
    withExtendedLifetime(full) {}
  }

  @Test func `a request can be cancelled while the server reads it`() async throws {
    let gate = DispatchSemaphore(value: 0)
    let server = try servers.start { connection in
      try connection.head()
      gate.wait()
      connection.waitForClose()
    }
    var request = HTTPRequest.make(server, method: "POST")
    request.body = [UInt8](repeating: 1, count: 64 << 20)
    await expectCancellation(request, once: { !server.heads.isEmpty })
    gate.signal()
    #expect(await eventually { server.open == 0 })
  }

  @Test(arguments: [
    "", "HTTP/1.1 200", "HTTP/1.1 200 OK\r\nX: y\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\nhalf",
  ])
  func `a request can be cancelled while its response is read`(_ beginning: String) async throws {
    let hasSent = Atomic(false)
    let server = try servers.start { connection in
      try connection.head()
      try connection.write(beginning)
      hasSent.store(true, ordering: .releasing)
      connection.waitForClose()
    }
    await expectCancellation(.make(server), server, once: { hasSent.load(ordering: .acquiring) })
  }

  @Test func `a transfer that is paused for its reader can be cancelled`() async throws {
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

  @Test func `a request can be cancelled in the queue`() async throws {
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

  @Test func `the release of a response stream cancels its transfer`() async throws {
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
