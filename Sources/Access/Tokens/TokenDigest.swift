internal import Crypto

/// The SHA-256 (FIPS 180-4) of a token, which is all that is kept of it.
struct TokenDigest: Hashable, Sendable {
  private let words: SIMD4<UInt64>

  init(of token: String) {
    var token = token
    var hash = SHA256()
    token.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
    words = hash.finalize().withUnsafeBytes { raw in
      SIMD4((0..<4).map { UInt64(bigEndian: raw.loadUnaligned(fromByteOffset: 8 * $0, as: UInt64.self)) })
    }
  }

  /// Nil unless there are 64 hexadecimal digits.
  init?(hex: Substring) {
    guard hex.utf8.count == 64, hex.utf8.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }) else { return nil }
    var words = SIMD4<UInt64>()
    var rest = hex
    for place in 0..<4 {
      words[place] = UInt64(rest.prefix(16), radix: 16) ?? 0
      rest = rest.dropFirst(16)
    }
    self.words = words
  }

  /// 64 hexadecimal digits in lower case.
  var hex: String {
    (0..<4).map { place in
      let digits = String(words[place], radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
