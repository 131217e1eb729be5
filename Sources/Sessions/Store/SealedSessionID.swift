/// A session's id that only the holder of an idempotency key can read: stores keep no id in the clear.
public struct SealedSessionID: Sendable, Equatable {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(_ id: SessionID, under key: String) {
    let (pad, bits) = (Self.pad(of: key), id.bits)
    self.init(high: bits.high ^ pad.0, low: bits.low ^ pad.1)
  }

  func open(with key: String) -> SessionID {
    let pad = Self.pad(of: key)
    return SessionID(high: high ^ pad.0, low: low ^ pad.1)
  }

  private static func pad(of key: String) -> (UInt64, UInt64) {
    let digest = Digest256(ofParts: [Array("usher session id".utf8), Array(key.utf8)]).bytes
    return digest.withUnsafeBytes { raw in
      (raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
