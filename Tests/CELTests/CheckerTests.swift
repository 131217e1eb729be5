import CEL
import Testing

struct CheckerTests {
  private let quote = CEL.ValueType.object(
    .init("quote", ["id": .init(.string), "cents": .init(.int), "note": .optional(.string)]))

  private var variables: [String: CEL.ValueType] {
    [
      "orders": .list(.string), "count": .int, "price": .double, "quote": quote, "draft": .nullable(quote),
      "scores": .map(.string, .int), "input": .object(.init("input", ["count": .init(.int)])), "any": .dyn,
      "at": .timestamp, "text": .string, "maybe": .nullable(.int),
    ]
  }

  @Test(
    arguments: [
      ("size(orders) > 0 && input.count <= 9", .bool), ("orders + ['a']", .list(.string)), ("count + 1", .int),
      ("price * 2.0", .double), ("orders.map(o, size(o))", .list(.int)), ("scores.map(k, k)", .list(.string)),
      ("scores.transformMap(k, v, v > 1)", .map(.string, .bool)), ("[1, 2.5]", .list(.dyn)),
      ("[1, null]", .list(.nullable(.int))), ("[[1], [2]]", .list(.list(.int))), ("{'a': 1}", .map(.string, .int)),
      ("count > 1 ? 'a' : 'b'", .string), ("count > 1 ? 1 : null", .nullable(.int)), ("any.field.other", .dyn),
      ("any + 1", .int), ("[any] + [1]", .list(.dyn)), ("at - at", .duration), ("at + duration('1h')", .timestamp),
      ("type(1) == int", .bool), ("quote.note", .nullable(.string)), ("quote['id']", .string), ("scores['a']", .int),
      ("scores.a", .int), ("int(text) + text.size()", .int), ("text.split(',')", .list(.string)), ("[]", .list(.dyn)),
      ("price == 1", .bool), ("dyn(quote)[text]", .dyn), ("[1, 'a'] + [2]", .list(.dyn)),
      ("[[1], ['a']]", .list(.dyn)), ("count > 1 ? quote : {}", .map(.dyn, .dyn)), ("count < 1.5", .bool),
      ("3.0 in [1, 2]", .bool), ("dyn(1)", .dyn),
      ("orders.exists(o, o.startsWith('a'))", .bool), ("quote.transformList(name, value, name)", .list(.string)),
    ] as [(String, CEL.ValueType)])
  func `The type of an expression is inferred`(source: String, type: CEL.ValueType) throws {
    #expect(try CEL.Program(source, in: CEL.Environment(variables)).type == type)
  }

  @Test(
    arguments: [
      ("orders", "orders"), ("orders.filter(o, o != '')", "orders"), ("input.count > 1 ? orders : []", "orders"),
      ("size(orders) == 0 ? [] : orders.filter(o, o != '').filter(o, o != 'a')", "orders"), ("orders + orders", nil),
      ("orders.map(o, o)", nil), ("count > 1 ? orders : ['a']", nil),
    ] as [(String, String?)])
  func `The elements of a part of a list come from the list`(source: String, path: String?) throws {
    let program = try CEL.Program(source, in: CEL.Environment(variables))
    #expect(program.pathOfElements == path.map { [$0] })
  }

  @Test func `The variables that an expression reads have their fields and locations`() throws {
    var environment = CEL.Environment(["a": .dyn, "b": .dyn, "all": .dyn])
    environment.objects = ["all": ["a", "b"]]
    func reads(_ source: String) throws -> [String] {
      try CEL.Program(source, in: environment).reads.map { "\($0.location.column) \($0.path.joined(separator: "."))" }
    }
    #expect(try reads("a.x == 'b' && has(b.y)") == ["1 a.x", "19 b.y"])
    #expect(try reads("[a].exists(b, b == 'c') || all.b == null") == ["2 a", "28 b"])
    #expect(try reads("size(all)") == ["6 a", "6 b"])
    #expect(try reads("has(all.a)") == ["5 a"])
  }

  @Test func `The comparisons of variables with constants are known`() throws {
    let environment = CEL.Environment(["a": .dyn, "b": .dyn, "c": .dyn])
    let source = "a == 'x' || 'y' != b || c in ['z', a] || 1 in a.list || a == b || a > 2"
    let found = try CEL.Program(source, in: environment).comparisons
    #expect(found.map(\.path) == [["a"], ["b"], ["c"], ["a", "list", "[]"]])
    #expect(found.map(\.constant) == [.string("x"), .string("y"), .string("z"), .int(1)])
    #expect(found.prefix(2).map(\.location.column) == [6, 13])
  }

