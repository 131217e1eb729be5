/// A session's id that only the holder of an idempotency key or of a hand-over's code can read: stores keep no id in the clear.
public struct SealedSessionID: Sendable, Equatable {
  private let high: UInt64
  private let low: UInt64

  /// What was stored as ``bytes``; nil unless there are 16.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    (high, low) = bytes.withUnsafeBytes { raw in
      (
        UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
        UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// The 16 bytes, as a store keeps them.
  public var bytes: [UInt8] {
    [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
  }

  init(_ id: SessionID, under key: String) {
    let (pad, bits) = (Self.pad(of: key), id.bits)
    (high, low) = (bits.high ^ pad.0, bits.low ^ pad.1)
  }

  func open(with key: String) -> SessionID {
    let pad = Self.pad(of: key)
    return SessionID(RandomBits(high: high ^ pad.0, low: low ^ pad.1))
  }

  private static func pad(of key: String) -> (UInt64, UInt64) {
    let digest = Digest256(ofParts: [Array("usher session id".utf8), Array(key.utf8)]).bytes
    return digest.withUnsafeBytes { raw in
      (raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
