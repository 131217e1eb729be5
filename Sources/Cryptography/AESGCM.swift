internal import CGnuTLS

/// Authenticated encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D).
package enum AESGCM {
  private static let nonceSize = 12
  private static let tagSize = 16

  /// Encrypts a text.
  ///
  /// - Parameters:
  ///   - key: 32 bytes.
  ///   - context: bytes that ``open(_:key:authenticating:)`` requires again.
  /// - Returns: a random nonce (12 bytes), the encrypted text, and its tag (16 bytes). A key may encrypt 2^32 texts.
  package static func seal(_ text: [UInt8], key: [UInt8], authenticating context: [UInt8]) -> [UInt8] {
    let random = (UInt64.random(in: .min ... .max), UInt64.random(in: .min ... .max))
    let nonce = withUnsafeBytes(of: random) { Array($0.prefix(nonceSize)) }
    var size = text.count + tagSize
    return nonce
      + withCipher(key) { cipher in
        bytes(size) {
          gnutls_aead_cipher_encrypt(
            cipher, nonce, nonce.count, context, context.count, tagSize, text, text.count, $0, &size)
        }
      }
  }

  /// Decrypts the result of ``seal(_:key:authenticating:)``; nil for another key, another context or changed bytes.
  package static func open(_ sealed: [UInt8], key: [UInt8], authenticating context: [UInt8]) -> [UInt8]? {
    guard sealed.count >= nonceSize + tagSize else { return nil }
    let encrypted = Array(sealed[nonceSize...])
    var size = encrypted.count - tagSize
    var text = [UInt8](repeating: 0, count: size)
    let status = withCipher(key) {
      gnutls_aead_cipher_decrypt(
        $0, sealed, nonceSize, context, context.count, tagSize, encrypted, encrypted.count, &text, &size)
    }
    return status >= 0 ? text : nil
  }

  private static func withCipher<Result>(_ key: [UInt8], _ body: (gnutls_aead_cipher_hd_t?) -> Result) -> Result {
    var cipher: gnutls_aead_cipher_hd_t?
    withData(key) { require(gnutls_aead_cipher_init(&cipher, GNUTLS_CIPHER_AES_256_GCM, $0)) }
    defer { gnutls_aead_cipher_deinit(cipher) }
    return body(cipher)
  }
}
