import Testing
import Values

@testable import Navigation

/// The reading and the validation of values, the same for JSON, forms and links.
@Suite struct FieldKindTests {
  private static let numbers: [any FieldKind] = [WholeNumberKind(), NumberKind()]

  @Test(arguments: ["0x10", "+1", "01", "1.", ".5", "1e", "nan", "inf", "infinity", "one", "", "0b1", "1_000", "١"])
  func `a text that is no number in JSON is no number in a form or a link`(text: String) {
    for kind in Self.numbers {
      let value = kind.value(from: text)
      #expect(value == Value(text) && kind.faults(of: value).map(\.keyword) == ["type"])
    }
  }

  @Test func `a number is read as JSON writes it, with the spaces that people type`() {
    for kind in Self.numbers {
      for (text, value) in [("7", 7), ("-7", -7), (" 10 000 ", 10_000), ("7.0", 7), ("1e2", 100)] as [(String, Value)] {
        #expect(kind.value(from: text) == value && kind.faults(of: value).isEmpty, "\(text)")
      }
    }
    #expect(NumberKind().value(from: "0.5") == 0.5)
    #expect(WholeNumberKind().faults(of: 0.5) == [.wrongType(expected: "a whole number")])
  }

  @Test func `a value outside of its bounds fails the keyword of the bound`() {
    let kind = NumberKind(NumberBounds(exclusiveMinimum: 0, maximum: 999.5))
    #expect(kind.faults(of: 0) == [.outside(.exclusiveMinimum(0))] && kind.faults(of: 0.5).isEmpty)
    #expect(kind.faults(of: 999.5).isEmpty && kind.faults(of: 1000) == [.outside(.maximum(999.5))])
    #expect(kind.faults(of: 1000).map(\.keyword) == ["maximum"])
  }

  @Test func `the length of a text counts code points`() {
    let kind = TextKind(length: 2...3)
    #expect(kind.faults(of: "日本語").isEmpty && kind.faults(of: "é") == [.outside(.minimumLength(2))])
    #expect(kind.faults(of: "e\u{301}xy").map(\.keyword) == ["maxLength"])
  }

  @Test func `a text that is not so many digits has one fact, whichever keywords fail`() {
    let faults = TextKind(digits: 4).faults(of: "1a")
    #expect(faults.map(\.keyword) == ["minLength", "pattern"])
    #expect(faults.map(\.fact) == [.outside(.digits(4)), .outside(.digits(4))])
  }

  @Test func `a mistake in the declaration of a field is found`() {
    #expect(TextKind(choices: []).mistakes == [.noChoices])
    #expect(TextKind(choices: ["a", "b", "a"]).mistakes == [.repeatedChoice("a")])
    #expect(
      TextKind(length: -1...2).mistakes == [.negativeLength] && TextKind(digits: -1).mistakes == [.negativeLength])
    #expect(NumberBounds(minimum: 2, maximum: 1).mistakes == [.minimumAboveMaximum])
    #expect(NumberBounds(exclusiveMinimum: 1, maximum: 1).mistakes == [.emptyRange])
  }
}
