import CEL
import TestSupport
import Testing

struct FuzzTests {
  private static let tokens = [
    "1", "2u", "1.5", "'a'", "b'b'", "true", "false", "null", "x", "y", "in", "==", "!=", "<", ">=", "&&", "||", "!",
    "+", "-", "*", "/", "%", "?", ":", ".", ",", "(", ")", "[", "]", "{", "}", "size", "map", "filter", "all",
    "exists_one",
    "has", "format", "matches", "timestamp", "duration", "int", "string", "dyn", "type", "'%s%d'", "'(a*)*'", "`a-b`",
    " ", "\n", "//", "'", "\\", "\u{1F431}", "9223372036854775807", "-9223372036854775808", "0x", "r'",
  ]

  @Test(arguments: 0..<20)
  func `A random sequence of tokens causes no crash`(seed: UInt64) {
    var generator = Seeded(state: seed)
    for _ in 0..<500 {
      let count = Int.random(in: 1...25, using: &generator)
      let source = (0..<count).map { _ in Self.tokens.randomElement(using: &generator) ?? "" }.joined()
      _ = try? CEL.Program(source, in: CEL.Environment(["x": .int, "y": .nullable(.list(.string))]))
      if let program = try? CEL.Program(unchecked: source) { _ = try? program.evaluate(["x": 1], costLimit: 1000) }
    }
  }

  /// The types are sound: an expression without `dyn` that the checker accepts never fails for the type of a value.
  @Test(arguments: 0..<20)
  func `An expression that the checker accepts has no error of types`(seed: UInt64) throws {
    var generator = Seeded(state: 1000 + seed)
    var acceptedCount = 0
    let order = CEL.ValueType.object(
      .init("order", ["id": .init(.string), "count": .init(.int), "note": .optional(.string), "price": .init(.double)]))
    let environment = CEL.Environment([
      "i": .int, "u": .uint, "d": .double, "s": .string, "b": .bool, "l": .list(.int), "w": .list(.string),
      "m": .map(.string, .int), "o": order, "maybe": .nullable(.int), "draft": .nullable(order), "t": .timestamp,
      "p": .duration,
    ])
    for _ in 0..<2000 {
      let source = Self.expression(3, &generator)
      guard let program = try? CEL.Program(source, in: environment) else { continue }
      acceptedCount += 1
      let isNull = Bool.random(using: &generator)
      let bindings: [String: CEL.Value] = [
        "i": 3, "u": .uint(2), "d": 1.5, "s": "abc", "b": true, "l": [1, 2, 3], "w": ["a", "bc"],
        "m": ["a": 1, "b": 2],
        "o": isNull ? ["id": "x", "count": 1, "price": 2.5] : ["id": "x", "count": 1, "price": 2.5, "note": "n"],
        "maybe": isNull ? nil : 4, "draft": isNull ? nil : ["id": "y", "count": 2, "price": 0.5],
        "t": .timestamp(try #require(CEL.Timestamp(seconds: 1_000_000))),
        "p": .duration(CEL.Duration(nanoseconds: 90_000_000_000)),
      ]
      do {
        let value = try program.evaluate(bindings)
        #expect(Self.isValue(value, of: program.type), "\(source) is \(value), not \(program.type)")
      } catch {
        switch error.reason {
        case .noSuchOverload, .unknownVariable, .unknownFunction, .unsupportedKeyType:
          Issue.record("\(source): \(error)")
        default: break
        }
      }
    }
    #expect(acceptedCount > 100)
  }

  private static let names = ["i", "u", "d", "s", "b", "l", "w", "m", "o", "maybe", "draft", "t", "p"]
  private static let literals = ["1", "2u", "0.5", "'a'", "true", "null", "b'x'", "duration('1s')"]
  private static let operators = ["+", "-", "*", "/", "%", "==", "!=", "<", "<=", ">", ">=", "in", "&&", "||"]
  private static let members = [
    "size()", "contains('a')", "lowerAscii()", "trim()", "split(',')", "join()", "indexOf('a')", "charAt(0)",
    "getHours()",
    "matches('a+')", "reverse()", "sum()", "min()", "isSorted()", "indexOf(i)", "lastIndexOf(s)",
  ]
  private static let functions = [
    "size", "int", "uint", "double", "string", "bool", "bytes", "timestamp", "duration", "!", "-", "math.abs",
    "math.round", "math.least",
  ]

  private static func expression(_ depth: Int, _ generator: inout Seeded) -> String {
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
    func part() -> String { expression(depth - 1, &generator) }
    guard depth > 0 else { return Bool.random(using: &generator) ? pick(names) : pick(literals) }
    switch Int.random(in: 0..<14, using: &generator) {
    case 0...2: return "(\(part()) \(pick(operators)) \(part()))"
    case 3: return "(\(part()) ? \(part()) : \(part()))"
    case 4: return "\(pick(functions))(\(part()))"
    case 5: return "\(part()).\(pick(members))"
    case 6: return "\(pick(["o", "draft", "m"])).\(pick(["id", "count", "note", "price", "a"]))"
    case 7: return "\(part())[\(part())]"
    case 8:
      let element = part()
      return "[\(element), \(element)]"
    case 9:
      let name = pick(["maybe", "draft", "o.note"])
      return "(\(name) \(pick(["!=", "=="])) null \(pick(["&&", "||"])) \(part()))"
    case 10: return "(has(\(pick(["o", "draft"])).note) ? \(part()) : \(part()))"
    case 11: return "\(pick(["l", "w", "m"])).\(pick(["map", "filter", "all", "exists"]))(s, \(part()))"
    case 12: return "{'k': \(part())}"
    default: return part()
    }
  }

  /// Returns whether a value is of a type.
  private static func isValue(_ value: CEL.Value, of type: CEL.ValueType) -> Bool {
    switch (type, value) {
    case (.dyn, _), (.null, .null), (.nullable, .null), (.bool, .bool), (.int, .int), (.uint, .uint),
      (.double, .double),
      (.string, .string), (.bytes, .bytes), (.timestamp, .timestamp), (.duration, .duration), (.type, .type),
      (.object, .map):
      true
    case (.nullable(let type), _): isValue(value, of: type)
    case (.list(let element), .list(let values)): values.allSatisfy { isValue($0, of: element) }
    case (.map(_, let element), .map(let map)): map.values.allSatisfy { isValue($0, of: element) }
    default: false
    }
  }
}
