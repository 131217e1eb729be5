internal import Values

/// The blobs of a session by their SHA-256 (FIPS 180-4).
typealias SessionBlobs = [Digest256: Blob]

extension Blob {
  /// The total size in bytes of the different blobs in the entries of a journal, in its checkpoints, and in outcomes,
  /// above which fewer of those are kept.
  static let totalLimit = 1 << 20

  var digest: Digest256 { digest { Digest256(ofParts: [$0]) } }
}

extension Sequence<LocatedBlob> {
  /// The different blobs.
  var distinct: SessionBlobs { reduce(into: [:]) { $0.insert($1.blob) } }

  /// The total size of the different blobs in bytes.
  var distinctSize: Int { distinct.values.reduce(0) { $0 + $1.bytes.count } }
}

extension SessionBlobs {
  mutating func insert(_ blob: Blob) { self[blob.digest] = blob }

  /// The blobs in the order of their digests.
  var inOrder: [Blob] { sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map(\.value) }
}

/// The stored form of offsets: their number and, for each, the offset and the digest of the blob.
extension ByteWriter {
  mutating func append(offsetsOf blobs: [LocatedBlob]) {
    append(list: blobs) { located, out in
      out.append(varint: UInt64(located.offset))
      out.append(located.blob.digest.bytes)
    }
  }
}

extension ByteReader {
  /// Reads the offsets of blobs, and inserts these in `rest`.
  ///
  /// - Throws: `ValueError` for a missing blob, and for an impossible offset.
  mutating func inserting(_ blobs: SessionBlobs, in rest: SplitBytes) throws(ValueError) -> SplitBytes {
    let located = try list { (input) throws(ValueError) in
      let offset = Int(clamping: try input.varint())
      guard let digest = Digest256(bytes: try input.bytes(32)), let blob = blobs[digest] else {
        throw ValueError(.truncated, offset: input.position)
      }
      return LocatedBlob(offset: offset, blob: blob)
    }
    guard let whole = SplitBytes(rest: rest.rest, blobs: located) else {
      throw ValueError(.truncated, offset: position)
    }
    return whole
  }
}
