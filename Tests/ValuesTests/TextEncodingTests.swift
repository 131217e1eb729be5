import Foundation
import Testing
import Values

/// Base64url, hexadecimal digests and percent-encoding.
@Suite struct TextEncodingTests {
  @Test func `base64url is Foundation's base64 except for two characters and the padding`() throws {
    var random = ValueGenerator(seed: 21)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      let text = Base64URL.encode(bytes)
      let padded = text.replacing("-", with: "+").replacing("_", with: "/")
      #expect(padded + String(repeating: "=", count: (4 - text.count % 4) % 4) == Data(bytes).base64EncodedString())
      #expect(Base64URL.decode(text) == bytes)
    }
  }

  @Test(arguments: ["A", "AAAAA", "AA==", "AA=", "A+AA", "A/AA", "A AA", "AA\n", "é", "AB", "AAB", "A_"])
  func `base64url that is malformed or not canonical is refused`(text: String) {
    #expect(Base64URL.decode(text) == nil)
  }

  @Test func `each character of base64url has its own value`() {
    for value in UInt8(0)..<64 { #expect(Base64URL.value(of: Base64URL.character(of: value)) == UInt64(value)) }
    let characters = UInt8.min...UInt8.max
    #expect(characters.filter { Base64URL.isCharacter($0) }.count == 64)
  }

  @Test func `a digest keeps its bytes and its hexadecimal text`() throws {
    let bytes = (0..<32).map { UInt8($0 * 8 + 7) }
    let digest = try #require(Digest256(bytes: bytes))
    #expect(digest.bytes == bytes && digest.first == 0x070F_171F_272F_373F)
    let text = bytes.map { String(format: "%02x", $0) }.joined()
    #expect(digest.hexadecimal == text)
    #expect(Digest256(hexadecimal: text) == digest && Digest256(hexadecimal: text.uppercased()) == digest)
    for other in ["", String(text.dropLast()), text + "0", "+" + text.dropFirst(), text.dropLast() + "g"] {
      #expect(Digest256(hexadecimal: other) == nil)
    }
    for place in 0..<32 {
      var other = bytes
      other[place] ^= 1
      #expect(Digest256(bytes: other) != digest)
    }
    #expect(Digest256(bytes: bytes + [0]) == nil && Digest256(bytes: []) == nil)
  }

  @Test func `percent-encoding keeps unreserved characters and encodes the UTF-8 of all others`() {
    #expect(percentEncoded("aZ09-._~") == "aZ09-._~")
    #expect(percentEncoded("a b/é?%") == "a%20b%2F%C3%A9%3F%25")
    #expect(percentDecoded("a%20b%2f%c3%A9+") == "a b/é+")
  }

  @Test(arguments: ["%", "%2", "%2g", "%g2", "a%", "%ff", "%c3"])
  func `a malformed escape, or one of malformed UTF-8, is refused`(text: String) {
    #expect(percentDecoded(Substring(text)) == nil)
  }
}
