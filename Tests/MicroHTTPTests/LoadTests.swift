import Foundation
import MicroHTTP
import Synchronization
import Testing

@Suite(.blocking) struct `Many clients` {
  @Test(arguments: [false, true]) func `a thousand requests from 32 connections are all answered`(waits: Bool) throws {
    let server = try TestServer(waits: waits)
    let answered = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 32) { client in
      guard let connection = try? server.client() else { return }
      for number in 0..<32 {
        connection.send(request("POST /\(client)/\(number)", "X-Tag: t\(client)", body: "b\(number)"))
        guard let response = try? connection.response() else { return }
        if response.body == "POST /\(client)/\(number) t\(client) b\(number)" { answered.withLock { $0 += 1 } }
      }
    }
    #expect(answered.withLock { $0 } == 1024)
    #expect(server.log == [])
  }

  @Test func `connections that come and go leave nothing behind`() throws {
    let server = try TestServer { $0.threads = 1 }
    let before = try openDescriptors
    for number in 0..<500 { #expect(try server.exchange(request("GET /\(number)")).status == 200) }
    // Other tests have sockets of their own at the same time.
    #expect(try openDescriptors < before + 300)
  }

  private var openDescriptors: Int {
    get throws { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
  }
}
