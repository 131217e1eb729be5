import Foundation
import Synchronization
import Testing
import UsherClient

/// When the client library sends a request again.
@Suite struct RetryTests {
  private let servers = Servers()

  private static let apps = "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n{\"apps\":[]}"

  @Test func `a request without a response is sent again, and is the same request`() async throws {
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

  @Test func `a service that is busy is asked again`() async throws {
    let isBusy = Mutex(true)
    // The transport, which all tests share, may close the first connection to make room for another one.
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
  func `an address that cannot be requested is not tried again`(_ address: String) async throws {
    let service = UsherService(try #require(URL(string: address)), retries: 1000)
    guard case .unreachable(let text)? = await failure({ try await service.apps() }) as? UsherError else {
      Issue.record("It was taken.")
      return
    }
    #expect(!text.contains("word@"))
  }

  @Test(arguments: [
    "//127.0.0.1/v1/sessions/s", "http://127.0.0.1/", "v1/sessions/s", "", "/\\127.0.0.1/", "@127.0.0.1/",
  ])
  func `an address of a session names no other place`(_ path: String) async throws {
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

  @Test func `a request that is cancelled is not sent again`() async throws {
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
