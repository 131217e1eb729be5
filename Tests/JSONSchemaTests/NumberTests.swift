import JSONSchema
import Testing
import Values

/// Numbers, which are compared exactly.
@Suite struct NumberTests {
  private static let large: [Value] = [
    Value(Int64.min), Value(Int64.max), Value(Int64.min + 1), 9_223_372_036_854_775_808.0, -9_223_372_036_854_775_808.0,
    1.7976931348623157e308, -1.7976931348623157e308, Value(finite: .leastNonzeroMagnitude)!, 9_007_199_254_740_993,
    -0.0,
    9_007_199_254_740_992.0, 0, 1, -1, 0.5, 18_446_744_073_709_551_615.0, 1e19, 1e-300,
  ]

  @Test(
    arguments: [
      ("multipleOf", Value(0.01), Value(19.99), true), ("multipleOf", 0.0001, 0.0075, true),
      ("multipleOf", 0.0001, 0.00751, false), ("multipleOf", 1e-8, 12_391_239_123, true),
      ("multipleOf", 0.1, 0.3, true),
      ("multipleOf", 1.5, 4.5, true), ("multipleOf", 1.5, 35, false), ("multipleOf", 2, 1e300, true),
      ("multipleOf", 0.123456789, 1e308, false), ("multipleOf", Value(finite: .leastNonzeroMagnitude)!, 1, true),
      ("multipleOf", 1e300, 1, false),
      ("multipleOf", 1e300, 0, true), ("multipleOf", 10, -30, true), ("multipleOf", 3, Value(Int64.min), false),
      ("multipleOf", 2, Value(Int64.min), true), ("multipleOf", 1e-19, 1, true), ("multipleOf", 7, 0.7, false),
      ("multipleOf", 1e19, 9_223_372_036_854_775_807, false),
      ("minimum", 9_007_199_254_740_993, 9_007_199_254_740_992.0, false),
      ("maximum", 9_007_199_254_740_992.0, 9_007_199_254_740_993, false),
      ("exclusiveMinimum", 9_007_199_254_740_992.0, 9_007_199_254_740_993, true),
      ("minimum", 9_223_372_036_854_775_808.0, Value(Int64.max), false),
      ("maximum", 9_223_372_036_854_775_808.0, Value(Int64.max), true),
      ("minimum", -9_223_372_036_854_775_808.0, Value(Int64.min), true),
      ("exclusiveMinimum", -9_223_372_036_854_775_808.0, Value(Int64.min), false),
      ("minimum", Value(Int64.min), -1e300, false), ("minimum", Value(Int64.max), 1e300, true),
      ("minimum", 0.5, 1, true), ("minimum", 0.5, 0, false), ("minimum", -0.5, 0, true), ("minimum", -0.5, -1, false),
      ("maximum", 1, 0.5, true), ("maximum", 0, 0.5, false), ("maximum", -1, -0.5, false), ("maximum", 0, -0.5, true),
      ("exclusiveMaximum", 0, -0.0, false), ("const", 1, 1.0, true), ("const", 0, -0.0, true), ("const", 1, 1.5, false),
      ("const", 9_007_199_254_740_993, 9_007_199_254_740_992.0, false), ("enum", [1, 2.0], 2, true),
      ("enum", [[1], 2], [1.0], true), ("const", ["a": 1], ["a": 1.0], true), ("const", true, 1, false),
      ("const", 1, "1", false),
    ] as [(String, Value, Value, Bool)])
  func `numbers are compared exactly`(keyword: String, limit: Value, number: Value, isValid: Bool) throws {
    let schema = try JSONSchema(.object([(keyword, limit)]))
    #expect(schema.faults(of: number).isEmpty == isValid)
  }

  @Test func `no number traps`() throws {
    for limit in Self.large {
      for keyword in ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "const", "minLength"]
      {
        guard let schema = try? JSONSchema(.object([(keyword, limit), ("uniqueItems", true)])) else { continue }
        for number in Self.large { #expect(schema.faults(of: number).count < 2) }
        _ = schema.faults(of: .array(Self.large))
      }
    }
  }

  /// For two numbers, exactly one of the relations holds.
  @Test func `the order is total`() throws {
    for limit in Self.large {
      let schemas = try ["const", "exclusiveMinimum", "exclusiveMaximum"].map { try JSONSchema(.object([($0, limit)])) }
      for number in Self.large {
        #expect(schemas.filter { $0.faults(of: number).isEmpty }.count == 1, "\(limit) and \(number)")
      }
    }
  }
}
