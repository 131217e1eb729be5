/// `Idempotency-Key` (IETF draft draft-ietf-httpapi-idempotency-key-header): a quoted string, or the same without quotes and
/// commas. A comma would come of two headers.
enum IdempotencyKey {
  static func parse(_ header: String) throws(Problem) -> String {
    var key = Substring(header)
    let isQuoted = key.hasPrefix("\"")
    if isQuoted {
      guard key.count >= 2, key.hasSuffix("\"") else {
        throw .invalidRequest("Idempotency-Key lacks its closing quote.")
      }
      key = key.dropFirst().dropLast()
    }
    let isPlain = key.utf8.allSatisfy {
      (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\")
    }
    guard !key.isEmpty, key.utf8.count <= 255, isPlain, isQuoted || !key.utf8.contains(UInt8(ascii: ",")) else {
      throw .invalidRequest("Idempotency-Key is not one key of 1 to 255 printable ASCII characters without quotes.")
    }
    return String(key)
  }
}
