import CEL
import TestSupport
import Testing

struct FunctionTests {
  @Test(arguments: [
    ("'%s'.format([1.0])", "1"), ("'%s'.format([0.1])", "0.1"), ("string(1e21)", "1e+21"),
    ("string(1e20)", "100000000000000000000"),
    ("string(1.5e-7)", "1.5e-7"), ("string(0.000001)", "0.000001"), ("string(-0.0)", "-0"),
    ("string(5e-324)", "5e-324"),
    ("string(double('NaN'))", "NaN"), ("'%.0f'.format([0.5])", "0"), ("'%.0f'.format([1.5])", "2"),
    ("'%.2f'.format([3])", "3.00"), ("'%.1f'.format([-0.04])", "-0.0"), ("'%.3e'.format([999.96])", "1.000e+03"),
    ("'%.1e'.format([9.99])", "1.0e+01"), ("'%e'.format([0.0])", "0.000000e+00"), ("'%x'.format([-255])", "-ff"),
    ("'%b'.format([-9223372036854775808])", "-1" + String(repeating: "0", count: 63)),
    ("'%s'.format([[{'b': 1, 'a': [b'x', null]}, int]])", "[{a: [x, null], b: 1}, int]"),
    ("'abc'.replace('', '-')", "-a-b-c-"), ("'aaa'.replace('a', 'b', 2)", "bba"), ("'aaa'.replace('a', 'b', 0)", "aaa"),
    ("''.replace('', 'x')", "x"), ("'abc'.split('').join(',')", "a,b,c"), ("'a,b,c'.split(',', 2).join('|')", "a|b,c"),
    ("','.split(',').join('|')", "|"), ("'abc'.split('', 2).join('|')", "a|bc"),
    ("'\u{E9}\u{1F431}'.reverse()", "\u{1F431}\u{E9}"),
    ("strings.quote('a\\n\\\"')", "\"a\\n\\\"\""), ("string(duration('-1.5s'))", "-1.5s"),
    ("string(duration('1h') + duration('1ns'))", "3600.000000001s"), ("string(timestamp(-1))", "1969-12-31T23:59:59Z"),
    ("string(timestamp('2024-02-29T12:00:00.120+02:00'))", "2024-02-29T10:00:00.12Z"),
  ])
  func `A text is formatted`(source: String, text: String) throws {
    #expect(try evaluate(source) == .string(text))
  }

  @Test(arguments: [
    "timestamp('2023-02-29T00:00:00Z')", "timestamp('2023-13-01T00:00:00Z')", "timestamp('2023-01-01')",
    "timestamp('2023-01-01T24:00:00Z')", "timestamp('2023-01-01T00:00:60Z')", "timestamp('2023-01-01T00:00:00')",
    "timestamp('2023-01-01T00:00:00+25:00')", "timestamp('0000-12-31T23:59:59Z')", "timestamp('2023-01-01T00:00:00.Z')",
    "timestamp('2023-01-01T00:00:00.' + '\(String(repeating: "1", count: 59))' + 'Zx')",
    "duration('')", "duration('1')", "duration('s')", "duration('1x')", "duration('--1s')", "duration('1h-1m')",
    "duration('99999999999999999999s')", "duration('9223372037s')", "duration('.s')", "int('')", "int('1.0')",
    "int('9223372036854775808')", "int('0x10')", "uint('-1')", "double('0x1p3')", "double('nan(1)')", "double('')",
    "double('1e')", "bool('yes')", "string(b'\\xff')", "string(b'\\xed\\xa0\\x80')", "'a'.charAt(-1)",
    "'a'.charAt(9223372036854775807)", "'a'.substring(0, 9223372036854775807)",
    "'a'.indexOf('a', -9223372036854775808)",
    "'%'.format([1])", "'%.101f'.format([1.0])", "'%.99999999999999999999f'.format([1.0])", "'%s'.format([])",
    "'%y'.format([1])", "'%d'.format([1.5])", "timestamp(0).getHours('Mars/Base')",
    "timestamp(0).getHours('../passwd')",
    "timestamp(0).getHours('/etc/passwd')", "timestamp(0).getHours('+1:00')", "timestamp(0).getHours('+24:00')",
  ])
  func `A malformed argument is an error`(source: String) throws {
    #expect(try failure(source) != nil)
  }

