/// The bytes of a file in memory. Every piece but the last has the maximum size, so that an offset leads to its piece.
struct StoredPieces: Sendable {
  private var pieces: [[UInt8]] = []
  private(set) var size: Int64 = 0

  mutating func append(_ bytes: [UInt8]) {
    size += Int64(bytes.count)
    var rest = bytes[...]
    while !rest.isEmpty {
      if pieces.last.map({ $0.count == FilePieces.pieceSize }) ?? true { pieces.append([]) }
      let part = rest.prefix(FilePieces.pieceSize - pieces[pieces.count - 1].count)
      pieces[pieces.count - 1] += part
      rest = rest.dropFirst(part.count)
    }
  }

  /// Returns the bytes from the beginning of a range to its end, or to the end of their piece.
  func piece(of range: Range<Int64>) -> [UInt8] {
    let (index, start) = Int(range.lowerBound).quotientAndRemainder(dividingBy: FilePieces.pieceSize)
    let piece = pieces[index]
    let end = min(piece.count, start + range.count)
    return start == 0 && end == piece.count ? piece : Array(piece[start..<end])
  }
}

/// The reader of a range of a file in memory.
struct StoredPiecesReader: PieceReader {
  let pieces: StoredPieces
  var rest: Range<Int64>

  mutating func next() async throws(FileStoreError) -> [UInt8]? {
    guard !rest.isEmpty else { return nil }
    let bytes = pieces.piece(of: rest)
    rest = rest.lowerBound + Int64(bytes.count)..<rest.upperBound
    return bytes
  }
}
