import Foundation
import Synchronization
import Testing

@testable import UsherClient

/// The client library's events, from a service that misbehaves.
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

  /// A service that has one session, and answers a request for events as the test says; `count` counts those requests.
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

  @Test func `a stream that is lost goes on after the last event`() async throws {
    let server = try service { connection, head, count in
      #expect(count == 1 || head.contains("Last-Event-ID: \(count)"))
      try connection.write(Self.head)
      try connection.write("event: view\nid: \(count + 1)\ndata: \(Self.view(count + 1))\n\n")
      // Half of an event, which comes again.
      try connection.write(count < 3 ? "event: view\ndata: {" : "event: end\ndata: {}\n\n")
      throw ScriptedConnection.Closed()
    }
    #expect(try await revisions(server) == [2, 3, 4])
  }

  @Test func `a stream that ends before its head is asked for again`() async throws {
    let server = try service { connection, _, count in
      if count == 1 { throw ScriptedConnection.Closed() }
      try connection.write(count == 2 ? "HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n" : "HTTP/1.1 204 Over\r\n\r\n")
    }
    #expect(try await revisions(server).isEmpty)
  }

  @Test func `a redirect of the events is not followed`() async throws {
    let other = try servers.start { try $0.head() }
    let location = "http://localhost:\(other.port)/events"
    let server = try service { connection, _, _ in
      try connection.write("HTTP/1.1 307 Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }
    let error = await failure { try await revisions(server) } as? UsherError
    #expect(error?.description.contains(location) == true)
    #expect(other.accepted == 0)
  }

  @Test func `another kind of answer is no event stream`() async throws {
    let server = try service { connection, _, _ in
      try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nok")
    }
    guard case .unreadable? = await failure({ try await revisions(server) }) as? UsherError else {
      Issue.record("It was taken.")
      return
    }
  }

  @Test func `a follower that leaves closes a stream that stalls`() async throws {
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
