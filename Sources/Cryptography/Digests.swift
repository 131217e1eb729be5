internal import CGnuTLS
package import Values

extension Digest256 {
  /// Computes the SHA-256 (FIPS 180-4) of bytes.
  package init(sha256 bytes: UnsafeRawBufferPointer) {
    self = withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
      require(gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes.baseAddress, bytes.count, digest.baseAddress))
      return Digest256(UnsafeRawBufferPointer(digest))
    }
  }
}

/// The SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
///
/// Unchecked, because one owner at a time uses the handle.
package struct SHA256: ~Copyable, @unchecked Sendable {
  private let handle: gnutls_hash_hd_t

  package init() {
    var handle: gnutls_hash_hd_t?
    require(gnutls_hash_init(&handle, GNUTLS_DIG_SHA256))
    self.handle = handle!
  }

  deinit { gnutls_hash_deinit(handle, nil) }

  package mutating func update(_ bytes: [UInt8]) { require(gnutls_hash(handle, bytes, bytes.count)) }

  /// Returns the digest of the bytes so far, and begins anew.
  package mutating func finish() -> Digest256 {
    let handle = handle
    return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { digest in
      gnutls_hash_output(handle, digest.baseAddress)
      return Digest256(UnsafeRawBufferPointer(digest))
    }
  }
}

/// HMAC with SHA-256 (RFC 2104).
package enum HMAC {
  /// Returns the authentication code of a message, 32 bytes.
  package static func code(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    bytes(32) { gnutls_hmac_fast(GNUTLS_MAC_SHA256, key, key.count, message, message.count, $0) }
  }

  /// Returns whether two authentication codes are the same. The time of the comparison is independent of their bytes.
  package static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && gnutls_memcmp(a, b, a.count) == 0
  }
}

/// HKDF with SHA-256 (RFC 5869).
package enum HKDF {
  /// Derives a key of 32 bytes.
  package static func key(from secret: [UInt8], salt: [UInt8], info: [UInt8]) -> [UInt8] {
    let extracted = withData(secret, salt) { data in
      bytes(32) { gnutls_hkdf_extract(GNUTLS_MAC_SHA256, data, data + 1, $0) }
    }
    return withData(extracted, info) { data in
      bytes(32) { gnutls_hkdf_expand(GNUTLS_MAC_SHA256, data, data + 1, $0, 32) }
    }
  }
}
