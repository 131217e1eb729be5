import TestSupport
import Values

/// A generator of pseudo-random numbers, texts and values, which repeats its sequence for the same seed.
struct ValueGenerator: RandomNumberGenerator {
  private var generator: Seeded

  init(seed: UInt64) { generator = Seeded(state: seed) }

  mutating func next() -> UInt64 { generator.next() }

  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  mutating func text() -> String {
    let pieces = [
      "a", "key", "\"", "\\", "\n", "\u{1}", "/", "é", "日本", "😀", "\u{2028}", "\u{7F}", "long enough",
    ]
    return (0..<below(5)).map { _ in pieces[below(pieces.count)] }.joined()
  }

  /// Returns a number that JSON does not change: an integer, or a double that is fractional or beyond ±2^53.
  mutating func number() -> Value {
    switch below(5) {
    case 0: return Value(Int64(below(60)) - 30)
    case 1: return Value(Int64(truncatingIfNeeded: next()) >> Int64(below(64)))
    case 2: return Value(finite: Double(below(1_000_000)) / 1_000 + 0.000_1)!
    default:
      let number = Double(bitPattern: next())
      guard number.isFinite else { return Value(Int64.min) }
      if abs(number) <= 0x1p53, number == Double(Int64(number)) { return Value(Int64(number)) }
      return Value(finite: number)!
    }
  }

  mutating func value(depth: Int = 0) -> Value {
    switch below(depth > 4 ? 4 : 7) {
    case 0: return [.null, true, false][below(3)]
    case 1: return Value(text())
    case 2, 3: return number()
    case 4: return .array((0..<below(depth == 0 ? 30 : 5)).map { _ in value(depth: depth + 1) })
    default:
      var seen: Set<[UInt8]> = []
      let keys = (0..<below(depth == 0 ? 30 : 5)).map { _ in text() }.filter { seen.insert(Array($0.utf8)).inserted }
      return .object(keys.map { ($0, value(depth: depth + 1)) })
    }
  }
}

func bytes(hex: String) -> [UInt8] {
  let digits = hex.filter { $0 != " " }.map { UInt8($0.hexDigitValue!) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
