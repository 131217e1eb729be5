import Foundation
import Synchronization
import TestSupport
import Testing

@testable import UsherClient

/// The event stream of a session, from a service that misbehaves.
@Suite struct EventStreamTests {
  private let servers = Servers()

  private static func view(_ revision: Int) -> String {
    """
    {"session":{"id":"s","app":"pages","revision":\(revision),"status":"active","access":"act","createdAt":"","expiresAt":"",\
    "result":null},"screen":{"id":1,"name":"first","title":"First","data":null,"content":[]},"actions":[],"prompt":null,\
    "navigation":{"path":[],"stack":[],"modals":0,"tabs":null,"back":null,"dismiss":null},\
    "links":{"self":"/v1/sessions/s","tree":"","history":"","events":"/v1/sessions/s/events","handOver":null}}
    """
  }

  /// A service with one session. The test answers the requests for events, which `count` counts.
  private func service(
    _ events: @escaping @Sendable (ScriptedConnection, _ head: String, _ count: Int) throws -> Void
  ) throws -> ScriptedServer {
    let count = Atomic(0)
    return try servers.start { connection in
      while true {
        let head = try connection.head()
        if head.hasPrefix("GET /v1/sessions/s/events ") {
          try events(connection, head, count.add(1, ordering: .relaxed).newValue)
        } else {
          let body = Self.view(1)
          try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }
      }
    }
  }

  private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

  private func revisions(_ server: ScriptedServer) async throws -> [Int64] {
    let session = try await UsherService(server.url, token: "secret", retries: 0).resume("/v1/sessions/s")
    var revisions: [Int64] = []
    for try await view in session.follow() { revisions.append(view.session.revision) }
    return revisions
  }

  @Test func `a lost stream resumes after the last event`() async throws {
    let server = try service { connection, head, count in
      #expect(count == 1 || head.contains("Last-Event-ID: \(count)"))
      try connection.write(Self.head)
      try connection.write("event: view\nid: \(count + 1)\ndata: \(Self.view(count + 1))\n\n")
      // Half of an event, which the next stream repeats.
      try connection.write(count < 3 ? "event: view\ndata: {" : "event: end\ndata: {}\n\n")
      throw ScriptedConnection.Closed()
    }
    #expect(try await revisions(server) == [2, 3, 4])
  }

  @Test func `a stream that ends before its head is requested again`() async throws {
    let server = try service { connection, _, count in
      if count == 1 { throw ScriptedConnection.Closed() }
      try connection.write(count == 2 ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : "HTTP/1.1 204 Over\r\n\r\n")
    }
    #expect(try await revisions(server).isEmpty)
  }

  @Test func `a redirect of the event stream is not followed`() async throws {
    let other = try servers.start { try $0.head() }
    let location = "http://localhost:\(other.port)/events"
    let server = try service { connection, _, _ in
      try connection.write("HTTP/1.1 307 Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }
    let error = await failure { try await revisions(server) } as? UsherError
    #expect(error?.description.contains(location) == true)
    #expect(other.accepted == 0)
  }

  @Test func `a response of another type is an error`() async throws {
    let server = try service { connection, _, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok")
    }
    guard case .unreadable? = await failure({ try await revisions(server) }) as? UsherError else {
      Issue.record("The stream was accepted.")
      return
    }
  }

  @Test func `a cancelled subscriber closes a stalled stream`() async throws {
    let isOpen = Atomic(false)
    let server = try service { connection, _, _ in
      try connection.write(Self.head)
      try connection.write(": nothing\n\n")
      isOpen.store(true, ordering: .releasing)
      connection.waitForClose()
      isOpen.store(false, ordering: .releasing)
      throw ScriptedConnection.Closed()
    }
    let following = Task { try await revisions(server) }
    #expect(await eventually { isOpen.load(ordering: .acquiring) })
    following.cancel()
    #expect(try await following.value.isEmpty)
    #expect(await eventually { !isOpen.load(ordering: .acquiring) })
  }
}

/// The parser of event streams.
@Suite struct EventParserTests {
  static let stream =
    ": comment\n\nevent: view\nid: 7\ndata: {\"a\":1}\n\nevent:view\r\ndata:one\r\ndata\r\ndata: two\r\n\r\n"
    + "event: none\n\nretry: 5\ndata:  é\n\n"
  static let events = [
    EventParser.Event(name: "view", data: "{\"a\":1}"), EventParser.Event(name: "view", data: "one\n\ntwo"),
    EventParser.Event(name: "", data: " é"),
  ]

  @Test func `events are the same in chunks of any size`() throws {
    let bytes = Array(Self.stream.utf8)
    for size in 1...bytes.count {
      var parser = EventParser()
      var events: [EventParser.Event] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        events += try parser.events(in: Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(events == Self.events, "in chunks of \(size)")
    }
  }

  @Test func `an event without its end is not delivered`() throws {
    var parser = EventParser()
    #expect(try parser.events(in: Array("data: x\n".utf8)).isEmpty)
    #expect(try parser.events(in: Array("\n".utf8)) == [EventParser.Event(name: "", data: "x")])
    #expect(try parser.events(in: []).isEmpty)
  }

  @Test(arguments: ["x", "data: x\n"])
  func `an endless event is rejected`(_ chunk: String) {
    var parser = EventParser(limit: 1000)
    #expect(throws: UsherError.self) { for _ in 1...1001 { _ = try parser.events(in: Array(chunk.utf8)) } }
    var small = EventParser(limit: 1000)
    #expect(throws: Never.self) { for _ in 1...1001 { _ = try small.events(in: Array("\(chunk)\n\n".utf8)) } }
  }
}
