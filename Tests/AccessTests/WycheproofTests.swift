import Foundation
import Testing
import Values

@testable import Access

/// The vectors of Wycheproof for signatures and keys, and those of the RFCs.
@Suite struct WycheproofTests {
  private struct Vector: CustomTestStringConvertible {
    let file: String
    let number: Int
    let comment: String
    let keys: Value
    let token: String
    let isValid: Bool

    var testDescription: String { "\(file) \(number): \(comment)" }

    /// Whether a key of the set has signed the token.
    var isVerified: Bool {
      guard let set = try? JWKSet(Array(TestIssuer.text(keys).utf8), path: "keys"), let token = JSONWebToken(token)
      else {
        return false
      }
      return set.verifier(for: token.algorithm, keyID: token.keyID)?(token) ?? false
    }
  }

  private static func vectors(_ file: String) throws -> [Vector] {
    let path = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Wycheproof/\(file)_test.json")
    let groups = try #require(try JSONParser.parse(Array(Data(contentsOf: path)))["testGroups"])
    return groups.elements.flatMap { group -> [Vector] in
      // Secret keys are not in a JWK Set of an issuer.
      let key = group["public"] ?? group["private"] ?? Value.null
      let keys: Value = key["keys"] == nil ? ["keys": .array([key])] : key
      return (group["tests"] ?? .null).elements.map { test in
        Vector(
          file: file, number: Int(test["tcId"]?.int ?? 0), comment: test["comment"]?.text ?? "", keys: keys,
          token: test["jws"]?.text ?? "", isValid: test["result"]?.text == "valid")
      }
    }
  }

  /// Valid vectors that the service refuses. Secret keys do not verify: an issuer that published them would let everybody
  /// sign. A key with an `alg` verifies no other algorithm (RFC 8725, section 3.1), and `ES521` is not one.
  private static let refused: [String: Set<Int>] = [
    "json_web_key": [2, 13, 14, 15],
    "json_web_signature": [1, 346, 347, 348, 350, 351, 352, 357, 358, 359, 372, 373, 376, 377],
  ]
  /// Invalid vectors that the service accepts: the modulus of the key is that of a broken generator (CVE-2017-15361). The
  /// operator chooses the issuer, and with it the generator.
  private static let accepted: [String: Set<Int>] = ["json_web_key": [7]]

  @Test(arguments: [("json_web_signature", 401), ("json_web_key", 26)])
  func `a signature is valid exactly if Wycheproof says so`(file: String, count: Int) throws {
    let vectors = try Self.vectors(file)
    #expect(vectors.count == count)
    for vector in vectors {
      let isRefused = Self.refused[file]?.contains(vector.number) ?? false
      let isAccepted = Self.accepted[file]?.contains(vector.number) ?? false
      #expect(vector.isVerified == (vector.isValid && !isRefused || isAccepted), "\(vector.testDescription)")
    }
  }
}
