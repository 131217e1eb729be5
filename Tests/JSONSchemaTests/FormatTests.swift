import JSONSchema
import Testing
import Values

/// The formats of texts.
@Suite struct FormatTests {
  @Test(arguments: [
    ("date", "2026-11-25"), ("date", "2024-02-29"), ("date", "0000-01-01"), ("time", "09:30:00Z"),
    ("time", "09:30"), ("phone", "+49 30 123456"),
    ("time", "23:59:59.999+01:00"), ("date-time", "2026-11-25T09:30:00+01:00"), ("date-time", "2026-11-25T08:30:00.5Z"),
    ("email", "ann@example.com"), ("email", "a.b+c@localhost"), ("uri", "https://example.com/a?b=c#d"),
    ("uri", "mailto:ann@example.com"), ("uri", "urn:isbn:1"), ("uri", "http://[::1]/%20"), ("uri", "a:"),
  ])
  func `a text of the format is valid`(format: String, text: String) throws {
    #expect(try JSONSchema(["format": Value(format)]).faults(of: Value(text)) == [])
  }

  @Test(arguments: [
    ("date", "2026-02-29"), ("date", "2026-13-01"), ("date", "2026-1-01"), ("date", "2026-11-25T00:00:00Z"),
    ("date", ""),
    ("date", "2026-11-25T00:00:00"), ("date", "２026-11-25"), ("time", "24:00"), ("time", "24:00:00Z"),
    ("phone", "+49 x"),
    ("time", "09:30:00"), ("time", ""), ("date-time", "2026-11-25"), ("date-time", "2026-11-25 09:30:00Z"),
    ("date-time", "2026-11-25T09:30:00"), ("email", "ann"), ("email", "@example.com"), ("email", "ann@"),
    ("email", "ann@-example.com"), ("email", "ann@example..com"), ("email", "a b@example.com"),
    ("email", String(repeating: "a", count: 243) + "@example.com"), ("uri", "example.com"), ("uri", "/a"), ("uri", ""),
    ("uri", ":a"), ("uri", "1a:b"), ("uri", "http://a b"), ("uri", "http://é"), ("uri", "http://a/%2"),
    ("uri", "http://a/%zz"), ("uri", "http://a\\b"),
  ])
  func `a text of another form is invalid`(format: String, text: String) throws {
    let faults = try JSONSchema(["format": Value(format)]).faults(of: Value(text))
    #expect(faults.map(\.keyword) == ["format"])
    #expect(try JSONSchema(["format": Value(format)], assertsFormats: false).faults(of: Value(text)) == [])
  }

  @Test func `a format says nothing about other types`() throws {
    #expect(try JSONSchema(["format": "date"]).faults(of: 1) == [])
  }
}
