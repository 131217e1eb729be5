import Foundation
import HTTPServices
import Navigation
import Observability
import TestSupport
import Testing

/// The headers of an HTTP service whose values are in files.
@Suite(.limitedConcurrency) final class ServiceCredentialTests {
  private let servers = Servers()
  private let folder = FileManager.default.temporaryDirectory.appending(path: "usher-credentials-\(UUID())")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a file, and returns its path.
  @discardableResult private func file(_ name: String, _ content: String) throws -> String {
    let url = folder.appending(path: name)
    try content.write(to: url, atomically: true, encoding: .utf8)
    return url.path
  }

  /// Returns the faults of the service `shop` with these headers.
  private func faults(_ files: [HTTPServiceSettings.HeaderFile], tokenFile: String? = nil) throws -> [String] {
    do {
      _ = try TestHost("http://127.0.0.1", tokenFile: tokenFile) { $0.headerFiles = files }
      return []
    } catch let error as HTTPServiceFaults {
      return error.sentences
    }
  }

  @Test func `each header has the value of its file at the time of the request`() async throws {
    let key = try file("key", "first key\n")
    let basic = try file("basic", " Basic dXNlcjp3b3Jk\r\n")
    let server = try servers.start { connection in while true { try connection.answer(200) } }
    let host = try TestHost(server.address) {
      $0.headerFiles = [.init("shop", "X-Api-Key", key), .init("shop", "authorization", basic)]
    }
    func lines() async throws -> [String] {
      try await host.shop().get("/")
      return server.heads.last!.components(separatedBy: "\r\n")
    }
    let first = try await lines()
    // With the line of the request, Host, Accept, User-Agent, Idempotency-Key and traceparent.
    #expect(first.count == 8)
    #expect(first.contains("X-Api-Key: first key") && first.contains("authorization: Basic dXNlcjp3b3Jk"))
    try file("key", "second-key")
    #expect(try await lines().contains("X-Api-Key: second-key"))
    for invalid in ["", "5ecret\r\nHost: evil", "5ecret\u{0}", "5ecrét", String(repeating: "5ecret", count: 2000)] {
      try file("key", invalid)
      for _ in 1...2 { #expect(try await lines().contains("X-Api-Key: second-key")) }
    }
    try FileManager.default.removeItem(atPath: key)
    let last = try await lines()
    #expect(last.contains("X-Api-Key: second-key") && last.contains("authorization: Basic dXNlcjp3b3Jk"))
    // One message a fault: an empty file, an invalid character, a long value, a missing file.
    let messages = host.messages.all
    #expect(messages.count == 4)
    for message in messages {
      #expect(message.hasPrefix("The file \(key) for the header X-Api-Key of the HTTP service shop "))
      #expect(message.hasSuffix(" The previous value stays in effect.") && !message.contains("5ecr"))
    }
  }

  @Test func `a token and other headers are sent together`() async throws {
    let token = try file("token", "token")
    let key = try file("key", "key")
    let server = try servers.start { try $0.answer(200) }
    let host = try TestHost(server.address, tokenFile: token) {
      $0.headerFiles = [.init("shop", "X-Api-Key", key), .init("shop", "!#$%&'*+-.^_`|~1", key)]
    }
    try await host.shop().get("/")
    let lines = server.heads[0].components(separatedBy: "\r\n")
    #expect(lines.count == 9)
    #expect(Set(lines).isSuperset(of: ["Authorization: Bearer token", "X-Api-Key: key", "!#$%&'*+-.^_`|~1: key"]))
  }

  @Test func `services have headers of their own`() async throws {
    let first = try file("first", "first")
    let second = try file("second", "second")
    let shop = try servers.start { try $0.answer(200) }
    let bank = try servers.start { try $0.answer(200) }
    let host = try TestHost(shop.address, tokenFile: first) {
      $0.addresses.append(.init("bank", bank.address))
      $0.headerFiles = [
        .init("shop", "X-Api-Key", first), .init("bank", "X-Api-Key", second), .init("bank", "Authorization", second),
      ]
    }
    try await host.shop().get("/")
    let endpoint = try #require(host.directory.endpoints["bank"])
    try await HTTPService(endpoint, idempotencyKey: "key", minimumPause: .milliseconds(1)).get("/")
    #expect(shop.heads[0].contains("\r\nX-Api-Key: first") && shop.heads[0].contains("\r\nAuthorization: Bearer first"))
    #expect(bank.heads[0].contains("\r\nX-Api-Key: second") && bank.heads[0].contains("\r\nAuthorization: second"))
    #expect(!bank.heads[0].contains("first") && !shop.heads[0].contains("second"))
  }

  @Test(arguments: [301, 302, 303, 307, 308, 400, 401, 500])
  func `no other host receives a header, and no failure contains one`(_ status: Int) async throws {
    let key = try file("key", "5ecret")
    let other = try servers.start { try $0.answer(200) }
    let location = "Location: \(other.address)/\r\n"
    let server = try servers.start { try $0.answer(status, headers: location) }
    let host = try TestHost(server.address) {
      $0.headerFiles = [.init("shop", "X-Api-Key", key), .init("shop", "Authorization", key)]
    }
    let error = try #require(await failure { try await host.shop().get("/") })
    #expect(server.heads[0].contains("\r\nX-Api-Key: 5ecret") && server.heads[0].contains("\r\nAuthorization: 5ecret"))
    #expect(other.accepted == 0)
    #expect(!"\(error)".contains("5ecret") && !host.metrics.text().contains("5ecret") && host.messages.all.isEmpty)
  }

  @Test(arguments: [
    "5ecret\nX-Other: 5ecret", "5ecret\r\n\r\n5ecret", "5ecret\rx", "5ecret\tx", "5ecret\u{0}", "5ecret\u{7F}",
    "5ecrét", "\u{FEFF}5ecret", "5ecret\u{2028}x", "5ecret\u{85}x",
  ])
  func `a value with a line break, a control character or a letter beyond ASCII is a fault`(_ value: String) throws {
    let key = try file("key", value)
    #expect(
      try faults([.init("shop", "X-Api-Key", key)]) == [
        "The file \(key) for the header X-Api-Key of the HTTP service shop must be one line of printable ASCII "
          + "characters."
      ])
  }

