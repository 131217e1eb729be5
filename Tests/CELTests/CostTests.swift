import CEL
import Testing

struct CostTests {
  private let numbers = CEL.Value.list((0..<1000).map { .int($0) })
  private let map = CEL.Value.map(
    CEL.Map(Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0)" + String(repeating: "k", count: 1000), 1) })))
  private let text = CEL.Value.string(String(repeating: "a", count: 100_000))

  @Test(arguments: [
    "n.all(a, n.all(b, n.all(c, n.all(d, a + b + c + d >= 0))))",
    "n.map(a, n.map(b, n.map(c, [a, b, c])))",
    "n.filter(a, n.exists(b, n.exists(c, b + c < 0)))",
    "n.exists_one(a, n.all(b, n.all(c, true)))",
    "n.transformMap(i, a, n.transformList(j, b, n.transformMap(k, c, 1)))",
    "n.map(a, n + n)",
    "n.map(a, n == n)",
    "n.map(a, a in n)",
    "n.map(a, t + t)",
    "n.map(a, t == t + '')",
    "n.map(a, t.contains('b'))",
    "n.map(a, t.replace('a', t))",
    "t.replace('', t)",
    "n.map(a, t.split(''))",
    "n.map(a, t).join(t)",
    "n.map(a, bytes(t))",
    "n.map(a, string(bytes(t)))",
    "n.map(a, t.reverse())",
    "n.map(a, t.matches('(a*)*b'))",
    "t.matches('(((((a*)*)*)*)*)*b' + '|(a|aa)+c')",
    "n.map(a, '%s'.format([n]))",
    "'%x'.format([t]) + n.map(a, '%x'.format([t]))[0]",
    "n.map(a, [1].all(x, t < t + 'b') || true)",
    "n.map(a, t.size() > 1 || true)",
    "n.map(a, {'x': 1}[t] == 1 || true)",
    "n.map(a, t in {'x': 1})",
    "n.map(a, {t: 1})",
    "n.map(a, m.transformMap(k, v, 1))",
    "n.map(a, m == m)",
    "n.map(a, m.map(k, k))",
    "n.map(a, n.sum())",
    "n.map(a, n.max())",
    "n.map(a, n.isSorted())",
    "n.map(a, n.lastIndexOf(-1))",
    "n.map(a, [n].indexOf(n + [1]))",
    "n.map(a, [t, t].min())",
    "n.map(a, [t, t].isSorted())",
    "n.map(a, [t].indexOf(t + ''))",
    "n.map(a, math.greatest(n))",
  ])
  func `An expression that costs too much is an error`(source: String) throws {
    // The steps alone of many sources do not reach the lower limit: the elements and the bytes do.
    for limit in [CEL.defaultCostLimit, 10_000] {
      let reason = try failure(source, with: ["n": numbers, "t": text, "m": map], costLimit: limit)
      #expect(reason == .costLimitExceeded(limit: limit))
    }
  }

  @Test func `No operator absorbs the error of the cost limit`() throws {
    let source = "n.all(a, n.all(b, n.all(c, true)))"
    for form in ["\(source) || true", "false && \(source) || \(source) || true", "n.exists(x, \(source) || x == 0)"] {
      #expect(try failure(form, with: ["n": numbers], costLimit: 5000) == .costLimitExceeded(limit: 5000), "\(form)")
    }
  }

  @Test func `A result with billions of parts is an error`() throws {
    let doubled = "[[1]]" + String(repeating: ".map(x, [x, x])", count: 40)
    #expect(try failure(doubled) == .costLimitExceeded(limit: CEL.defaultCostLimit))
    #expect(try failure("(\(doubled)) == (\(doubled))") == .costLimitExceeded(limit: CEL.defaultCostLimit))
    #expect(try failure("'%s'.format([\(doubled)])") == .costLimitExceeded(limit: CEL.defaultCostLimit))
    #expect(try failure("size(\(doubled))") == nil)
  }

  @Test func `A deep value is an error and no crash`() throws {
    var value: CEL.Value = 1
    for _ in 0..<1000 { value = [value] }
    let limit = CEL.EvaluationError.Reason.costLimitExceeded(limit: CEL.defaultCostLimit)
    #expect(try failure("x", with: ["x": value]) == limit)
    #expect(try failure("x == x", with: ["x": value]) == limit)
    #expect(try failure("'%s'.format([x])", with: ["x": value]) == limit)
    #expect(try failure("size(x)", with: ["x": value]) == nil)
  }

  @Test func `The cost counts steps, elements and bytes`() throws {
    #expect(try failure("1 + 1", costLimit: 4) == nil)
    #expect(try failure("1 + 1", costLimit: 3) == .costLimitExceeded(limit: 3))
    #expect(try failure("1", costLimit: 0) == .costLimitExceeded(limit: 0))
    #expect(try failure("1", costLimit: -1) == .costLimitExceeded(limit: 0))
    // The variable, the operator and its result are three steps; 200,000 bytes cost 20,000, and again as the result.
    #expect(try failure("t + t", with: ["t": text], costLimit: 40_004) == nil)
    #expect(try failure("t + t", with: ["t": text], costLimit: 40_003) == .costLimitExceeded(limit: 40_003))
  }
}
