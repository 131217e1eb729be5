/// A short ASCII text that is written from its end, as the digits of a number are found. An interpolation takes twice as
/// long.
struct ReversedText {
  private var characters = InlineArray<32, UInt8>(repeating: 0)
  private var count = 0

  mutating func append(_ character: UInt8) {
    characters[count] = character
    count += 1
  }

  /// Appends the digits of a number, the lowest first. The radix is at most 36.
  @inline(__always)
  mutating func append(_ number: UInt64, radix: UInt64 = 10) {
    var rest = number
    repeat {
      let digit = UInt8(rest % radix)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      rest /= radix
    } while rest > 0
  }

  /// The text, from its first character to its last.
  var string: String {
    String(unsafeUninitializedCapacity: count) { buffer in
      for index in 0..<count { buffer[index] = characters[count - 1 - index] }
      return count
    }
  }
}
