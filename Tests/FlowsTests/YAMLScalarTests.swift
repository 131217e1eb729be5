import TestSupport
import Testing

@testable import YAML

/// Plain scalars of the core schema.
@Suite struct YAMLScalarTests {
  @Test func `the example of the core schema has the types of the specification`() {
    // Example 10.9 of YAML 1.2.2, without the numbers that JSON does not have.
    let text = """
      A null: null
      Booleans: [ true, True, false, FALSE ]
      Integers: [ 0, 0o7, 0x3A, -19 ]
      Floats: [
        0., -0.0, .5, +12e03, -2E+05 ]
      """
    let outline = """
      {A null: null, Booleans: [true, true, false, false], Integers: [0, 7, 58, -19], \
      Floats: [0.0, -0.0, 0.5, 12000.0, -200000.0]}
      """
    #expect(read(text) == (outline, []))
  }

  @Test(
    arguments: [
      ("", .null), ("~", .null), ("Null", .null), ("NULL", .null), ("nULL", .string), ("TRUE", .boolean(true)),
      ("tRUE", .string), ("False", .boolean(false)), ("+1", .integer(1)), ("-0", .integer(0)), ("007", .integer(7)),
      ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .integerOutOfRange), ("0x7fffffffffffffff", .integer(.max)),
      ("0x8000000000000000", .integerOutOfRange), ("0o777777777777777777777", .integer(.max)),
      ("0o1000000000000000000000", .integerOutOfRange), ("0o8", .string), ("0xg", .string), ("0x", .string),
      ("-0x1", .string), ("0X1", .string), ("0o", .string), ("-", .string), ("+", .string), (".", .string),
      ("-.", .string), ("e1", .string), (".e1", .string), ("1e", .string), ("1e+", .string), ("1.5.2", .string),
      ("1e3", .double(1000)), ("1.", .double(1)), (".5", .double(0.5)), ("-.5e-1", .double(-0.05)),
      ("1e-999", .double(0)), ("5e-324", .double(.leastNonzeroMagnitude)), ("1e999", .doubleOutOfRange),
      ("-1e999", .doubleOutOfRange), (".inf", .doubleOutOfRange), ("+.INF", .doubleOutOfRange),
      ("-.Inf", .doubleOutOfRange), (".iNF", .string), ("inf", .string), ("nan", .string), (".NaN", .doubleOutOfRange),
      ("-.nan", .string), ("1 2", .string), ("１", .string), ("1\u{301}", .string),
    ] as [(String, YAMLScalar)])
  func `a plain scalar has a type`(text: String, scalar: YAMLScalar) {
    #expect(YAMLScalar(text) == scalar)
  }

  @Test func `random scalars have the types of the table in the specification`() {
    var generator = Seeded(state: 1)
    let letters = Array("0123456789+-.eExo~aFfnNulLtTrRUsSiI_: ")
    for length in 1...6 {
      for _ in 0..<300 {
        let text = String((0..<length).map { _ in letters.randomElement(using: &generator)! })
        #expect(YAMLScalar(text).type == Self.type(text), "\(text)")
      }
    }
  }

  /// Returns the type by the regular expressions of section 10.3.2.
  private static func type(_ text: String) -> String {
    if text.wholeMatch(of: /null|Null|NULL|~|/) != nil { return "null" }
    if text.wholeMatch(of: /true|True|TRUE|false|False|FALSE/) != nil { return "boolean" }
    if text.wholeMatch(of: /[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+/) != nil { return "integer" }
    let float = /[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?(\.inf|\.Inf|\.INF)|\.nan|\.NaN|\.NAN/
    return text.wholeMatch(of: float) == nil ? "string" : "double"
  }
}

extension YAMLScalar {
  fileprivate var type: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer, .integerOutOfRange: "integer"
    case .double, .doubleOutOfRange: "double"
    case .string: "string"
    }
  }
}
