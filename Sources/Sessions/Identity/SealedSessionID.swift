internal import Cryptography
internal import Values

/// A session's ID, encrypted with an idempotency key or a hand-over code, because stores contain no ID in the clear.
///
/// Stored data has the form
///
///     version, nonce (12), encrypted ID (16), tag (16)
///
/// The encryption is AES-256 in Galois/Counter Mode (NIST SP 800-38D). HKDF with SHA-256 (RFC 5869) derives its key
/// from the text. The session's key is the salt, so that one idempotency key yields a different encryption key for
/// every session, and the data opens for its own session alone. The version is the associated data.
public struct SealedSessionID: Sendable, Equatable {
  /// The form that stores keep.
  public let bytes: [UInt8]

  private static let version: UInt8 = 1
  private static let length = 1 + 12 + 16 + 16

  /// Restores stored bytes. Returns nil unless they have the version and its length.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.length, bytes[0] == Self.version else { return nil }
    self.bytes = bytes
  }

  /// Encrypts an ID without its secret.
  init(_ id: SessionID, under text: String) {
    let version = [Self.version]
    bytes =
      version + AESGCM.seal(id.bits.bytes, key: Self.key(text, SessionKey(id)), authenticating: version)
  }

  /// Decrypts the ID.
  ///
  /// Returns nil if the text is wrong, the bytes were modified, or the ID belongs to another session.
  func open(with text: String, of session: SessionKey) -> SessionID? {
    AESGCM.open(Array(bytes.dropFirst()), key: Self.key(text, session), authenticating: [Self.version])
      .map { SessionID(RandomBits($0[...])) }
  }

  private static func key(_ text: String, _ session: SessionKey) -> [UInt8] {
    HKDF.key(from: Array(text.utf8), salt: session.bytes, info: info)
  }

  private static let info = Array("usher session id".utf8)
}
