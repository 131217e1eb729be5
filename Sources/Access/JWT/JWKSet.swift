internal import Values

/// The public keys of an issuer (JWK Set, RFC 7517), each with the algorithms that it may be used with.
///
/// A key is never used with an algorithm of another kind, so that a public key is no secret of an HMAC (RFC 8725, section 2.1). What
/// is for encryption, symmetric or of a kind that is unknown here is passed over.
struct JWKSet: Sendable {
  /// By the names of the algorithms; the id is nil for the one key that has none.
  private var keys: [String?: [String: SignatureVerifier]] = [:]

  /// - Throws: what is wrong with the file.
  init(_ bytes: [UInt8], path: String) throws(AccessError) {
    let set: Value
    do throws(JSONError) {
      set = try JSONParser.parse(bytes)
    } catch {
      throw AccessError("\(path) is not JSON: \(error)")
    }
    guard let list = set["keys"], list.kind == .array else {
      throw AccessError("\(path) is not a JWK Set: it has no array \"keys\".")
    }
    for (index, value) in list.elements.enumerated() {
      do throws(AccessError) {
        try add(value)
      } catch {
        throw AccessError("\(path), key \(index + 1): \(error)")
      }
    }
    guard !keys.isEmpty else { throw AccessError("\(path) has no key that signatures can be verified with.") }
  }

  private mutating func add(_ value: Value) throws(AccessError) {
    guard value.kind == .map else { throw AccessError("It is not an object.") }
    let key = PublicKey(value)
    let verifiers = try key.verifiers()
    guard !verifiers.isEmpty else { return }
    guard keys[key.id] == nil else {
      throw AccessError(key.id == nil ? "Another key has no kid either." : "Another key has the same kid.")
    }
    keys[key.id] = verifiers
  }

  /// The key that a token names, if it may be used with the algorithm that the token names. A token that names none is of the only one.
  func verifier(for algorithm: String, keyID: String?) -> SignatureVerifier? {
    let verifiers = keyID == nil && keys.count == 1 ? keys.values.first : keys[keyID]
    return verifiers?[algorithm]
  }
}
