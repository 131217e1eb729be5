internal import Crypto
internal import Values

/// SHA-256 digests (FIPS 180-4).
extension Digest256 {
  /// Computes the digest of several parts, each preceded by its length.
  init(ofParts parts: [[UInt8]]) {
    var joined: [UInt8] = []
    for part in parts {
      withUnsafeBytes(of: UInt64(part.count).bigEndian) { joined += $0 }
      joined += part
    }
    self = joined.withUnsafeBytes { Self(of: $0) }
  }

  /// Computes the digest of bytes.
  init(of bytes: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(bufferPointer: bytes)
    self = hash.finalize().withUnsafeBytes { Self($0) }
  }
}
