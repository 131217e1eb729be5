import CEL
import Testing

/// The functions of lists, with the cases of Kubernetes' library and faulty ones.
struct ListFunctionTests {
  private static let hour = CEL.Value.duration(CEL.Duration(nanoseconds: 3_600_000_000_000))
  private static let minute = CEL.Value.duration(CEL.Duration(nanoseconds: 60_000_000_000))

  private let types: [String: CEL.ValueType] = [
    "ints": .list(.int), "uints": .list(.uint), "doubles": .list(.double), "wholeDoubles": .list(.double),
    "durations": .list(.duration), "strings": .list(.string), "dates": .list(.timestamp), "bools": .list(.bool),
    "noInts": .list(.int), "noUints": .list(.uint), "noDoubles": .list(.double), "noDurations": .list(.duration),
    "noStrings": .list(.string), "maybeInts": .list(.nullable(.int)), "maybeList": .nullable(.list(.int)),
    "objects": .list(.object(.init("order", ["price": .init(.double)]))), "any": .dyn, "price": .double, "count": .int,
    "maybe": .nullable(.int),
  ]

  private func bindings() throws -> [String: CEL.Value] {
    func time(_ text: String) throws -> CEL.Value { .timestamp(try #require(CEL.Timestamp(text))) }
    return [
      "ints": [1, 2, 2, 3], "uints": [.uint(3), .uint(1)], "doubles": [1.5, 2.5, 2.5, 4.5],
      "wholeDoubles": [1, 2.5, 2],
      "durations": [Self.minute, Self.minute, Self.hour], "strings": ["a", "b", "b", "c"],
      "dates": [try time("2000-01-01T00:00:00Z"), try time("2000-02-01T00:00:00Z"), try time("1999-01-01T00:00:00Z")],
      "bools": [true, false], "noInts": [], "noUints": [], "noDoubles": [], "noDurations": [], "noStrings": [],
      "maybeInts": [1, nil], "maybeList": nil, "objects": [["price": 2], ["price": 0.5]], "any": [3, 1, 2],
      "price": 7, "count": 9, "maybe": nil,
    ]
  }

  private func evaluate(_ source: String) throws -> CEL.Value {
    try CEL.Program(source, in: CEL.Environment(types)).evaluate(try bindings())
  }

  @Test(arguments: [
    "ints.isSorted() && noInts.isSorted() && ![2, 1].isSorted() && [1].isSorted() && [].isSorted()",
    "!uints.isSorted() && doubles.isSorted() && !wholeDoubles.isSorted() && [1, 2.5, 3u].isSorted()",
    "durations.isSorted() && strings.isSorted() && !dates.isSorted() && !['b', 'a'].isSorted()",
    "[b'a', b'b'].isSorted() && ['a', 'aa', 'b'].isSorted()",
    "!bools.isSorted() && [false, true].isSorted()",
    "ints.sum() == 8 && uints.sum() == 4u && doubles.sum() == 11.0 && durations.sum() == duration('1h2m')",
    "noInts.sum() == 0 && noUints.sum() == 0u && noDurations.sum() == duration('0') && [].sum() == 0",
    "noUints.sum() + 1u == 1u && noDoubles.sum() + 0.5 == 0.5 && type(dyn([]).sum()) == int",
    "wholeDoubles.sum() == 5.5 && wholeDoubles.filter(x, x < 2.2).sum() / 2.0 == 1.5",
    "objects.map(o, o.price).sum() == 2.5 && objects.map(o, o.price * 2.0).sum() == 5.0",
    "dyn([]).sum() == 0 && dyn([1, 2]).sum() == 3 && dyn([1.5, 2.0]).sum() == 3.5 && any.sum() == 6",
    "ints.min() == 1 && ints.max() == 3 && uints.min() == 1u && uints.max() == 3u",
    "doubles.min() == 1.5 && wholeDoubles.min() / 2.0 == 0.5 && wholeDoubles.max() == 2.5",
    "durations.min() == duration('1m') && durations.max() == duration('1h') && strings.max() == 'c'",
    "dates.min() == timestamp('1999-01-01T00:00:00Z') && dates.max() == timestamp('2000-02-01T00:00:00Z')",
    "bools.min() == false && bools.max() && [b'b', b'a'].min() == b'a' && ['é', 'z'].max() == 'é'",
    "([0] + noInts).min() == 0 && dyn([2, 1.5, 3u]).min() == 1.5 && any.max() == 3 && [7].min() == 7",
    "ints.indexOf(2) == 1 && ints.lastIndexOf(2) == 2 && ints.indexOf(10) == -1 && ints.lastIndexOf(10) == -1",
    "doubles.indexOf(2.5) == 1 && doubles.lastIndexOf(2.5) == 2",
    "wholeDoubles.indexOf(1.0) == 0 && ints.indexOf(3.0) == 3 && dyn('abc').indexOf('c') == 2",
    "durations.lastIndexOf(duration('60s')) == 1 && strings.indexOf('b') == 1 && strings.lastIndexOf('x') == -1",
    "[[1], [2]].indexOf([2]) == 1 && [{'a': 1}, {'b': 2}].lastIndexOf({'b': 2}) == 1 && [].indexOf('a') == -1",
    "objects.indexOf(objects[1]) == 1 && [1, null].indexOf(null) == 1",
    "any.lastIndexOf(3) == 0 && dyn([[1, 'a']]).indexOf([1, 'a']) == 0",
  ])
  func `A function of lists has the value of Kubernetes`(source: String) throws {
    #expect(try evaluate(source) == true)
  }

  @Test(
    arguments: [
      ("ints.sum()", .int), ("noDoubles.sum()", .double), ("any.sum()", .dyn), ("[].sum()", .dyn),
      ("strings.min()", .string), ("dates.max()", .timestamp), ("any.indexOf(1)", .int), ("ints.isSorted()", .bool),
      ("math.least(1, 2)", .int), ("math.least(count, price)", .double), ("math.least(doubles)", .double),
      ("math.greatest(any, 1)", .int), ("math.greatest(any)", .dyn), ("math.abs(count)", .int),
    ] as [(String, CEL.ValueType)])
  func `The elements decide the type of the result`(source: String, type: CEL.ValueType) throws {
    #expect(try CEL.Program(source, in: CEL.Environment(types)).type == type)
  }

  @Test func `The sum of a list of doubles is a double, even if all its elements are integers`() throws {
    let values: [CEL.Value] = [[], [1, 2], [9_223_372_036_854_775_807, 1]]
    for value in values {
      let program = try CEL.Program("doubles.sum()", in: CEL.Environment(types))
      #expect(try program.evaluate(["doubles": value]).typeName == .double)
    }
  }

  @Test(
    arguments: [
      ("[9223372036854775807, 1].sum()", .overflow("int")), ("[-9223372036854775808, -1].sum()", .overflow("int")),
      ("[18446744073709551615u, 1u].sum()", .overflow("uint")),
      ("[duration('9000000000s'), duration('9000000000s')].sum()", .overflow("duration")),
      ("dyn([1, 2.5]).sum()", .noSuchOverload("sum", [.list, .double])),
      ("dyn([1, null]).sum()", .noSuchOverload("sum", [.list, .null])),
      ("dyn(['a', 'b']).sum()", .noSuchOverload("sum", [.list, .string])),
      ("dyn([[1], [2]]).sum()", .noSuchOverload("sum", [.list, .list])),
      ("dyn('a').sum()", .noSuchOverload("sum", [.string])), ("dyn({'a': 1}).sum()", .noSuchOverload("sum", [.map])),
      ("dyn([1, 'a']).min()", .noSuchOverload("min", [.string, .int])),
      ("dyn([[1], [2]]).max()", .noSuchOverload("max", [.list, .list])),
      ("dyn([null]).min()", .noSuchOverload("min", [.null, .null])), ("dyn(1).min()", .noSuchOverload("min", [.int])),
      ("dyn([1, 'a']).isSorted()", .noSuchOverload("isSorted", [.int, .string])),
      ("dyn([{}]).isSorted()", .noSuchOverload("isSorted", [.map, .map])),
      ("dyn(1).indexOf(1)", .noSuchOverload("indexOf", [.int, .int])),
      ("math.abs(-9223372036854775808)", .overflow("int")),
      ("math.round(dyn(1))", .noSuchOverload("math.round", [.int])),
      ("math.least(dyn(['a']))", .noSuchOverload("math.least", [.list, .string])),
      ("math.least(dyn([[1]]))", .noSuchOverload("math.least", [.list, .list])),
      ("math.greatest(dyn([1, true]))", .noSuchOverload("math.greatest", [.bool, .int])),
      ("math.greatest(1, dyn([2]))", .noSuchOverload("math.greatest", [.int, .list])),
      ("math.greatest(dyn([1]), dyn([2]))", .noSuchOverload("math.greatest", [.list, .list])),
      ("math.greatest(dyn('a'))", .noSuchOverload("math.greatest", [.string])),
    ] as [(String, CEL.EvaluationError.Reason)])
  func `Elements of the wrong type and overflows are errors`(source: String, reason: CEL.EvaluationError.Reason) throws
  {
    #expect(try failure(source) == reason)
  }

  @Test(arguments: ["min": "[].min()", "max": "dyn([]).max()", "math.least": "math.least([])"])
  func `An empty list has no smallest and no greatest element`(name: String, source: String) throws {
    #expect(try failure(source) == .emptyList(name))
  }

  @Test func `NaN has no order`() throws {
    let nan = CEL.Value.double(.nan)
    #expect(try CELTests.evaluate("x.max()", with: ["x": [1.5, nan]]) == 1.5)
    #expect(try CELTests.evaluate("x.isSorted() && x.indexOf(x[1]) == -1", with: ["x": [1.5, nan, 0.5]]) == true)
  }

  @Test(arguments: [
    "strings.sum()":
      "1:9: A list of texts has no function sum. The function works on a list of whole numbers, a list of unsigned "
      + "whole numbers, a list of numbers or a list of durations.",
    "maybeInts.sum()":
      "1:11: A list of whole numbers and nulls has no function sum. The function works on a list of whole numbers, a "
      + "list of unsigned whole numbers, a list of numbers or a list of durations.",
    "maybeList.sum()": "1:1: maybeList may be null. Test it first, as in maybeList == null ? … : ….",
    "sum(ints)": "1:1: The function sum follows a value, as in value.sum(…).",
    "ints.sum(1)": "1:6: The function sum does not take a whole number. It takes nothing.",
    "strings.indexOf(1)": "1:17: A whole number is never in a list of texts. Convert it to a text.",
    "ints.lastIndexOf('a')": "1:18: A text is never in a list of whole numbers. Convert it to a whole number.",
    "ints.indexOf(1, 2)":
      "1:6: The function indexOf does not take a whole number and a whole number. It takes any value.",
    "count.indexOf(1)": "1:7: A whole number has no function indexOf. The function works on a text or a list.",
    "round(price)": "1:1: There is no function round. Did you mean math.round?",
    "math.round(count)": "1:6: The function math.round does not take a whole number. It takes a number.",
    "math.abs('a')":
      "1:6: The function math.abs does not take a text. It takes a whole number, an unsigned whole number or a number.",
    "math.greatest(1, maybe)": "1:18: maybe may be null. Test it first, as in maybe == null ? … : ….",
    "math.least(price, maybe)": "1:19: maybe may be null. Test it first, as in maybe == null ? … : ….",
    "math.least(1, 'a')":
      "1:6: The function math.least does not take a whole number and a text. It takes whole numbers, a list of whole "
      + "numbers, unsigned whole numbers, a list of unsigned whole numbers, numbers or a list of numbers.",
    "math.least()":
      "1:6: The function math.least does not take nothing. It takes whole numbers, a list of whole numbers, unsigned "
      + "whole numbers, a list of unsigned whole numbers, numbers or a list of numbers.",
  ])
  func `A list or a number of the wrong type is a fault`(source: String, message: String) {
    #expect(faults(source, in: types) == [message])
  }

  @Test(arguments: ["[[1], [2]].min()", "[{'a': 1}].max()", "[null].isSorted()", "objects.min()", "[ints].sum()"])
  func `A list whose elements have no order has no smallest one`(source: String) {
    #expect(faults(source, in: types).count == 1)
  }

  @Test(arguments: [
    "math.least(1, 2.5) == 1 && math.least(price, 2) == 2.0 && math.least(0, price) / 2.0 == 0.0",
    "math.least(-1, 0, 1) == -1 && math.greatest(1u, 42u, 0u) == 42u && math.greatest(42.0, -0.5) == 42.0",
    "math.greatest(-5) == -5 && math.least([3u, 2.5, 4]) == 2.5 && math.greatest(wholeDoubles) == 2.5",
    "math.greatest(count, price, 8) == 9 && math.least(1u, 1.5) == 1u && math.greatest(any) == 3",
    "math.round(2.5) == 3.0 && math.round(-1.5) == -2.0 && math.round(-1.4) == -1.0 && math.round(price) == 7.0",
    "math.ceil(1.2) == 2.0 && math.ceil(-1.2) == -1.0 && math.floor(1.2) == 1.0 && math.floor(-1.2) == -2.0",
    "math.abs(-11) == 11 && math.abs(1u) == 1u && math.abs(-11.5) == 11.5 && math.abs(price) / 2.0 == 3.5",
  ])
  func `A function of numbers has the value of cel-go`(source: String) throws {
    #expect(try evaluate(source) == true)
  }

  @Test(arguments: ["n.sum()", "n.min()", "n.isSorted()", "n.indexOf(-1)", "n.lastIndexOf(-1)", "math.least(n)"])
  func `A function of lists costs as much as its list is long`(source: String) throws {
    let list = CEL.Value.list((0..<1000).map { .int($0) })
    // A few steps, and one for each element.
    #expect(try failure(source, with: ["n": list], costLimit: 1010) == nil)
    #expect(try failure(source, with: ["n": list], costLimit: 999) == .costLimitExceeded(limit: 999))
  }

  @Test func `The lists whose function may fail are known, without those that have an element`() throws {
    func parts(_ source: String) throws -> [CEL.PossibleFailure.Part] {
      try CEL.Program(unchecked: source).possibleFailures.map { $0.part }
    }
    #expect(try parts("x.max() + x.map(y, y.a).min()") == [.list, .list])
    #expect(try parts("([0] + x).min() + [x, 1].max() + x.sum()") == [])
    #expect(try parts("size(x) > 0 ? x.max() : 0") == [])
  }
}
