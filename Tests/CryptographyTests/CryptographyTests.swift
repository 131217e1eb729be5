import Cryptography
import TestSupport
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

  @Test func `SHA-256 of pieces is that of the whole, and begins anew after its end`() {
    let text = Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8)
    var hash = SHA256()
    for size in [1, 7, 56] {
      for start in stride(from: 0, to: text.count, by: size) { hash.update(Array(text[start...].prefix(size))) }
      let digest = hash.finish()
      #expect(digest.hexadecimal == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    }
    let empty = hash.finish()
    #expect(empty.hexadecimal == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
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

  @Test func `AES-GCM decrypts the message of test case 16 of its proposal to NIST`() {
    let key = bytes("feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308")
    let context = bytes("feedfacedeadbeeffeedfacedeadbeefabaddad2")
    let sealed = bytes(
      """
      cafebabefacedbaddecaf888
      522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa
      8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662
      76fc6ece0f4e1768cddf8853bb2d551b
      """)
    let text = bytes(
      """
      d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72
      1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b39
      """)
    #expect(AESGCM.open(sealed, key: key, authenticating: context) == text)
  }

  @Test func `a sealed text opens only with its key, its context and all of its bytes`() {
    let (key, context) = ([UInt8](repeating: 1, count: 32), [UInt8(2)])
    for text in [[], [7], [UInt8](repeating: 3, count: 16)] as [[UInt8]] {
      let sealed = AESGCM.seal(text, key: key, authenticating: context)
      #expect(sealed.count == text.count + 28)
      #expect(sealed != AESGCM.seal(text, key: key, authenticating: context))
      #expect(AESGCM.open(sealed, key: key, authenticating: context) == text)
      #expect(AESGCM.open(sealed, key: [UInt8](repeating: 2, count: 32), authenticating: context) == nil)
      #expect(AESGCM.open(sealed, key: key, authenticating: []) == nil)
      for index in sealed.indices {
        var changed = sealed
        changed[index] ^= 1
        #expect(AESGCM.open(changed, key: key, authenticating: context) == nil)
        #expect(AESGCM.open(Array(sealed[..<index]), key: key, authenticating: context) == nil)
      }
    }
  }

  @Test func `Ed25519 verifies the signature of RFC 8032 by its algorithm alone`() {
    // Section 7.1, test 2.
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
    // 379 times the base point: its first coordinate begins with a zero.
    let x = bytes("005543894af3d00ed7d740abdbd75c96b06877b787db5f70eea78b90a8d7c00a")
    let y = bytes("bb4c85a3d8ea29efaafa24406912dd84d5b14dc32bf656ef6c6bd58a5d943f92")
    #expect(PublicKey(.p256, x: x, y: y) != nil && PublicKey(.p256, x: Array(x.dropFirst()), y: y) == nil)
    #expect(PublicKey(.ed25519, x: [1], y: []) == nil)
    let odd = [UInt8](repeating: 0xff, count: 256)
    #expect(PublicKey(modulus: [0] + odd, exponent: [0, 1, 0, 1]) != nil)
    for exponent in [[], [0], [1], [2], [1, 0, 0], [1, 0, 0, 0, 1], odd] as [[UInt8]] {
      #expect(PublicKey(modulus: odd, exponent: exponent) == nil)
    }
    for modulus in [[], odd.dropLast() + [0xfe], [UInt8](repeating: 0xff, count: 1025)] as [[UInt8]] {
      #expect(PublicKey(modulus: modulus, exponent: [1, 0, 1]) == nil)
    }
  }

  @Test func `a key verifies only with the hash of its curve`() {
    let own = SigningKey(.p256)
    let key = PublicKey(.p256, x: own.numbers[0], y: own.numbers[1])
    #expect(key?.verifies(own.signature(of: [1], algorithm: "ES256"), of: [1], by: .es256) == true)
    #expect(key?.verifies(own.signature(of: [1], algorithm: "ES384"), of: [1], by: .es384) == false)
  }

  @Test func `a signature of ECDSA has two numbers of the size of a coordinate`() {
    let own = SigningKey(.p256)
    let key = PublicKey(.p256, x: own.numbers[0], y: own.numbers[1])
    let signature = own.signature(of: [1], algorithm: "ES256")
    #expect(signature.count == 64 && key?.verifies(signature, of: [1], by: .es256) == true)
    let (first, second, zero) = (Array(signature.prefix(32)), Array(signature.dropFirst(32)), [UInt8(0)])
    // The second number is the same with a zero before it.
    for other in [first + zero + second, signature + zero, zero + signature, first, []] {
      #expect(key?.verifies(other, of: [1], by: .es256) == false)
    }
  }
}
