import Foundation
import Sessions
import Synchronization
import TestSupport
import Testing
import Values

@testable import Files

/// The requests to S3, and the failures of its server.
@Suite(.limitedConcurrency) struct S3FilesTests {
  private let servers = Servers()
  private let folder = FileManager.default.temporaryDirectory.path

  private func store(_ server: ScriptedServer, token: String? = nil) throws -> S3Files {
    try S3Files(
      bucket: "files", prefix: "a/b", endpoint: server.url.absoluteString, region: "eu-central-1",
      credentials: S3Credentials(accessKey: "key", secret: "secret", sessionToken: token), spool: folder,
      backoff: .milliseconds(1))
  }

  /// A server that gives its answers one after the other, each on a connection of its own, and the last one for ever.
  private func server(_ answers: String...) throws -> ScriptedServer {
    let next = Mutex(0)
    return try servers.start { connection in
      let head = try connection.head()
      if let line = head.split(separator: "\r\n").first(where: { $0.lowercased().hasPrefix("content-length:") }) {
        _ = try connection.read(Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) ?? 0)
      }
      let index = next.withLock { next in
        defer { next = min(next + 1, answers.count - 1) }
        return next
      }
      try connection.write(answers[index])
    }
  }

  private static func answer(_ status: String, _ body: String = "", _ headers: String...) -> String {
    let lines = ["HTTP/1.1 \(status)", "Connection: close", "Content-Length: \(body.utf8.count)"] + headers
    return lines.map { "\($0)\r\n" }.joined() + "\r\n" + body
  }

  private static func refusal(_ status: String, _ code: String) -> String {
    answer(status, "<?xml version=\"1.0\"?><Error><Code>\(code)</Code><Message>No.</Message></Error>")
  }

  private func put(_ store: S3Files, _ bytes: [UInt8], _ key: FileKey) async throws -> ReceivedFile {
    let writer = try await store.create(key)
    try await writer.write(bytes)
    return try await writer.finish()
  }

  @Test func `a file is one signed request with its size and digest`() async throws {
    let server = try server(Self.answer("200 OK"))
    let key = FileKey.random()
    let received = try await put(try store(server, token: "token"), Array("abc".utf8), key)
    #expect(received.size == 3 && received.type == "text/plain")
    let head = try #require(server.heads.first)
    #expect(head.hasPrefix("PUT /files/a/b/\(key.session.hexadecimal)/\(key.id.text) HTTP/1.1\r\n"))
    #expect(head.contains("\r\nContent-Length: 3\r\n"))
    #expect(head.contains("x-amz-content-sha256: \(received.sha256)"))
    #expect(head.contains("x-amz-security-token: token"))
    #expect(head.contains("Authorization: AWS4-HMAC-SHA256 Credential=key/"))
    #expect(head.contains("/eu-central-1/s3/aws4_request"))
    #expect(head.contains("x-amz-content-sha256;x-amz-date;x-amz-security-token"))
    // A signed header must be sent.
    #expect(!head.contains("expect") && !head.contains("accept;") && !head.contains("secret"))
  }

  @Test(arguments: ["500 Internal Server Error", "502 Bad Gateway", "503 Slow Down", "504 Gateway Timeout"])
  func `a request is repeated after a temporary failure`(status: String) async throws {
    let server = try server(Self.refusal(status, "SlowDown"), "", Self.answer("200 OK"))
    let received = try await put(try store(server), sample(100_000), .random())
    #expect(received.size == 100_000)
    #expect(server.heads.count == 3)
  }

  @Test func `a request fails after three attempts`() async throws {
    let server = try server(Self.refusal("503 Slow Down", "SlowDown"))
    let error = await failure { try await put(try store(server), [1], .random()) }
    #expect(error as? FileStoreError == .unavailable("S3 is not available (503, SlowDown)."))
    #expect(server.heads.count == 3)
  }

  @Test(arguments: [
    ("403 Forbidden", "AccessDenied", "The bucket files refuses access (403, AccessDenied)."),
    ("404 Not Found", "NoSuchBucket", "The bucket files does not exist (404, NoSuchBucket)."),
    ("301 Moved Permanently", "PermanentRedirect", "The bucket files is in another region than eu-central-1"),
  ])
  func `a refusal is told at once, with advice`(status: String, code: String, text: String) async throws {
    let server = try server(Self.refusal(status, code))
    let store = try store(server)
    for error in [
      await failure { try await put(store, [1], .random()) }, await failure { try await store.checkReady() },
    ] {
      #expect(error.map { "\($0)" }?.hasPrefix(text) == true)
      #expect(error.map { "\($0)" }?.contains("secret") == false)
    }
    #expect(server.heads.count == 2)
  }

  @Test func `a full and a too large file are errors of their own`() async throws {
    let full = try store(try server(Self.refusal("507 Insufficient Storage", "XMinioStorageFull")))
    #expect(await failure { try await put(full, [1], .random()) } as? FileStoreError == .full)
    let small = try store(try server(Self.refusal("400 Bad Request", "EntityTooLarge")))
    #expect(await failure { try await put(small, [1], .random()) } as? FileStoreError == .tooLarge)
  }

  @Test func `a file that the bucket does not have is missing, and its removal succeeds`() async throws {
    let store = try store(try server(Self.refusal("404 Not Found", "NoSuchKey")))
    try await store.remove(.random())
    let head = try self.store(try server("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n"))
    #expect(await failure { try await head.open(.random()) } as? FileStoreError == .missing)
  }

  /// The head of an object of ten bytes.
  private static let tenBytes = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 10\r\n\r\n"

  @Test func `a download goes on after a lost connection`() async throws {
    let server = try server(
      Self.tenBytes,
      "HTTP/1.1 206 Partial Content\r\nContent-Length: 8\r\nContent-Range: bytes 2-9/10\r\n\r\ncde",
      Self.answer("206 Partial Content", "fghij", "Content-Range: bytes 5-9/10"))
    var bytes: [UInt8] = []
    for try await piece in try await store(server).open(.random()).pieces(2..<10) { bytes += piece }
    #expect(String(decoding: bytes, as: UTF8.self) == "cdefghij")
    #expect(server.heads.last?.contains("Range: bytes=5-9") == true)
  }

  @Test(arguments: ["bytes 0-9/11", "bytes 0-8/10", "bytes 1-9/10"])
  func `another range than the requested one is damage`(range: String) async throws {
    let server = try server(
      Self.tenBytes, Self.answer("206 Partial Content", "abcdefghij", "Content-Range: \(range)"))
    let reading = try await store(server).open(.random())
    let error = await failure { for try await _ in reading.pieces() {} }
    #expect(error as? FileStoreError == .damaged)
  }

  private static func listing(_ names: [String], next: String? = nil) -> String {
    let objects = names.map {
      """
      <Contents><Key>\($0)</Key><LastModified>2026-11-20T12:00:00.000Z</LastModified>
        <ETag>&#34;0&quot;</ETag></Contents>
      """
    }
    let token = next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
    return answer(
      "200 OK",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>files</Name><Prefix/>
      <IsTruncated>\(next != nil)</IsTruncated>\(objects.joined())\(token)</ListBucketResult>
      """)
  }

  @Test func `all pages of a list are read, and foreign names are left out`() async throws {
    let keys = (0..<3).map { _ in FileKey.random() }.sorted()
    let server = try server(
      Self.listing(["a/b/note.txt", "a/b/\(keys[0].name)", "a/b/\(keys[1].name)"], next: "a+b/c=&amp;"),
      Self.listing(["a/b/\(keys[2].name)"]))
    let store = try store(server)
    let time = Timestamp(milliseconds: 1_795_176_000_000)
    #expect(try await store.files(olderThan: time + 1, after: nil, limit: 10) == keys)
    let last = try #require(server.heads.last)
    #expect(
      last.hasPrefix("GET /files?continuation-token=a%2Bb%2Fc%3D%26&list-type=2&max-keys=1000&prefix=a%2Fb%2F HTTP"))
  }

  @Test func `files from the time on are not listed, and a page begins after a key`() async throws {
    let key = FileKey.random()
    let server = try server(Self.listing(["a/b/\(key.name)"]))
    let store = try store(server)
    let time = Timestamp(milliseconds: 1_795_176_000_000)
    #expect(try await store.files(olderThan: time, after: key, limit: 10) == [])
    #expect(server.heads.last?.contains("&start-after=a%2Fb%2F\(key.session.hexadecimal)%2F\(key.id.text) ") == true)
  }

  @Test func `the files of a session are removed one by one`() async throws {
    let session = SessionKey(.random())
    let keys = (0..<2).map { _ in FileKey.random(of: session) }
    let server = try server(Self.listing(keys.map { "a/b/\($0.name)" }), Self.answer("204 No Content"))
    try await store(server).removeAll(of: session)
    #expect(server.heads.map { $0.prefix(6) } == ["GET /f", "DELETE", "DELETE"])
    #expect(server.heads[0].contains("prefix=a%2Fb%2F\(session.hexadecimal)%2F "))
  }

  @Test(arguments: [
    "", "<ListBucketResult>", "<ListBucketResult></ListBucketResult", "<A></A><ListBucketResult></ListBucketResult>",
    "<!DOCTYPE a [<!ENTITY b \"c\">]><ListBucketResult></ListBucketResult>", "<Error></Error>",
    "<ListBucketResult><!-- a --></ListBucketResult>", "<ListBucketResult>&b;</ListBucketResult>",
    "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><Contents></ListBucketResult></Contents>",
  ])
  func `a document that is no complete list is refused`(document: String) {
    #expect(S3Listing(Array(document.utf8)) == nil)
  }

  @Test func `nothing of an upload is left in the spool`() async throws {
    let spool = FileManager.default.temporaryDirectory.appending(path: "usher-spool-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: spool, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: spool) }
    let file = try SpooledFile(in: spool.path)
    try file.write(sample(1000))
    #expect(try FileManager.default.contentsOfDirectory(atPath: spool.path) == [])
    let (descriptor, received) = try file.finish()
    #expect(received.size == 1000 && descriptor.read(2000, at: 0) == sample(1000))
    #expect(throws: FileStoreError.missing) { try file.write([1]) }
  }

  @Test func `invalid settings are errors`() {
    let credentials = S3Credentials(accessKey: "key", secret: "secret")
    for (bucket, prefix, endpoint, region) in [
      ("Files", "", "http://a", "b"), ("fi", "", "http://a", "b"), ("a/b/c", "", "http://a", "b"),
      ("files", "/a", "http://a", "b"), ("files", "a/../b", "http://a", "b"), ("files", "ä", "http://a", "b"),
      ("files", "", "ftp://a", "b"), ("files", "", "http://a/b", "b"), ("files", "", "http://a", "a:b"),
    ] {
      #expect(throws: FileStoreError.self) {
        try S3Files(bucket: bucket, prefix: prefix, endpoint: endpoint, region: region, credentials: credentials)
      }
    }
  }

  @Test func `credentials come from the environment, or from the profile of a file`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "usher-credentials-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    try """
    [default]
    aws_access_key_id = first
    aws_secret_access_key=a=b
    [other]
    aws_access_key_id = second
    aws_secret_access_key = c
    aws_session_token = d
    """.write(toFile: path, atomically: true, encoding: .utf8)
    let direct = try S3Credentials(environment: ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "e"])
    #expect(direct.accessKey == "key" && direct.secret == "e" && direct.sessionToken == nil)
    let standard = try S3Credentials(environment: ["AWS_SHARED_CREDENTIALS_FILE": path])
    #expect(standard.accessKey == "first" && standard.secret == "a=b" && standard.sessionToken == nil)
    let other = try S3Credentials(environment: ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "other"])
    #expect(other.accessKey == "second" && other.sessionToken == "d")
    for environment in [
      [:], ["AWS_ACCESS_KEY_ID": "key"], ["AWS_SHARED_CREDENTIALS_FILE": "\(path)-none"],
      ["AWS_SHARED_CREDENTIALS_FILE": path, "AWS_PROFILE": "none"],
    ] as [[String: String]] {
      #expect(throws: FileStoreError.self) { try S3Credentials(environment: environment) }
    }
    #expect(!"\(other)".contains("second") && !String(reflecting: other).contains("second"))
  }
}
