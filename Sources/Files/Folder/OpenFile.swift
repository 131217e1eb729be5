internal import Stores

/// A file of a folder that is open for reading, from any thread.
final class OpenFile: Sendable {
  let size: Int64
  private let descriptor: Descriptor

  init(_ descriptor: Descriptor, size: Int64) {
    self.size = size
    self.descriptor = descriptor
  }

  /// Reads bytes.
  ///
  /// - Throws: ``FileStoreError/damaged`` if the file has fewer bytes or they cannot be read.
  func read(_ count: Int, at offset: Int64) throws(FileStoreError) -> [UInt8] {
    guard let bytes = descriptor.read(count, at: offset), bytes.count == count else { throw .damaged }
    return bytes
  }
}

/// The reader of a range of a file, on threads that wait for the disk.
struct OpenFileReader: PieceReader {
  let file: OpenFile
  let threads: BlockingThreads
  var rest: Range<Int64>

  mutating func next() async throws(FileStoreError) -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    let (file, offset, count) = (file, rest.lowerBound, min(rest.count, FilePieces.pieceSize))
    let bytes = try await threads.run { () throws(FileStoreError) in try file.read(count, at: offset) }
    rest = offset + Int64(count)..<rest.upperBound
    return bytes
  }
}
