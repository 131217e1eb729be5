import TestSupport
import Testing

@testable import YAML

/// Properties of the reader for random inputs.
@Suite struct YAMLPropertyTests {
  private static let sample = """
    # é😀
    usher: 1
    root: &a main
    state: {signedIn: {type: boolean, default: false}, "quoted\\ud83d\\ude00": 'it''s'}
    start: [{setTabs: [{start: browse, title: tab.shop, badge: =size(orders)}]}, *a]
    block: |
      one
        two
    folded: >-
      three

      four
    ? [complex]
    : !!str 12
    <<: {12: .inf, "a\\/b": 1e3}
    """

  @Test(arguments: 0..<20)
  func `a damaged file is read or has a fault`(seed: UInt64) {
    var generator = Seeded(state: seed)
    let sample = Array(Self.sample.utf8)
    for _ in 0..<200 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<max(1, bytes.count), using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes.removeSubrange(index...)
        case 1: bytes.removeSubrange(index..<min(bytes.count, index + 3))
        case 2: bytes.insert(Array("\"'[]{}:-?,&*!|>%@\\\t\n #\0".utf8).randomElement(using: &generator)!, at: index)
        case 3: bytes.insert(contentsOf: sample[..<index.quotientAndRemainder(dividingBy: 9).quotient], at: index)
        default: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: index)
        }
        if bytes.isEmpty { bytes = sample }
      }
      check(bytes)
    }
  }

  @Test func `every beginning of a file is read or has a fault`() {
    let sample = Array(Self.sample.utf8)
    for count in sample.indices { check(Array(sample[..<count])) }
  }

  @Test func `random bytes are read or have a fault`() {
    var generator = Seeded(state: 3)
    for count in 0..<500 { check((0..<count % 60).map { _ in UInt8.random(in: 0...255, using: &generator) }) }
  }

  private func check(_ bytes: [UInt8]) {
    let (node, faults) = YAMLReader.read(bytes, file: "flow.yaml")
    #expect(node != nil || !faults.isEmpty)
    #expect(faults.map(\.mark) == faults.map(\.mark).sorted())
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(omittingEmptySubsequences: false) {
      $0 == "\n" || $0 == "\r"
    }
    for mark in faults.map(\.mark) + (node?.all.map(\.mark) ?? []) {
      #expect(mark.line >= 1 && mark.line <= lines.count && mark.column >= 1)
    }
  }

  @Test(arguments: 0..<20)
  func `a random JSON text is read as its value`(seed: UInt64) {
    var generator = Seeded(state: 1000 + seed)
    for _ in 0..<50 {
      let (text, outline) = Self.json(3, &generator)
      #expect(read(text) == (outline, []), "\(text)")
    }
  }

  private static func json(_ depth: Int, _ generator: inout Seeded) -> (text: String, outline: String) {
    let blank = [" ", "", "\n", "\n  "].randomElement(using: &generator)!
    switch Int.random(in: depth > 0 ? 0..<6 : 0..<4, using: &generator) {
    case 0:
      let text = ["null", "true", "false", "12", "-3"].randomElement(using: &generator)!
      return (text, text)
    case 1: return ("1.5e2", "150.0")
    case 2, 3:
      let (text, value) = string(&generator)
      return (text, "q\(value.debugDescription)")
    case 4:
      let items = (0..<Int.random(in: 0..<4, using: &generator)).map { _ in json(depth - 1, &generator) }
      let text = items.map { blank + $0.text }.joined(separator: ",")
      return ("[\(text)\(blank)]", "[\(items.map(\.outline).joined(separator: ", "))]")
    default:
      let items = (0..<Int.random(in: 0..<4, using: &generator)).map { number in
        let (text, value) = string(&generator)
        let item = json(depth - 1, &generator)
        let key = "\"\(number)\(text.dropFirst())"
        return (text: "\(key):\(blank)\(item.text)", outline: "\(number)\(value): \(item.outline)")
      }
      let text = items.map { blank + $0.text }.joined(separator: ",")
      return ("{\(text)\(blank)}", "{\(items.map(\.outline).joined(separator: ", "))}")
    }
  }

  /// Returns a text in double quotes, in which characters are escapes or not, and the text itself.
  private static func string(_ generator: inout Seeded) -> (text: String, value: String) {
    var (text, value) = ("", "")
    for _ in 0..<Int.random(in: 0..<8, using: &generator) {
      let codePoint = Array("ab é€😀\u{10FFFF}\\\"/#:&".unicodeScalars).randomElement(using: &generator)!
      value.unicodeScalars.append(codePoint)
      if codePoint == "\\" || codePoint == "\"" {
        text += "\\\(codePoint)"
      } else if Bool.random(using: &generator) {
        text.unicodeScalars.append(codePoint)
      } else {
        for unit in String(codePoint).utf16 {
          let digits = String(unit, radix: 16, uppercase: Bool.random(using: &generator))
          text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return ("\"\(text)\"", value)
  }
}
