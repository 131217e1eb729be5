internal import Cryptography
public import Values

/// The key of a session in stores and logs: the SHA-256 (FIPS 180-4) of its ID without the secret.
///
/// The ID cannot be derived from the key.
public struct SessionKey: DigestIdentity, BitwiseCopyable {
  public let digest: Digest256

  public init(_ digest: Digest256) { self.digest = digest }

  public init(_ id: SessionID) {
    digest = withUnsafeBytes(of: id.characters) {
      Digest256(sha256: UnsafeRawBufferPointer(rebasing: $0[..<SessionID.bareCount]))
    }
  }

  /// The first 8 digits, which tell sessions apart in a list or a log and give no access.
  public var short: String { String(hexadecimal.prefix(8)) }

  /// The first 64 bits: short, and practically unique among the sessions of a store.
  public var number: Int64 { Int64(bitPattern: digest.first) }

  /// Returns the shard of the session among `count` shards (at least 1). The distribution is uniform, the result
  /// constant.
  public func shard(of count: Int) -> Int { Int(truncatingIfNeeded: digest.first >> 32) % count }
}

/// The beginning of a session's key, as lists and logs show it.
public struct SessionKeyPrefix: Sendable, Equatable {
  /// 8 to 64 hexadecimal digits in lower case.
  public let digits: String

  /// Parses a prefix. Returns nil unless the text is 8 to 64 hexadecimal digits.
  public init?(_ text: String) {
    guard (8...64).contains(text.utf8.count), text.utf8.allSatisfy({ Hexadecimal.value(of: $0) != nil }) else {
      return nil
    }
    digits = text.lowercased()
  }

  /// The range of ``SessionKey/number`` for this prefix. With more than 16 digits it also includes keys that do not
  /// match.
  public var numbers: ClosedRange<Int64> {
    let known = digits.prefix(16)
    let missing = UInt64(4 * (16 - known.utf8.count))
    let lowest = (UInt64(known, radix: 16) ?? 0) << missing
    return Int64(bitPattern: lowest)...Int64(bitPattern: lowest | (1 << missing &- 1))
  }

  public func matches(_ key: SessionKey) -> Bool { key.hexadecimal.hasPrefix(digits) }
}

/// The owner of a session: a digest (SHA-256) of the principal's name, so that stores do not contain names.
public struct SessionOwner: DigestIdentity {
  public let digest: Digest256

  public init(_ digest: Digest256) { self.digest = digest }

  public init(name: String) { digest = Digest256(ofParts: [Array("usher owner".utf8), Array(name.utf8)]) }
}

extension Digest256 {
  /// Computes the SHA-256 (FIPS 180-4) of several parts, each preceded by its length.
  init(ofParts parts: [[UInt8]]) {
    var joined: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { joined += $0 }
      joined += part
    }
    self = joined.withUnsafeBytes { Self(sha256: $0) }
  }
}
