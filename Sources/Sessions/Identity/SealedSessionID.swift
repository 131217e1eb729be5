internal import Crypto
internal import Foundation
internal import Values

/// A session's ID, encrypted with an idempotency key or a hand-over code, because stores contain no ID in the clear.
///
/// Stored data has one of two forms:
///
///     version 2: the byte 2, nonce (12), encrypted ID (16), tag (16)
///     version 1: the ID (16) XOR the first half of the SHA-256 of the text
///
/// Version 2 is ChaCha20-Poly1305 (RFC 8439). HKDF with SHA-256 (RFC 5869) derives the encryption key from the text.
/// The session's key is the salt, so that one idempotency key yields a different encryption key for every session. The
/// version is the associated data.
///
/// Version 1 is still read, because older processes may have stored it. Such data lives for the 24 hours of an
/// idempotency key, or until the end of a session that was handed over.
///
/// Either form opens only if the session's key is the SHA-256 of the ID. Version 1 has no other authentication.
public struct SealedSessionID: Sendable, Equatable {
  /// The form that stores keep.
  public let bytes: [UInt8]

  private static let version: UInt8 = 2
  private static let idLength = 16
  private static let length = 1 + 12 + idLength + 16

  /// Restores stored bytes. Returns nil unless they have the length of a known version.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.idLength || bytes.count == Self.length && bytes[0] == Self.version else { return nil }
    self.bytes = bytes
  }

  /// Encrypts an ID without its secret.
  init(_ id: SessionID, under text: String) {
    guard
      let box = try? ChaChaPoly.seal(
        id.bits.bytes, using: Self.key(text, SessionKey(id)), authenticating: [Self.version])
    else { preconditionFailure("ChaCha20-Poly1305 encrypts any input of 16 bytes.") }
    bytes = [Self.version] + box.combined
  }

  /// Whether processes of the previous release can read it.
  var isFirstVersion: Bool { bytes.count == Self.idLength }

  /// Decrypts the ID.
  ///
  /// Returns nil if the text is wrong, the bytes were modified, or the ID belongs to another session.
  func open(with text: String, of session: SessionKey) -> SessionID? {
    let bits = isFirstVersion ? unpadded(with: text) : decrypted(with: Self.key(text, session))
    return bits.map { SessionID($0) }.flatMap { SessionKey($0) == session ? $0 : nil }
  }

  private func decrypted(with key: SymmetricKey) -> RandomBits? {
    guard let box = try? ChaChaPoly.SealedBox(combined: bytes.dropFirst()),
      let id = try? ChaChaPoly.open(box, using: key, authenticating: bytes.prefix(1))
    else { return nil }
    return RandomBits(Array(id)[...])
  }

  private func unpadded(with text: String) -> RandomBits {
    let pad = Digest256(ofParts: [Self.info, Array(text.utf8)]).bytes
    return RandomBits(zip(bytes, pad).map { $0 ^ $1 }[...])
  }

  private static func key(_ text: String, _ session: SessionKey) -> SymmetricKey {
    HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Array(text.utf8)), salt: session.bytes, info: info, outputByteCount: 32)
  }

  private static let info = Array("usher session id".utf8)
}
