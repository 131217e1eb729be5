internal import Values

/// What a session is offered under to another device: the key of the session and 128 random bits, as 66 characters of base64url
/// (RFC 4648, section 5). It leads to the session only while it is offered, and nobody gets from it to the session's id.
public struct HandOverCode: Sendable {
  let key: SessionKey
  private let secret: RandomBits

  /// A new code.
  init(for key: SessionKey) {
    self.key = key
    secret = .random()
  }

  /// Nil for a text that no code can have.
  public init?(_ text: String) {
    let characters = text.utf8Span.span
    let count = RandomBits.characterCount
    guard characters.count == 3 * count else { return nil }
    for part in 0..<3 { guard RandomBits.areCharacters(characters, from: part * count) else { return nil } }
    guard
      let key = SessionKey(bytes: [0, 1].flatMap { RandomBits(characters, from: $0 * count).bytes })
    else { return nil }
    self.key = key
    secret = RandomBits(characters, from: 2 * count)
  }

  /// 66 characters.
  public var text: String {
    let key = key.bytes
    return RandomBits(key[..<16]).text + RandomBits(key[16...]).text + secret.text
  }

  /// What stores know it by.
  var digest: Digest256 { Digest256(ofParts: [Array("usher hand-over".utf8), secret.bytes]) }

  func seal(_ id: SessionID) -> SealedSessionID { SealedSessionID(id, under: text) }

  func open(_ id: SealedSessionID) -> SessionID? { id.open(with: text, of: key) }

  /// The secret of the device that takes the offer, of which a retry with the same key makes the same one.
  func secret(retriedBy key: String) -> RandomBits {
    RandomBits(
      Digest256(ofParts: [Array("usher device".utf8), secret.bytes, Array(key.utf8)]).bytes[..<16])
  }
}
