internal import Values

/// The bodies of a session by their SHA-256 (FIPS 180-4).
typealias SessionBodies = [Digest256: Body]

extension Body {
  /// The total size in bytes of the different bodies in the entries of a journal, in its checkpoints, and in outcomes,
  /// above which fewer of those are kept.
  static let totalLimit = 1 << 20

  var digest: Digest256 { digest { Digest256(ofParts: [$0]) } }
}

extension Sequence<PlacedBody> {
  /// The different bodies.
  var distinct: SessionBodies { reduce(into: [:]) { $0.insert($1.body) } }

  /// The total size of the different bodies in bytes.
  var distinctSize: Int { distinct.values.reduce(0) { $0 + $1.bytes.count } }
}

extension SessionBodies {
  mutating func insert(_ body: Body) { self[body.digest] = body }

  /// The bodies in the order of their digests.
  var inOrder: [Body] { sorted { $0.key.bytes.lexicographicallyPrecedes($1.key.bytes) }.map(\.value) }
}

/// The stored form of places: their number and, for each, the offset and the digest of the body.
extension ByteWriter {
  mutating func append(places bodies: [PlacedBody]) {
    append(varint: UInt64(bodies.count))
    for placed in bodies {
      append(varint: UInt64(placed.offset))
      append(placed.body.digest.bytes)
    }
  }
}

extension ByteReader {
  /// Reads the places of bodies in `rest`.
  ///
  /// - Throws: `ValueError` for a missing body, and for a place that cannot be.
  mutating func places(of bodies: SessionBodies, in rest: SplitBytes) throws(ValueError) -> SplitBytes {
    var placed: [PlacedBody] = []
    for _ in 0..<(try varint()) {
      let offset = Int(clamping: try varint())
      guard let digest = Digest256(bytes: try bytes(32)), let body = bodies[digest] else {
        throw ValueError(.truncated, offset: position)
      }
      placed.append(PlacedBody(offset: offset, body: body))
    }
    guard let whole = SplitBytes(rest: rest.rest, bodies: placed) else {
      throw ValueError(.truncated, offset: position)
    }
    return whole
  }
}
