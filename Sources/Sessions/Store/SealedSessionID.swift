internal import Crypto
internal import Foundation
internal import Values

/// A session's id, encrypted for the holder of an idempotency key or of a hand-over code: stores keep no id in the clear.
///
/// A store keeps one of two forms:
///
///     version 2: the byte 2, nonce (12), encrypted id (16), tag (16)
///     version 1: the id (16) XOR the first half of the SHA-256 of the key
///
/// Version 2 is ChaCha20-Poly1305 (RFC 8439). HKDF with SHA-256 (RFC 5869) derives its key from the text, with the session's
/// key as the salt, so that one idempotency key makes a different encryption key for every session. The version is the associated
/// data. Version 1 is read for as long as rows of older processes may be stored: for the 24 hours that an idempotency key is
/// good for, and until the end of a session that was handed over.
///
/// An id of either form opens only if the session's key is its SHA-256. That is all the authentication that version 1 has.
public struct SealedSessionID: Sendable, Equatable {
  /// As a store keeps them.
  public let bytes: [UInt8]

  private static let version: UInt8 = 2
  private static let idLength = 16
  private static let length = 1 + 12 + idLength + 16

  /// Nil unless the bytes have the length of a version.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.idLength || bytes.count == Self.length && bytes[0] == Self.version else { return nil }
    self.bytes = bytes
  }

  /// Encrypts an id without its secret.
  init(_ id: SessionID, under text: String) {
    guard
      let box = try? ChaChaPoly.seal(
        id.bits.bytes, using: Self.key(text, SessionKey(id)), authenticating: [Self.version])
    else { preconditionFailure("ChaCha20-Poly1305 has no input of 16 bytes that it refuses.") }
    bytes = [Self.version] + box.combined
  }

  /// Whether a process of the version before can read it.
  var isFirstVersion: Bool { bytes.count == Self.idLength }

  /// Returns the id, or nil if the text is another one, the bytes were changed, or the id is that of another session.
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