  @Test(arguments: ["", "\n", " \t\r\n"]) func `a value must not be empty`(_ value: String) throws {
    let key = try file("key", value)
    #expect(
      try faults([.init("shop", "X-Api-Key", key)], tokenFile: key) == [
        "The token file \(key) of the HTTP service shop is empty.",
        "The file \(key) for the header X-Api-Key of the HTTP service shop is empty.",
      ])
  }

  @Test func `a value has at most 8 KiB`() async throws {
    let value = String(repeating: "x", count: 8192)
    let key = try file("key", value + "\n")
    let server = try servers.start { try $0.answer(200) }
    let host = try TestHost(server.address) { $0.headerFiles = [.init("shop", "X-Api-Key", key)] }
    try await host.shop().get("/")
    #expect(server.heads[0].components(separatedBy: "\r\n").contains("X-Api-Key: \(value)"))
    try file("key", value + "x")
    #expect(
      try faults([.init("shop", "X-Api-Key", key)], tokenFile: key) == [
        "The token file \(key) of the HTTP service shop has more than 8192 bytes.",
        "The file \(key) for the header X-Api-Key of the HTTP service shop has more than 8192 bytes.",
      ])
  }

  @Test(arguments: [
    "", "X Key", " X-Key", "X-Key ", "X-Key:", ":authority", "X-Kéy", "X-Key\r\nHost", "X\u{0}", "(x)", "a/b", "a@b",
  ])
  func `a header must have a valid name`(_ header: String) throws {
    let key = try file("key", "5ecret")
    #expect(
      try faults([.init("shop", "X-Api-Key", key), .init("shop", header, key)])
        == ["service-header-file: the header of entry 2 is not valid. Use letters, digits and hyphens."])
  }

  @Test func `a header of every request or of the transport is a fault`() async throws {
    let key = try file("key", "key")
    let server = try servers.start { connection in
      try connection.head()
      // The body: {}.
      _ = try connection.read(2)
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
    }
    let host = try TestHost(server.address)
    let trace = "0af7651916cd43dd8448eb211c80319c-00 vendor=01"
    let shop = HTTPService(host.endpoint, idempotencyKey: "key", trace: trace, minimumPause: .milliseconds(1))
    try await shop.post("/", [String: Int]())
    let sent = server.heads[0].components(separatedBy: "\r\n").dropFirst().map { String($0.prefix { $0 != ":" }) }
    #expect(Set(sent).isSuperset(of: ["Host", "Idempotency-Key", "Content-Length", "Content-Type", "tracestate"]))
    let others = ["HOST", "transfer-encoding", "Connection", "TE", "Upgrade", "Expect", "Proxy-Authorization"]
    for header in sent + others {
      #expect(
        try faults([.init("shop", header, key)]) == [
          "service-header-file: Usher itself controls the header \(header) of the HTTP service shop. "
            + "Choose another one."
        ])
    }
  }

  @Test func `a service has each header once`() throws {
    let key = try file("key", "key")
    for header in ["X-Api-Key", "x-api-key", "X-API-KEY"] {
      #expect(
        try faults([.init("shop", "X-Api-Key", key), .init("shop", header, key)])
          == ["service-header-file: the header \(header) of the HTTP service shop occurs twice."])
    }
    for header in ["Authorization", "AUTHORIZATION"] {
      #expect(try faults([.init("shop", header, key)]) == [])
      #expect(
        try faults([.init("shop", header, key)], tokenFile: key) == [
          "service-header-file: the header \(header) of the HTTP service shop is also set by service-token-file. "
            + "Remove one of them."
        ])
    }
  }

  @Test func `the service of a header has a valid name and an address`() throws {
    let key = try file("key", "key")
    let faults = try faults([
      .init("bank", "X-Api-Key", key), .init("shop", "X-Api-Key", key), .init("bank", "X-Id", key),
      .init("Shop", "X-Api-Key", key), .init("mail", "X-Api-Key", "/none"),
    ])
    #expect(
      faults.dropLast() == [
        "service-header-file: the name of entry 4 is not valid. Use 1 to 64 lower-case letters, digits and hyphens.",
        "service-header-file: the HTTP service bank has no address. Set it with service.",
        "service-header-file: the HTTP service mail has no address. Set it with service.",
      ])
    let unreadable = "The file /none for the header X-Api-Key of the HTTP service mail cannot be read: "
    #expect(faults.last?.hasPrefix(unreadable) == true)
  }
}
