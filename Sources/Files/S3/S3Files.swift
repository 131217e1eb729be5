internal import Foundation
internal import HTTPTransport
public import Sessions
internal import Stores
public import Values

/// Files in a bucket of Amazon S3, or of a server with the same interface.
///
/// A file is an object whose name is the prefix, the session's key and the ID, with slashes between them. Its bytes are
/// collected in a local file first, because a signed request states the digest and the size of its body.
public final class S3Files: FileStore {
  private let client: S3Client
  /// Empty, or with a slash at its end.
  private let prefix: String
  private let spool: String
  private let threads = BlockingThreads.forFiles()
  private let writers = WriterCount()

  /// The maximum size of an object of one request in bytes, by the API of S3.
  private static let sizeLimit: Int64 = 5 << 30

  /// - Parameters:
  ///   - bucket: 3 to 63 lower-case letters, digits, hyphens and periods.
  ///   - prefix: the beginning of all names: letters, digits and `-._~`, with slashes between them; may be empty.
  ///   - endpoint: the address of the server, such as `http://127.0.0.1:9000`; nil for Amazon's of the region.
  ///   - spool: the folder for files that are being received.
  /// - Throws: ``FileStoreError/unavailable(_:)`` if a parameter is invalid. No request is sent.
  public convenience init(
    bucket: String, prefix: String = "", endpoint: String? = nil, region: String = "us-east-1",
    credentials: S3Credentials, spool: String = "/tmp"
  ) throws(FileStoreError) {
    try self.init(
      bucket: bucket, prefix: prefix, endpoint: endpoint, region: region, credentials: credentials, spool: spool,
      backoff: .milliseconds(200))
  }

  init(
    bucket: String, prefix: String, endpoint: String?, region: String, credentials: S3Credentials, spool: String,
    backoff: Duration
  ) throws(FileStoreError) {
    let isBucket = bucket.utf8.allSatisfy { $0.isASCIIDigit || (97...122).contains($0) || "-.".utf8.contains($0) }
    guard isBucket, (3...63).contains(bucket.utf8.count), bucket.utf8.first?.isASCIILetterOrDigit == true else {
      throw .unavailable("The name of the bucket is invalid. Use 3 to 63 lower-case letters, digits and hyphens.")
    }
    // Other characters would be encoded in different ways by the parties of a signature.
    let parts = prefix.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isPrefix = parts.allSatisfy { !["", ".", ".."].contains($0) && percentEncoded($0) == $0 }
    guard prefix.isEmpty || isPrefix else {
      throw .unavailable("The prefix in the bucket is invalid. Use letters, digits and hyphens, with slashes between.")
    }
    guard !region.isEmpty, region.utf8.allSatisfy({ $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }) else {
      throw .unavailable("The region of S3 is invalid. Use a name such as eu-central-1.")
    }
    let server = endpoint ?? "https://s3.\(region).amazonaws.com"
    guard let url = URL(string: server), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
      url.path().isEmpty || url.path() == "/", url.query() == nil
    else {
      throw .unavailable("The address \(server) of S3 is invalid. Use one such as https://s3.example.com.")
    }
    var configuration = CurlTransport.Configuration()
    configuration.threadName = "usher.s3"
    configuration.concurrency = 64
    client = S3Client(
      bucket: bucket, address: "\(server.hasSuffix("/") ? String(server.dropLast()) : server)/\(bucket)",
      region: region, credentials: credentials, backoff: backoff, transport: CurlTransport(configuration))
    self.prefix = prefix.isEmpty ? "" : "\(prefix)/"
    self.spool = spool
  }

  public func create(_ key: FileKey) async throws(FileStoreError) -> any FileWriter {
    let ticket = writers.ticket()
    let file = try await threads.run { [spool] () throws(FileStoreError) in try SpooledFile(in: spool) }
    return Writer(file, self, name(of: key), ticket)
  }

