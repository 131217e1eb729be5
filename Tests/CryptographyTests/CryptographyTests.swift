import Cryptography
import Testing
import Values

/// The vectors of the standards.
@Suite struct CryptographyTests {
  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.utf8.compactMap { Hexadecimal.value(of: $0) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
  ])
  func `SHA-256 has the digests of FIPS 180-4`(text: String, digest: String) {
    #expect(Array(text.utf8).withUnsafeBytes { Digest256(sha256: $0) }.hexadecimal == digest)
  }

  @Test func `HMAC has the codes of RFC 4231`() {
    let code = HMAC.code(of: Array("Hi There".utf8), key: [UInt8](repeating: 0x0b, count: 20))
    #expect(code == bytes("b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"))
    let second = HMAC.code(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
    #expect(second == bytes("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
    #expect(HMAC.areEqual(code, code) && !HMAC.areEqual(code, second))
    #expect(!HMAC.areEqual(code, Array(code.dropLast())) && !HMAC.areEqual(code, code.dropLast() + [0]))
  }

  @Test func `HKDF has the first 32 bytes of RFC 5869, A.1`() {
    let key = HKDF.key(
      from: [UInt8](repeating: 0x0b, count: 22), salt: bytes("000102030405060708090a0b0c"),
      info: bytes("f0f1f2f3f4f5f6f7f8f9"))
    #expect(key == bytes("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"))
  }

  @Test func `ChaCha20-Poly1305 decrypts the message of RFC 8439, 2.8.2`() {
    let key = (0..<32).map { UInt8(0x80 + $0) }
    let context = bytes("50515253c0c1c2c3c4c5c6c7")
    let sealed = bytes(
      """
      070000004041424344454647
      d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b
      1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
      3ff4def08e4b7a9de576d26586cec64b6116
      1ae10b594f09e26a7e902ecbd0600691
      """)
    let text =
      "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."
    #expect(ChaCha20Poly1305.open(sealed, key: key, authenticating: context) == Array(text.utf8))
  }

  @Test func `a sealed text opens only with its key, its context and all of its bytes`() {
    let (key, context) = ([UInt8](repeating: 1, count: 32), [UInt8(2)])
    for text in [[], [7], [UInt8](repeating: 3, count: 16)] as [[UInt8]] {
      let sealed = ChaCha20Poly1305.seal(text, key: key, authenticating: context)
      #expect(sealed.count == text.count + 28)
      #expect(sealed != ChaCha20Poly1305.seal(text, key: key, authenticating: context))
      #expect(ChaCha20Poly1305.open(sealed, key: key, authenticating: context) == text)
      #expect(ChaCha20Poly1305.open(sealed, key: [UInt8](repeating: 2, count: 32), authenticating: context) == nil)
      #expect(ChaCha20Poly1305.open(sealed, key: key, authenticating: []) == nil)
      for index in sealed.indices {
        var changed = sealed
        changed[index] ^= 1
        #expect(ChaCha20Poly1305.open(changed, key: key, authenticating: context) == nil)
        #expect(ChaCha20Poly1305.open(Array(sealed[..<index]), key: key, authenticating: context) == nil)
      }
    }
  }

  @Test func `a key verifies what its private key has signed, by its algorithm`() {
    // RFC 8032, section 7.1, test 2.
    let key = PublicKey(
      .ed25519, x: bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"), y: [])
    let signature = bytes(
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
        + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00")
    #expect(key?.verifies(signature, of: [0x72], by: .edDSA) == true)
    #expect(key?.verifies(signature, of: [0x73], by: .edDSA) == false)
    #expect(key?.verifies(signature, of: [0x72], by: .es256) == false)
    #expect(key?.verifies([], of: [0x72], by: .edDSA) == false)
  }

  @Test func `numbers that form no key are refused`() {
    #expect(PublicKey(.p256, x: [UInt8](repeating: 1, count: 32), y: [UInt8](repeating: 1, count: 32)) == nil)
    #expect(PublicKey(.p256, x: [UInt8](repeating: 1, count: 31), y: [UInt8](repeating: 1, count: 32)) == nil)
    #expect(PublicKey(.ed25519, x: [1], y: []) == nil)
    #expect(PublicKey(modulus: [], exponent: [1, 0, 1]) == nil)
  }
}