  @Test func `A split with a huge limit is complete`() throws {
    #expect(try evaluate("'a,b'.split(',', 9223372036854775807)") == ["a", "b"])
    #expect(try evaluate("'ab'.split('', 9223372036854775807)") == ["a", "b"])
    #expect(try evaluate("'ab'.split('', -9223372036854775808)") == ["a", "b"])
    #expect(try evaluate("'ab'.replace('a', 'c', -9223372036854775808)") == "cb")
  }
}

struct TimeZoneTests {
  /// A file of version 2 without transitions, so that its rule holds for every time.
  private func file(rule: String) -> [UInt8] {
    func header(_ version: UInt8) -> [UInt8] {
      Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + [0, 0, 0, 0] + [0, 0, 0, 0] + [0, 0, 0, 0]
        + [0, 0, 0, 0] + [0, 0, 0, 1] + [0, 0, 0, 4]
    }
    let type: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("UTC\0".utf8)
    return header(0x32) + type + header(0x32) + type + Array("\n\(rule)\n".utf8)
  }

  private func hour(_ time: String, rule: String) throws -> CEL.Value {
    let data = file(rule: rule)
    let environment = CEL.Environment { _ in data }
    return try CEL.Program("timestamp('\(time)').getHours('Test/Zone')", in: environment).evaluate()
  }

  @Test(
    arguments: [
      ("2026-01-01T12:00:00Z", "CET-1CEST,M3.5.0,M10.5.0/3", 13),
      ("2026-07-01T12:00:00Z", "CET-1CEST,M3.5.0,M10.5.0/3", 14),
      ("2026-03-29T00:59:59Z", "CET-1CEST,M3.5.0,M10.5.0/3", 1),
      ("2026-03-29T01:00:00Z", "CET-1CEST,M3.5.0,M10.5.0/3", 3),
      ("2026-10-25T00:59:59Z", "CET-1CEST,M3.5.0,M10.5.0/3", 2),
      ("2026-10-25T01:00:00Z", "CET-1CEST,M3.5.0,M10.5.0/3", 2),
      ("2026-01-01T00:00:00Z", "AEST-10AEDT,M10.1.0,M4.1.0/3", 11),
      ("2026-07-01T00:00:00Z", "AEST-10AEDT,M10.1.0,M4.1.0/3", 10),
      ("2026-07-01T00:00:00Z", "<+0545>-5:45", 5), ("2026-07-01T12:00:00Z", "EST5", 7),
      ("2024-03-01T12:00:00Z", "AAA0BBB,J60,J300", 13), ("2024-02-29T12:00:00Z", "AAA0BBB,J60,J300", 12),
      ("2024-02-29T12:00:00Z", "AAA0BBB,59/0,300", 13),
    ] as [(String, String, Int64)])
  func `The rule of a zone holds after the last transition`(time: String, rule: String, hour: Int64) throws {
    #expect(try self.hour(time, rule: rule) == .int(hour))
  }

  @Test func `Malformed data are an error and no crash`() throws {
    let whole = file(rule: "CET-1CEST,M3.5.0,M10.5.0/3")
    var generator = Seeded(state: 1)
    for count in 0..<whole.count {
      var data = Array(whole.prefix(count + 1))
      for _ in 0..<3 {
        data[Int.random(in: 0...count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      let changed = data
      let environment = CEL.Environment { _ in changed }
      _ = try? CEL.Program("timestamp(0).getHours('Test/Zone')", in: environment).evaluate()
    }
  }

  @Test func `Only names without dots reach the host`() throws {
    let environment = CEL.Environment { name in
      Issue.record("The name \(name) reached the host.")
      return nil
    }
    for name in ["..", "a/../b", "/a", "a/", "a//b", "a b", "a\0b", "é", "", String(repeating: "a", count: 65)] {
      let program = try CEL.Program(
        "timestamp(0).getHours(name)", in: .init(["name": .string], timeZoneData: environment.timeZoneData))
      #expect(throws: CEL.EvaluationError.self, "\(name)") { try program.evaluate(["name": .string(name)]) }
    }
  }
}
