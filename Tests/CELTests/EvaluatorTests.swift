import CEL
import Testing

struct EvaluatorTests {
  @Test(
    arguments: [
      ("9223372036854775807 + 1", .overflow("int")), ("-9223372036854775808 - 1", .overflow("int")),
      ("-(-9223372036854775808)", .overflow("int")), ("-9223372036854775808 / -1", .overflow("int")),
      ("-9223372036854775808 % -1", .overflow("int")), ("0u - 1u", .overflow("uint")), ("1 / 0", .divisionByZero),
      ("1u % 0u", .divisionByZero), ("int(1e19)", .overflow("int")), ("int(0.0 / 0.0)", .overflow("int")),
      ("uint(-1)", .overflow("uint")), ("uint(-1.0)", .overflow("uint")), ("uint(1.0 / 0.0)", .overflow("uint")),
      ("timestamp(9223372036854775807)", .overflow("timestamp")),
      ("timestamp(253402300799) + duration('1s')", .overflow("timestamp")),
      ("duration('9000000000s') + duration('9000000000s')", .overflow("duration")),
    ] as [(String, CEL.EvaluationError.Reason)])
  func `A result outside of the range of its type is an error`(source: String, reason: CEL.EvaluationError.Reason)
    throws
  {
    #expect(try failure(source) == reason)
  }

  @Test func `An operand that decides absorbs the errors of the others`() throws {
    #expect(try evaluate("1 / 0 > 1 || true") == true)
    #expect(try evaluate("1 / 0 > 1 && false") == false)
    #expect(try failure("1 / 0 > 1 || false") == .divisionByZero)
    #expect(try evaluate("[0, 1].exists(x, 1 / x == 1)") == true)
    #expect(try failure("[0, 2].exists(x, 1 / x == 1)") == .divisionByZero)
  }

  @Test func `An error has the place of its operator`() throws {
    let program = try CEL.Program("1 +\n 2 / 0", in: CEL.Environment())
    do {
      _ = try program.evaluate()
      Issue.record("The division succeeded.")
    } catch {
      #expect(program.location(of: error).line == 2)
      #expect(program.location(of: error).column == 4)
      #expect("\(error)" == "Division by zero.")
    }
  }

  @Test func `Numbers of different types are equal and ordered`() throws {
    #expect(try evaluate("1 == 1.0 && 1u == 1 && 2 > 1.5 && -1 < 0u && 18446744073709551615u > 1") == true)
    #expect(try evaluate("{1: 'a'}[1u] + {1u: 'b'}[1.0]") == "ab")
    #expect(try evaluate("0.0 / 0.0 == 0.0 / 0.0") == false)
    #expect(try evaluate("[0.0 / 0.0] == [0.0 / 0.0]") == false)
  }

  @Test func `Texts with different normal forms differ as values and as keys`() throws {
    #expect(try evaluate(#"'\u00e9' == 'e\u0301'"#) == false)
    #expect(try evaluate(#"size({'\u00e9': 1, 'e\u0301': 2})"#) == 2)
    #expect(try evaluate(#"'e\u0301'.size() == 2 && 'e\u0301'.contains('e')"#) == true)
  }

  @Test func `A macro sees the variables around it`() throws {
    #expect(try evaluate("[1, 2].map(x, [10, 20].map(y, x + y))") == [[11, 21], [12, 22]])
    #expect(try evaluate("[1, 2].map(x, [x].map(x, x * 2)[0] + x)") == [3, 6])
    #expect(try evaluate("[1, 0, 2].map(x, [1].exists(y, 1 / x == y) || true) == [true, true, true]") == true)
    #expect(try evaluate("[1, 2, 3].map(x, x > 1, x * 2)") == [4, 6])
    #expect(try evaluate("{'a': 1}.transformMap(k, v, v + 1)") == ["a": 2])
  }

  @Test func `A map keeps the order of its keys`() throws {
    let value = try evaluate("{'b': 1, 'a': 2, 'c': 3}")
    guard case .map(let map) = value else { throw Unexpected() }
    #expect(map.keys == ["b", "a", "c"])
    #expect(try failure("{'a': 1, 'a': 2}") == .duplicateKey("'a'"))
    #expect(try failure("{dyn(1.5): 1}") == .unsupportedKeyType(.double))
  }

  @Test func `Elements and keys that are absent are errors`() throws {
    #expect(try failure("[1][1]") == .indexOutOfRange("1"))
    #expect(try failure("[1][-1]") == .indexOutOfRange("-1"))
    #expect(try failure("[1][dyn(18446744073709551615u)]") == .indexOutOfRange("18446744073709551615"))
    #expect(try failure("[1][dyn(1e300)]") == .indexOutOfRange("1e+300"))
    #expect(try failure("{'a': 1}.b") == .noSuchField("b"))
    #expect(try failure("x.a", with: ["x": 1]) == .noSuchOverload("The selection of .a", [.int]))
  }

  @Test func `A value of another type than the declared one is an error where it is used`() throws {
    let program = try CEL.Program("count + 1", in: CEL.Environment(["count": .int]))
    #expect(program.type == .int)
    #expect(throws: CEL.EvaluationError.self) { try program.evaluate(["count": "1"]) }
    #expect(throws: CEL.EvaluationError.self) { try program.evaluate() }
  }
}

struct Unexpected: Error {}