  @Test(arguments: [
    "a.exists(e, e == 'x')": ["a.[]"],
    "a.exists(e, e.kind == 'x' && e.kind in ['y'])": ["a.[].kind", "a.[].kind"],
    "a.exists(e, 'x' in e.tags)": ["a.[].tags.[]"],
    "a.all(i, e, i != 0 || e.kind == 'x')": ["a.[].kind"],
    "a.filter(e, e == 'x').exists(f, f == 'y')": ["a.[]", "a.[]"],
    "(b == null ? [] : b).exists(e, e == 'x')": ["b", "b.[]"],
    "a.exists(e, e.parts.exists(f, f == 'x' || e.kind == 'y' || b == null))": ["a.[].parts.[]", "a.[].kind", "b"],
    "[c].exists(e, e == 'x') || a.map(e, e.kind).exists(f, f == 'x')": [],
  ])
  func `The comparisons of the elements of a list are known`(source: String, paths: [String]) throws {
    let environment = CEL.Environment(["a": .list(.dyn), "b": .nullable(.list(.dyn)), "c": .dyn])
    let found = try CEL.Program(source, in: environment).comparisons
    #expect(found.map { $0.path.joined(separator: ".") } == paths)
  }

  @Test(arguments: [
    "size(ordrs)": "1:6: There is no variable ordrs. Did you mean orders?",
    "xyz": "1:1: There is no variable xyz.",
    "cents + 1": "1:1: There is no variable cents. Did you mean draft.cents?",
    "orders.filter(o, id == o)": "1:18: There is no variable id. Did you mean draft.id?",
    "quote.cent": "1:7: quote has no field cent. Did you mean cents?",
    "quote['ids']": "1:7: quote has no field ids. Did you mean id?",
    "text.fieldd": "1:6: A text has no fields, so .fieldd cannot be selected.",
    "size(1)":
      "1:1: The function size does not take a whole number. It takes a text, bytes, a list or a mapping.",
    "text.indexOf('a', 'b')":
      "1:6: The function indexOf does not take a text and a text. It takes a text or a text and a whole number.",
    "count.startsWith('a')": "1:7: A whole number has no function startsWith. The function works on a text.",
    "text.length": "1:6: A text has no fields, so .length cannot be selected. Write size(…).",
    "count > 1 and true": "1:11: Write && for \"and\".",
    "count > 1 or true": "1:11: Write || for \"or\".",
    "text.size(1)": "1:6: The function size does not take a whole number. It takes nothing.",
    "text.string()": "1:6: The function string takes a value in brackets, as in string(value).",
    "contains(text, 'a')": "1:1: The function contains follows a value, as in value.contains(…).",
    "text.startWith('a')": "1:6: There is no function startWith. Did you mean startsWith?",
    "count + price":
      "1:7: + does not take a whole number and a number. Convert one of them, as in double(count) + price.",
    "'n: ' + count": "1:7: + does not take a text and a whole number. Convert the other one with string(…).",
    "price % 2.0": "1:7: % does not take a number and a number. It takes two whole numbers.",
    "-text": "1:1: - does not take a text.",
    "!count": "1:1: ! does not take a whole number.",
    "count && true": "1:1: An operand of && must be true or false, and is a whole number.",
    "count ? 1 : 2": "1:1: The condition of ? must be true or false, and is a whole number.",
    "count > 1 ? 1 : 'a'":
      "1:11: The branches of ? are a whole number and a text. Give both the same type, or write dyn(…) around one.",
    "count == 'a'": "1:7: A whole number never equals a text. Convert one of them.",
    "count == null": "1:7: A whole number is never null. Remove the test.",
    "count in orders": "1:7: A whole number is never in a list of texts. Convert it to a text.",
    "1 in text": "1:6: in needs a list or a mapping on its right, not a text.",
    "orders < orders": "1:8: < does not take a list of texts and a list of texts.",
    "orders['a']": "1:8: The index of a list must be a whole number, and is a text.",
    "scores[1]": "1:8: The key of the mapping must be a text, and is a whole number.",
    "quote[text]":
      "1:7: The field of quote must be a literal, as in quote['name']. For any field, write dyn(…)[key].",
    "[1] + ['a']":
      "1:5: + does not take a list of whole numbers and a list of texts. The lists need elements of the same type.",
    "count > 1 ? [1] : ['a']":
      "1:11: The branches of ? are a list of whole numbers and a list of texts. Give both the same type, or write "
      + "dyn(…) around one.",
    "count[0]": "1:6: A whole number has no elements. Only a list and a mapping have.",
    "count.all(x, true)": "1:1: all needs a list or a mapping, not a whole number.",
    "orders.filter(o, size(o))": "1:18: The condition of filter must be true or false, and is a whole number.",
    "{1.5: 2}": "1:2: A key of a mapping is a text, a whole number, true or false, not a number.",
    "text.matches('(')": "1:14: A group is not closed. Write ) at its end (at character 1 of the pattern).",
    "orders.map(o, o + 1)": "1:17: + does not take a text and a whole number. Convert the other one with string(…).",
  ])
  func `An error says where it is and what to do`(source: String, message: String) {
    #expect(faults(source, in: variables) == [message])
  }

