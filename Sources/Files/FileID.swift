internal import Sessions

/// The ID of a file: 128 random bits as 22 characters of base64url (RFC 4648, section 5).
public struct FileID: Sendable, Hashable, CustomStringConvertible {
  private let bits: RandomBits

  /// Parses an ID. Returns nil if the text does not have the form of an ID.
  public init?(_ text: String) {
    let characters = text.utf8Span.span
    guard characters.count == RandomBits.characterCount, RandomBits.isEncoded(characters, from: 0) else { return nil }
    bits = RandomBits(characters, from: 0)
  }

  private init(_ bits: RandomBits) { self.bits = bits }

  /// Returns a new ID from the system's secure random number generator.
  public static func random() -> FileID { FileID(.random()) }

  /// The 22 characters.
  public var text: String { bits.text }

  public var description: String { text }
}
