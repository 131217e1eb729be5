import CEL
import Testing

struct NarrowingTests {
  private var variables: [String: CEL.ValueType] {
    let inner = CEL.ValueType.object(.init("inner", ["size": .init(.int)]))
    let quote = CEL.ValueType.object(
      .init("quote", ["cents": .init(.int), "note": .optional(.string), "inner": .optional(inner)]))
    return [
      "quote": .nullable(quote), "other": .nullable(quote), "flag": .bool, "maybe": .nullable(.int),
      "items": .list(.nullable(quote)), "words": .nullable(.list(.string)), "prices": .map(.string, .nullable(.int)),
    ]
  }

  @Test(arguments: [
    "quote != null && quote.cents > 1",
    "null != quote && quote.cents > 1",
    "quote == null || quote.cents > 1",
    "!(quote == null) && quote.cents > 1",
    "!(quote != null) || quote.cents > 1",
    "quote != null ? quote.cents : 0",
    "quote == null ? 0 : quote.cents",
    "flag && quote != null && flag && quote.cents > 1",
    "quote != null && other != null ? quote.cents + other.cents : 0",
    "quote == null || other == null ? 0 : quote.cents + other.cents",
    "quote != null && has(quote.note) && quote.note.size() > 1",
    "quote != null && quote.note != null && quote.note.size() > 1",
    "quote != null && quote['note'] != null && quote.note.size() > 1",
    "quote != null && has(quote.inner) ? quote.inner.size : 0",
    "maybe != null ? maybe + 1 : 0",
    "items.map(i, i != null, i.cents)",
    "items.filter(i, i != null && i.cents > 1)",
    "quote != null && [1].all(x, x < quote.cents)",
    "words != null && words.exists(w, w == 'a')",
    "prices.a != null ? prices.a + 1 : 0",
    "items[0] != null && items[0].cents > 1",
    "items[1] == null ? 0 : items[1].cents",
    "items[0] != null && items[0].note != null && items[0].note.size() > 1",
    "quote == other",
    "quote == null",
    "maybe == 1",
    "maybe in [1, 2]",
    "[quote, other].size()",
    "type(quote)",
  ])
  func `A test lets the expression use a value that may be null`(source: String) {
    #expect(faults(source, in: variables) == [])
  }

  @Test(arguments: [
    "quote.cents": "1:1: quote may be null. Test it first, as in quote == null ? … : ….",
    "has(quote.note)": "1:5: quote may be null. Test it first, as in quote == null ? … : ….",
    "quote != null || quote.cents > 1": "1:18: quote may be null. Test it first, as in quote == null ? … : ….",
    "quote == null && quote.cents > 1": "1:18: quote may be null. Test it first, as in quote == null ? … : ….",
    "quote != null ? 0 : quote.cents": "1:21: quote may be null. Test it first, as in quote == null ? … : ….",
    "(quote != null && flag) ? 1 : quote.cents": "1:31: quote may be null. Test it first, as in quote == null ? … : ….",
    "(quote != null || flag) && quote.cents > 1":
      "1:28: quote may be null. Test it first, as in quote == null ? … : ….",
    "quote != null && other.cents > 1": "1:18: other may be null. Test it first, as in other == null ? … : ….",
    "maybe + 1": "1:1: maybe may be null. Test it first, as in maybe == null ? … : ….",
    "maybe < 1": "1:1: maybe may be null. Test it first, as in maybe == null ? … : ….",
    "string(maybe)": "1:8: maybe may be null. Test it first, as in maybe == null ? … : ….",
    "words.exists(w, w == 'a')": "1:1: words may be null. Test it first, as in words == null ? … : ….",
    "words[0]": "1:1: words may be null. Test it first, as in words == null ? … : ….",
    "items[0].cents": "1:6: items[0] may be null. Test it first, as in items[0] == null ? … : ….",
    "items[0] != null && items[1].cents > 1":
      "1:26: items[1] may be null. Test it first, as in items[1] == null ? … : ….",
    "items[items.size() - 1].cents": "1:6: The value may be null. Test it first, as in the value == null ? … : ….",
    "items.map(i, i.cents)": "1:14: i may be null. Test it first, as in i == null ? … : ….",
    "quote != null && [other].map(quote, quote.cents)[0] > 1":
      "1:37: quote may be null. Test it first, as in quote == null ? … : ….",
    "items.map(i, i != null, 1) == items.map(i, i.cents)":
      "1:44: i may be null. Test it first, as in i == null ? … : ….",
    "quote != null && quote.note.size() > 1":
      "1:24: quote.note may be null. Test it first, as in quote.note == null ? … : ….",
    "has(prices.a) ? prices.b + 1 : 0": "1:24: prices.b may be null. Test it first, as in prices.b == null ? … : ….",
  ])
  func `A value that may be null needs a test`(source: String, message: String) {
    #expect(faults(source, in: variables) == [message])
  }

  @Test func `has is false for null where it proves that a value is not null`() throws {
    let program = try CEL.Program("has(prices.a) ? prices.a + 1 : 0", in: CEL.Environment(variables))
    #expect(try program.evaluate(["prices": ["a": nil]]) == 0)
    #expect(try program.evaluate(["prices": ["a": 2]]) == 3)
    #expect(try program.evaluate(["prices": [:]]) == 0)
    #expect(try evaluate("has({'a': null}.a)") == true)
  }
}