  @Test func `Every error is reported at once, in the order of the source`() {
    let found = faults("ordrs.size() > 1 &&\n  quote.cent == 2 ||\n  count + 'a' == foo", in: variables)
    #expect(
      found == [
        "1:1: There is no variable ordrs. Did you mean orders?",
        "2:9: quote has no field cent. Did you mean cents?",
        "3:9: + does not take a whole number and a text. Convert the other one with string(…).",
        "3:18: There is no variable foo.",
      ])
  }

  @Test func `The number of errors has a limit`() {
    let found = faults(Array(repeating: "nothing", count: 1000).joined(separator: "&&"))
    #expect(found.count == 100)
  }

  @Test(
    arguments: [
      ("count", .string, ["1:1: The value is a whole number, where a text is expected. Convert it with string(…)."]),
      ("maybe > 1.5", .bool, ["1:1: maybe may be null. Test it first, as in maybe != null && …."]),
      ("draft", .object(.init("quote", [:])), ["1:1: draft may be null. Test it first, as in draft == null ? … : …."]),
      ("3", .double, []), ("{'a': 3}", .map(.string, .double), []), ("[1, 2]", .list(.double), []),
      ("count + 1", .double, []), ("maybe", .nullable(.double), []),
      ("maybe", .double, ["1:1: maybe may be null. Test it first, as in maybe == null ? … : …."]),
      ("price", .int, ["1:1: The value is a number, where a whole number is expected. Convert it with int(…)."]),
      ("null", .nullable(.string), []), ("any", .string, []),
      ("count > 1 ? [] : ['a']", .list(.string), []), ("count > 1 ? ['a'] : []", .list(.string), []),
      ("count > 1 ? {} : {'a': 1}", .map(.string, .int), []),
    ] as [(String, CEL.ValueType, [String])])
  func `The result must be of the expected type`(source: String, type: CEL.ValueType, messages: [String]) {
    #expect(faults(source, in: variables, expecting: type) == messages)
  }

  @Test(
    arguments: [
      ("{'id': 'a', 'cents': 1}", []), ("{'id': 'a', 'cents': 1, 'note': null}", []),
      ("{'id': 'a'}", ["1:1: The object quote needs the fields cents too."]),
      (
        "{'id': 1, 'cents': 1}",
        ["1:8: The field is a whole number, where a text is expected. Convert it with string(…)."]
      ), ("{'id': 'a', 'cents': maybe}", ["1:22: maybe may be null. Test it first, as in maybe == null ? … : …."]),
      ("{'id': 'a', 'cent': 1, 'cents': 2}", ["1:13: quote has no field cent. Did you mean cents?"]),
      ("count > 1 ? quote : {'id': 'a', 'cents': 1}", []),
    ] as [(String, [String])])
  func `A map literal is checked field by field where an object is expected`(source: String, messages: [String]) {
    #expect(faults(source, in: variables, expecting: quote) == messages)
  }

  @Test func `The elements of an expected list are checked in a macro and in a sum`() {
    let items = CEL.ValueType.list(quote)
    #expect(
      faults("orders.map(o, {'id': o, 'cents': 1}) + [{'id': 'a', 'cents': 2}]", in: variables, expecting: items) == [])
    #expect(
      faults("orders.map(o, {'id': 1, 'cents': 1}) + [{'id': 'a'}]", in: variables, expecting: items) == [
        "1:22: The field is a whole number, where a text is expected. Convert it with string(…).",
        "1:41: The object quote needs the fields cents too.",
      ])
  }

  @Test func `An integer becomes a double where one is expected`() throws {
    let program = try CEL.Program("{'price': 1 + 2}", in: CEL.Environment(), expecting: .map(.string, .double))
    guard case .map(let map) = try program.evaluate() else { throw Unexpected() }
    #expect(map["price"]?.typeName == .double)
  }

  @Test func `A value that is declared as a double is one, even if JSON writes it as an integer`() throws {
    let environment = CEL.Environment([
      "price": .double, "prices": .list(.double), "order": .object(.init("order", ["price": .optional(.double)])),
    ])
    let bindings: [String: CEL.Value] = ["price": 3, "prices": [3, 2.5], "order": ["price": 3]]
    let sources = [
      "price / 2.0", "prices[0] / 2.0", "prices.map(p, p / 2.0)[0]", "order.price != null ? order.price / 2.0 : 0.0",
      "prices.filter(p, p > 2.9).map(p, p / 2.0)[0]",
    ]
    for source in sources {
      #expect(try CEL.Program(source, in: environment).evaluate(bindings) == 1.5, "\(source)")
    }
    #expect(throws: CEL.ProgramError.self) { try CEL.Program("price / 2", in: environment) }
  }

  @Test func `The longest declared name counts`() throws {
    let environment = CEL.Environment(["a.b": .int, "a": .map(.string, .int)])
    let program = try CEL.Program("a.b + a.c", in: environment)
    #expect(program.variables == ["a", "a.b"])
    #expect(try program.evaluate(["a.b": 1, "a": ["b": 10, "c": 2]]) == 3)
    #expect(try CEL.Program("[{'b': 5}].map(a, a.b)[0]", in: environment).evaluate() == 5)
  }

  @Test func `An absent optional field is null`() throws {
    let program = try CEL.Program("quote.note == null", in: CEL.Environment(variables))
    #expect(try program.evaluate(["quote": ["id": "a", "cents": 1]]) == true)
    #expect(try program.evaluate(["quote": ["id": "a", "cents": 1, "note": "b"]]) == false)
  }
}
