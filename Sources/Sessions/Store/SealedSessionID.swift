/// A session's id that only the holder of an idempotency key or of a hand-over's code can read: stores keep no id in the clear.
public struct SealedSessionID: Sendable, Equatable {
  private let bits: RandomBits

  /// What was stored as ``bytes``; nil unless there are 16.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    bits = RandomBits(bytes[...])
  }

  /// The 16 bytes, as a store keeps them.
  public var bytes: [UInt8] { bits.bytes }

  init(_ id: SessionID, under key: String) { bits = Self.padded(id.bits, with: key) }

  func open(with key: String) -> SessionID { SessionID(Self.padded(bits, with: key)) }

  /// Done twice it is undone.
  private static func padded(_ bits: RandomBits, with key: String) -> RandomBits {
    let digest = Digest256(ofParts: [Array("usher session id".utf8), Array(key.utf8)]).bytes
    return digest.withUnsafeBytes { raw in
      RandomBits(
        high: bits.high ^ raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self),
        low: bits.low ^ raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
  }
}
