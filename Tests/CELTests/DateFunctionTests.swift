import CEL
import Testing

/// The functions of calendar dates.
struct DateFunctionTests {
  @Test(arguments: [
    "'2026-12-31'.plusDays(1) == '2027-01-01'", "'2024-02-28'.plusDays(1) == '2024-02-29'",
    "'2026-03-01'.plusDays(-1) == '2026-02-28'", "'0001-01-01'.plusDays(0) == '0001-01-01'",
    "'2026-11-27'.plusDays(-30) == '2026-10-28'", "'1970-01-01'.plusDays(-1) == '1969-12-31'",
    "'2026-01-31'.plusMonths(1) == '2026-02-28'", "'2026-11-27'.plusMonths(12) == '2027-11-27'",
    "'2026-01-31'.plusMonths(-2) == '2025-11-30'", "'2026-12-31'.plusMonths(1) == '2027-01-31'",
    "'2024-02-29'.plusYears(1) == '2025-02-28'", "'2024-02-29'.plusYears(-4) == '2020-02-29'",
    "'2026-11-25'.daysUntil('2026-12-01') == 6", "'2026-12-01'.daysUntil('2026-11-25') == -6",
    "'0001-01-01'.daysUntil('9999-12-31') == 3652058",
    "'2010-11-27'.yearsUntil('2026-11-27') == 16", "'2010-11-28'.yearsUntil('2026-11-27') == 15",
    "'2012-02-29'.yearsUntil('2026-02-28') == 13", "'2012-02-29'.yearsUntil('2026-03-01') == 14",
    "'2026-11-27'.yearsUntil('2010-11-28') == -15",
  ])
  func `a date is moved and compared by the calendar`(_ source: String) throws {
    #expect(try evaluate(source) == true)
  }

  @Test(arguments: ["", "2026-2-1", "2026-02-29", "2026-13-01", "0000-01-01", "2026-02-01T", "today", "２026-02-01"])
  func `a text that is not a date is an error`(_ text: String) throws {
    for source in ["d.plusDays(1)", "d.plusMonths(1)", "d.daysUntil('2026-01-01')", "'2026-01-01'.yearsUntil(d)"] {
      guard case .invalidConversion = try failure(source, with: ["d": .string(text)]) else {
        Issue.record("\(source) does not fail for \(text).")
        continue
      }
    }
  }

  @Test(arguments: [
    "'9999-12-31'.plusDays(n)", "'0001-01-31'.plusMonths(-n)", "'9999-02-01'.plusYears(n)",
    "'2026-01-01'.plusDays(n * 9000000000000000)", "'2026-01-01'.plusYears(-n * 9000000000000000)",
  ])
  func `a date beyond the calendar is an error`(_ source: String) throws {
    #expect(try failure(source, with: ["n": 1]) == .overflow("a date"))
  }

  @Test func `dates are texts, and counts are whole numbers`() throws {
    #expect(faults("d.plusDays('1')", in: ["d": .string]).count == 1)
    #expect(faults("n.plusDays(1)", in: ["n": .int]).count == 1)
    #expect(faults("d.plusDays(1).daysUntil(d) < 0 && d.yearsUntil(d) == 0", in: ["d": .string]) == [])
    #expect(try CEL.Program("'2026-02-30'.plusDays(1)", in: CEL.Environment([:])).constantFaults.count == 1)
  }
}
