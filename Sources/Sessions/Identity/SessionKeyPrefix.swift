/// How the key of a session begins, as it stands in a list or a log.
public struct SessionKeyPrefix: Sendable, Equatable {
  /// 8 to 64 hexadecimal digits in lower case.
  public let digits: String

  /// Nil for anything else than 8 to 64 hexadecimal digits.
  public init?(_ text: String) {
    guard (8...64).contains(text.utf8.count),
      text.utf8.allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
      })
    else { return nil }
    digits = text.lowercased()
  }

  /// The numbers of all keys that begin like this; where there are more than 16 digits, of some that do not as well.
  public var numbers: ClosedRange<Int64> {
    let known = digits.prefix(16)
    let missing = UInt64(4 * (16 - known.utf8.count))
    let lowest = (UInt64(known, radix: 16) ?? 0) << missing
    return Int64(bitPattern: lowest)...Int64(bitPattern: lowest | (1 << missing &- 1))
  }

  public func matches(_ key: SessionKey) -> Bool { key.digits.hasPrefix(digits) }
}

extension SessionKey {
  /// All 64 hexadecimal digits.
  public var digits: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

  /// Nil unless there are 64 hexadecimal digits.
  public init?(digits: String) {
    guard digits.utf8.count == 64, SessionKeyPrefix(digits) != nil else { return nil }
    let digits = Array(digits.utf8)
    let bytes = stride(from: 0, to: 64, by: 2).map { place in
      UInt8(String(decoding: digits[place..<place + 2], as: UTF8.self), radix: 16) ?? 0
    }
    self.init(bytes: bytes)
  }
}
