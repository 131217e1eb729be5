import Foundation
import Synchronization
import TestSupport
import Testing
import UsherClient

/// The retries of the client library.
@Suite struct RetryTests {
  private let servers = Servers()

  private static let apps = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}"

  @Test func `a request without a response is repeated unchanged`() async throws {
    let server = try servers.start { connection in
      let head = try connection.head()
      _ = try connection.read(Int(head.split(separator: "Content-Length: ")[1].prefix { $0.isNumber })!)
      try connection.write("HTTP/1.1 404 None\r\nContent-Len")
    }
    let error = await failure { try await UsherService(server.url, token: "secret", retries: 2).start("pages") }
    guard case .unreachable? = error as? UsherError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(server.heads.count == 3 && Set(server.heads).count == 1)
    #expect(server.heads[0].contains("Idempotency-Key: ") && server.heads[0].contains("Authorization: Bearer secret"))
  }

  @Test func `a request to an overloaded service is repeated`() async throws {
    let isBusy = Mutex(true)
    // All tests share the transport, which may close the first connection in favour of another one.
    let server = try servers.start { connection in
      while true {
        try connection.head()
        let isFirst = isBusy.withLock { isBusy in
          defer { isBusy = false }
          return isBusy
        }
        try connection.write(isFirst ? "HTTP/1.1 503 Busy\r\nRetry-After: 0\r\nContent-Length: 0\r\n\r\n" : Self.apps)
      }
    }
    #expect(try await UsherService(server.url, retries: 1).apps().isEmpty)
    #expect(server.heads.count == 2)
  }

  @Test(arguments: ["ftp://127.0.0.1", "http://user:word@127.0.0.1"])
  func `a request to an invalid URL is not repeated`(_ address: String) async throws {
    let service = UsherService(try #require(URL(string: address)), retries: 1000)
    guard case .unreachable(let text)? = await failure({ try await service.apps() }) as? UsherError else {
      Issue.record("The request succeeded.")
      return
    }
    #expect(!text.contains("word@"))
  }

  @Test(arguments: [
    "//127.0.0.1/v1/sessions/s", "http://127.0.0.1/", "v1/sessions/s", "", "/\\127.0.0.1/", "@127.0.0.1/",
  ])
  func `the address of a session cannot lead to another server`(_ path: String) async throws {
    let other = try servers.start { try $0.head() }
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 404 None\r\nContent-Length: 0\r\n\r\n")
    }
    let path = path.replacing("127.0.0.1", with: "127.0.0.1:\(other.port)")
    #expect(
      await failure { try await UsherService(server.url, token: "secret", retries: 0).resume(path) } is UsherError)
    #expect(other.accepted == 0)
  }

  @Test func `a cancelled request is not repeated`() async throws {
    let server = try servers.start { connection in
      try connection.head()
      connection.waitForClose()
    }
    let task = Task { try await UsherService(server.url).apps() }
    #expect(await eventually { server.heads.count == 1 })
    task.cancel()
    #expect(await failure { try await task.value } is CancellationError)
    #expect(await eventually { server.open == 0 })
    #expect(server.accepted == 1)
  }
}

/// Redirects by the service or a proxy.
@Suite struct RedirectTests {
  private let servers = Servers()

  @Test(arguments: [301, 302, 303, 307, 308])
  func `redirects are not followed, so that the token stays with the service`(_ status: Int) async throws {
    let other = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}")
    }
    let location = "http://localhost:\(other.port)/v1/apps"
    let server = try servers.start { connection in
      try connection.head()
      try connection.write("HTTP/1.1 \(status) Elsewhere\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
    }
    let client = UsherService(server.url, token: "secret", retries: 0)
    await #expect { _ = try await client.apps() } throws: { error in
      (error as? UsherError).map { "\($0)".contains(location) } ?? false
    }
    #expect(other.accepted == 0)
    #expect(server.heads.count == 1 && server.heads[0].contains("Authorization: Bearer secret"))
  }
}
