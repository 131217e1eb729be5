import CEL
import Foundation
import Testing

struct ParserTests {
  @Test(
    arguments: [
      ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("10 - 2 - 3", 5), ("2 * 3 % 4", 2), ("-2 * -3", 6), ("- - 3", 3),
      ("true ? 1 : false ? 2 : 3", 1), ("false ? 1 : false ? 2 : 3", 3), ("1 < 2 == true ? 1 : 0", 1),
    ] as [(String, Int64)])
  func `Operators bind as in C`(source: String, number: Int64) throws {
    #expect(try evaluate(source) == .int(number))
  }

  @Test func `&& binds more tightly than ||`() throws {
    #expect(try evaluate("true || false && false") == true)
    #expect(try evaluate("(true || false) && false") == false)
  }

  @Test(arguments: [
    "": "1:1: The expression ends where an operand is expected.",
    "1 +": "1:4: The expression ends where an operand is expected.",
    "1 2": "1:3: 2 stands where an operator or the end is expected.",
    "(1": "1:3: The expression ends where ) after the expression is expected.",
    "[1, 2": "1:6: The expression ends where , or ] after an expression is expected.",
    "[1,,2]": "1:4: , stands where an operand is expected.",
    "{1}": "1:3: } stands where : after the key of a map is expected.",
    "a ? b": "1:6: The expression ends where : after the first branch of ? is expected.",
    "a.1": "1:2: 0.1 stands where an operator or the end is expected.",
    "f(1,)": "1:5: ) stands where an argument is expected.",
    "!-1": "1:2: - stands where an operand is expected.",
    "while": "1:1: while is a reserved word. Choose another name.",
    "Order{id: 1}": "1:6: Messages are not supported. Write a map, as in {'name': value}.",
    "has(x)": "1:1: has needs one field of a value, as in has(order.note).",
    "[1].map(1, 2)":
      "1:9: The first argument of a macro is the name of its variable, as in list.filter(x, x > 0).",
    "[1].all(x, x, true)": "1:12: Both variables have the name x. Rename one.",
  ])
  func `A syntax error says what is expected`(source: String, message: String) {
    #expect(faults(source) == [message])
  }

  @Test func `A reserved word is a field`() throws {
    #expect(try evaluate("{'if': 1}.if") == 1)
    #expect(try evaluate("{'a-b': 1}.`a-b`") == 1)
  }

  @Test(arguments: ["(", "[", "{1:", "f(", "!", "-", "a[", "a ? a : ", "[[1].map(x, ", "a + (", "x.f(1 + "])
  func `Deep nesting is an error`(part: String) {
    for count in [1000, 5000] {
      let message = faults(String(repeating: part, count: count)).first
      #expect(message?.contains("nested more than 64 levels deep") == true || message?.contains("expected") == true)
    }
  }

  @Test(arguments: ["1 + ", "true && ", "'a'.size() < ", "1 == "])
  func `A chain of operators is an error or a flat tree`(part: String) {
    let source = String(repeating: part, count: 60_000 / part.utf8.count) + "1"
    _ = faults(source)
  }

  @Test func `A chain of 10,000 && is flat`() throws {
    #expect(try evaluate(Array(repeating: "true", count: 10_000).joined(separator: "&&")) == true)
  }

  @Test func `The deepest expressions fit into the stack of a secondary thread`() async throws {
    let nested = CEL.maximumNesting - 1
    let sources = [
      String(repeating: "(", count: nested) + "1" + String(repeating: ")", count: nested),
      String(repeating: "[", count: nested) + "1" + String(repeating: "]", count: nested),
      String(repeating: "{1:", count: nested) + "1" + String(repeating: "}", count: nested),
      String(repeating: "true ? 1 : ", count: nested) + "1",
      String(repeating: "false ? 1 : ", count: nested) + "1",
      String(repeating: "[1].map(x, ", count: nested) + "1" + String(repeating: ")", count: nested),
      String(repeating: "size([", count: nested / 2) + "1" + String(repeating: "])", count: nested / 2),
      String(repeating: "1+(2*(", count: nested / 2) + "1" + String(repeating: "))", count: nested / 2),
      String(repeating: "true && (false || (", count: nested / 2) + "true" + String(repeating: "))", count: nested / 2),
      Array(repeating: "1", count: CEL.maximumTreeDepth).joined(separator: "+"),
      String(repeating: "!", count: CEL.maximumTreeDepth - 1) + "true",
      "{}" + String(repeating: ".a", count: CEL.maximumTreeDepth - 1),
      "'a'" + String(repeating: ".trim()", count: CEL.maximumTreeDepth - 1),
      "[1]" + String(repeating: ".map(x, [x, x])", count: CEL.maximumTreeDepth - 4),
    ]
    for source in sources {
      let outcome = try await onSmallStack { () -> Bool in
        guard let program = try? CEL.Program(unchecked: source) else { return false }
        _ = try? program.evaluate()
        _ = try? CEL.Program(source, in: CEL.Environment())
        return true
      }
      #expect(outcome, "\(source.prefix(60))")
    }
  }

  /// Runs a function on a thread with a stack of 512 KiB, the size of a secondary thread on Apple's systems.
  ///
  /// The largest need was 304 KiB. Without optimization, the frames are six times as large.
  private func onSmallStack(_ body: @escaping @Sendable () -> Bool) async throws -> Bool {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      #if DEBUG
        thread.stackSize = 4096 * 1024
      #else
        thread.stackSize = 512 * 1024
      #endif
      thread.start()
    }
  }
}
