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
