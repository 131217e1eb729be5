/// A file that is open for reading.
public struct FileReading: Sendable {
  /// The number of bytes of the whole file.
  public let size: Int64
  private let reader: @Sendable (Range<Int64>) -> any PieceReader

  init(size: Int64, reader: @escaping @Sendable (Range<Int64>) -> any PieceReader) {
    self.size = size
    self.reader = reader
  }

  /// Returns the bytes of a range, clamped to the file; nil stands for the whole file.
  public func pieces(_ range: Range<Int64>? = nil) -> FilePieces {
    FilePieces(reader: reader, range: range.map { $0.clamped(to: 0..<size) } ?? 0..<size)
  }
}

/// The bytes of a file in pieces of 1 byte to 64 KiB.
public struct FilePieces: AsyncSequence, Sendable {
  public typealias Element = [UInt8]
  public typealias Failure = FileStoreError

  /// The maximum size of a piece in bytes.
  public static let pieceSize = 64 << 10

  fileprivate let reader: @Sendable (Range<Int64>) -> any PieceReader
  fileprivate let range: Range<Int64>

  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader(range)) }

  public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
    public typealias Element = [UInt8]
    public typealias Failure = FileStoreError

    fileprivate var reader: any PieceReader

    /// Returns the next piece, or nil at the end of the range.
    ///
    /// - Throws: ``FileStoreError/damaged`` if the file has fewer bytes than its size.
    public mutating func next() async throws(FileStoreError) -> [UInt8]? { try await reader.next() }
  }
}

/// The reader of a range of a file.
protocol PieceReader: Sendable {
  /// Returns the next piece, or nil at the end of the range.
  mutating func next() async throws(FileStoreError) -> [UInt8]?
}
