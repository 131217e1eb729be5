internal import HTTPTransport

/// The reader of a range of an object. It goes on with another request if a connection is lost.
struct S3Reader: PieceReader {
  let client: S3Client
  let name: String
  var rest: Range<Int64>
  /// The size of the whole object.
  let size: Int64
  private var body: HTTPResponseStream.AsyncIterator?
  /// The bytes that have arrived and were not returned yet.
  private var arrived: ArraySlice<UInt8> = []
  private var losses = 0

  init(client: S3Client, name: String, rest: Range<Int64>, size: Int64) {
    self.client = client
    self.name = name
    self.rest = rest
    self.size = size
  }

  mutating func next() async throws(FileStoreError) -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    while arrived.isEmpty { try await receive() }
    let piece = Array(arrived.prefix(min(FilePieces.pieceSize, rest.count)))
    arrived = arrived.dropFirst(piece.count)
    rest = rest.lowerBound + Int64(piece.count)..<rest.upperBound
    return piece
  }

  private mutating func receive() async throws(FileStoreError) {
    var body = if let body { body } else { try await request() }
    do {
      guard let bytes = try await body.next() else { throw FileStoreError.damaged }
      arrived = bytes[...]
      self.body = body
    } catch let error as FileStoreError {
      throw error
    } catch {
      losses += 1
      self.body = nil
      guard losses < S3Client.attempts, !(error is CancellationError) else {
        throw .unavailable("S3 did not complete a file. \(error)")
      }
    }
  }

  private func request() async throws(FileStoreError) -> HTTPResponseStream.AsyncIterator {
    let answer = try await client.send(
      "GET", name, headers: [("Range", "bytes=\(rest.lowerBound)-\(rest.upperBound - 1)")])
    // The object has been replaced by one of another size, or the server does not know ranges.
    let prefix = "bytes \(rest.lowerBound)-\(rest.upperBound - 1)/\(size)"
    guard answer.head.status == 206 && answer.head["Content-Range"] == prefix else { throw .damaged }
    return answer.makeAsyncIterator()
  }
}
