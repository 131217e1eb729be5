import Foundation
import Testing
import UsherClient

/// The client library where the service, or something before it, names another address.
@Suite struct RedirectTests {
  private let servers = Servers()
  @Test(arguments: [301, 302, 303, 307, 308])
  func `no redirect is followed, and the token stays with the service`(_ status: Int) async throws {
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
