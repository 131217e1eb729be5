internal import Values

/// 128 bits that nobody can guess, and their text: 22 characters of base64url (RFC 4648, section 5).
struct RandomBits: Sendable, Equatable {
  let high: UInt64
  let low: UInt64

  static let characterCount = 22

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// - Parameter bytes: 16 of them.
  init(_ bytes: ArraySlice<UInt8>) {
    let words = bytes.withUnsafeBytes { raw in
      (raw.loadUnaligned(fromByteOffset: 0, as: UInt64.self), raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
    high = UInt64(bigEndian: words.0)
    low = UInt64(bigEndian: words.1)
  }

  /// 16 bytes.
  var bytes: [UInt8] { [high, low].flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } } }

  /// 22 characters.
  var text: String {
    var characters = InlineArray<22, UInt8>(repeating: 0)
    write(to: &characters, at: 0)
    return String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self)
  }

  /// From the system's secure random numbers.
  static func random() -> RandomBits {
    var generator = SystemRandomNumberGenerator()
    return RandomBits(high: generator.next(), low: generator.next())
  }

  /// Whether there are 22 characters from a place on that are such a text.
  static func areCharacters(_ text: Span<UInt8>, from start: Int) -> Bool {
    guard text.count >= start + characterCount else { return false }
    for place in start..<start + characterCount {
      guard Base64URL.isCharacter(text[place]) else { return false }
    }
    // 128 bits are 21 characters of 6 bits and one of 2, which is padded on its right.
    return Base64URL.value(of: text[start + characterCount - 1]) & 0x0F == 0
  }

  /// The bits of the text that begins at a place.
  init(_ text: Span<UInt8>, from start: Int) {
    var (high, low): (UInt64, UInt64) = (0, 0)
    for place in start..<start + Self.characterCount - 1 {
      (high, low) = (high << 6 | low >> 58, low << 6 | Base64URL.value(of: text[place]))
    }
    self.high = high << 2 | low >> 62
    self.low = low << 2 | Base64URL.value(of: text[start + Self.characterCount - 1]) >> 4
  }

  func write<let count: Int>(to characters: inout InlineArray<count, UInt8>, at start: Int) {
    var (high, low) = (high, low)
    for place in 0..<Self.characterCount {
      characters[start + place] = Base64URL.character(of: UInt8(truncatingIfNeeded: high >> 58))
      (high, low) = (high << 6 | low >> 58, low << 6)
    }
  }
}
