import Foundation
import Testing
import Values

/// Dates as text (RFC 3339).
@Suite struct DateTests {
  struct Visit: Codable, Equatable {
    var at: Date
    var until: Date?
    var all: [Date] = []
  }

  // 2026-11-20T12:00:00Z
  private let noon = Date(timeIntervalSince1970: 1_795_176_000)

  @Test func `a date is a text`() throws {
    let visit = Visit(at: noon, until: nil, all: [noon.addingTimeInterval(0.25)])
    let encoded = try Value(encoding: visit)
    #expect(encoded.description == #"{"at":"2026-11-20T12:00:00Z","until":null,"all":["2026-11-20T12:00:00.250Z"]}"#)
    #expect(try encoded.decode(Visit.self) == visit)
    #expect(throws: ValueError.self) { try Value(finite: 17)?.decode(Date.self) }
  }

  @Test(arguments: [
    (0.0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"), (-0.5, "1969-12-31T23:59:59.500Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (1.9996, "1970-01-01T00:00:02Z"), (0.123, "1970-01-01T00:00:00.123Z"),
    (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
  ])
  func `the text of a date is RFC 3339 in UTC`(seconds: Double, text: String) throws {
    #expect(try Value(encoding: Date(timeIntervalSince1970: seconds)) == Value(text))
    let read = try Value(text).decode(Date.self)
    #expect(abs(read.timeIntervalSince1970 - seconds) < 0.001)
  }

  @Test(arguments: [-62_167_219_201, 253_402_300_800, 1e300])
  func `a date outside of the years 0000 to 9999 is an error`(seconds: Double) {
    #expect(throws: ValueError.self) { try Value(encoding: Date(timeIntervalSince1970: seconds)) }
  }

  @Test func `a date with an offset is decoded`() throws {
    #expect(try Value("2026-11-20T13:30:00+01:30").decode(Date.self) == noon)
    #expect(try Value("2026-11-20T07:00:00.000-05:00").decode(Date.self) == noon)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T12:00:00", "2026-11-20 12:00:00Z", "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z",
    "2026-11-20T24:00:00Z", "2026-11-20T12:00:00.Z", "2026-11-20T12:00:00Z ", "2026-11-20T12:00:00+1:00",
    "x026-11-20T12:00:00Z",
  ])
  func `a malformed date, or one that does not exist, is refused`(text: String) {
    #expect(throws: ValueError.self) { try Value(text).decode(Date.self) }
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_795_176_000_250, "2026-11-20T12:00:00.250Z"),
      (951_782_400_007, "2000-02-29T00:00:00.007Z"),
    ] as [(Int64, String)])
  func `a time in milliseconds always has three fractional digits`(milliseconds: Int64, text: String) {
    #expect(RFC3339.text(millisecondsSince1970: milliseconds) == text)
  }

  @Test(
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_795_176_000, "2026-11-20T12:00:00Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
      (.min, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"), (.max, "9999-12-31T23:59:59Z"),
    ] as [(Int64, String)])
  func `a time in seconds is clamped to the years 0000 to 9999`(seconds: Int64, text: String) {
    let characters = RFC3339.characters(secondsSince1970: seconds)
    #expect(characters.indices.map { characters[$0] } == Array(text.utf8))
  }

  @Test func `a day has the same text as in Foundation`() {
    let formatter = ISO8601DateFormatter()
    for day in stride(from: -719_162 as Int64, to: 2_932_896, by: 97) {
      let characters = RFC3339.characters(secondsSince1970: day * 86_400)
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(day * 86_400)))
      // Foundation uses the Julian calendar before October 1582.
      if day > -141_428 { #expect(String(decoding: characters.indices.map { characters[$0] }, as: UTF8.self) == text) }
    }
  }
}