  public func open(_ key: FileKey) async throws(FileStoreError) -> FileReading {
    let name = name(of: key)
    let answer = try await client.send("HEAD", name)
    guard let size = answer.head["Content-Length"].flatMap({ Int64(digits: $0) }) else { throw .damaged }
    return FileReading(size: size) { [client] in S3Reader(client: client, name: name, rest: $0, size: size) }
  }

  public func remove(_ key: FileKey) async throws(FileStoreError) { try await remove(name(of: key)) }

  private func remove(_ name: String) async throws(FileStoreError) {
    do {
      _ = try await client.send("DELETE", name)
    } catch {
      // Some servers answer so for an object that they do not have.
      guard error == .missing else { throw error }
    }
  }

  public func removeAll(of session: SessionKey) async throws(FileStoreError) {
    var continuation: String?
    repeat {
      let page = try await list("\(prefix)\(session.hexadecimal)/", continuation: continuation)
      for object in page.objects { try await remove(object.name) }
      continuation = page.continuation
    } while continuation != nil
  }

  public func files(
    olderThan time: Timestamp, after: FileKey?, limit: Int
  ) async throws(FileStoreError) -> [FileKey] {
    var found: [FileKey] = []
    var continuation: String?
    repeat {
      let page = try await list(prefix, after: after.map { name(of: $0) }, continuation: continuation)
      for object in page.objects where object.writtenAt < time && object.name.hasPrefix(prefix) {
        guard let key = FileKey(name: object.name.dropFirst(prefix.count)) else { continue }
        found.append(key)
        if found.count == limit { return found }
      }
      continuation = page.continuation
    } while continuation != nil
    return found
  }

  private func list(
    _ prefix: String, after: String? = nil, continuation: String? = nil, limit: Int = 1000
  ) async throws(FileStoreError) -> S3Listing {
    // Sorted, as the signature requires.
    var query: [(String, String)] = []
    if let continuation { query.append(("continuation-token", continuation)) }
    query += [("list-type", "2"), ("max-keys", "\(limit)"), ("prefix", prefix)]
    if let after { query.append(("start-after", after)) }
    let answer = try await client.send("GET", nil, query: query)
    let body: [UInt8]
    do {
      body = try await answer.body(limit: 4 << 20)
    } catch {
      throw .unavailable("S3 did not complete the list of files. \(error)")
    }
    guard let listing = S3Listing(body) else { throw .unavailable("S3 sent no valid list of files.") }
    return listing
  }

  public func checkReady() async throws(FileStoreError) { _ = try await list(prefix, limit: 1) }

  public var usage: FileStoreUsage { FileStoreUsage(writers: writers.value) }

  public func close() { threads.stop() }

  private func name(of key: FileKey) -> String { prefix + key.name }

  private func put(_ file: SpooledFile, _ name: String) async throws(FileStoreError) -> ReceivedFile {
    let (descriptor, received) = try file.finish()
    guard received.size <= Self.sizeLimit else { throw .tooLarge }
    // The bytes were written a moment ago, so that they come from the page cache.
    let upload = HTTPRequest.Upload(size: received.size) { buffer, offset in
      guard let bytes = descriptor.read(Int(min(Int64(buffer.count), received.size - offset)), at: offset) else {
        return nil
      }
      buffer.copyBytes(from: bytes)
      return bytes.count
    }
    _ = try await client.send("PUT", name, upload: (upload, digest: received.sha256))
    return received
  }

  private final class Writer: FileWriter {
    private let file: SpooledFile
    private let store: S3Files
    private let name: String
    private let ticket: WriterCount.Ticket

    init(_ file: SpooledFile, _ store: S3Files, _ name: String, _ ticket: WriterCount.Ticket) {
      self.file = file
      self.store = store
      self.name = name
      self.ticket = ticket
    }

    func write(_ bytes: [UInt8]) async throws(FileStoreError) {
      try await store.threads.run { [file] () throws(FileStoreError) in try file.write(bytes) }
    }

    func finish() async throws(FileStoreError) -> ReceivedFile { try await store.put(file, name) }

    func abandon() async {
      _ = try? await store.threads.run { [file] () throws(FileStoreError) in file.discard() }
    }
  }
}
