import Testing

@testable import Pipeline

@Suite("Calendar periods")
struct CalendarPeriodTests {
  private static let cases = [
    ("2026-01-31", "P1M", "2026-02-28"), ("2028-01-31", "P1M", "2028-02-29"), ("2026-12-15", "P1M", "2027-01-15"),
    ("2026-11-30", "P3M", "2027-02-28"), ("2024-02-29", "P1Y", "2025-02-28"), ("2026-03-01", "P1W", "2026-03-08"),
    ("2026-02-26", "P3D", "2026-03-01"), ("2026-12-31", "P2Y", "2028-12-31"),
  ]

  @Test("end on the same day of a later month, or on its last", arguments: cases)
  func after(from: String, period: String, to: String) throws {
    let start = Instant(milliseconds: try Instant(from, timezone: .gmt).milliseconds + 3_723_004)
    let end = try #require(CalendarPeriod(period)).after(start)
    #expect(end.rfc3339 == "\(to)T01:02:03.004Z")
  }

  @Test("are refused in any other form", arguments: ["", "P", "P0D", "1M", "P1H", "PT5M", "P-1M", "P1.5M", "P1001D"])
  func refused(text: String) {
    #expect(CalendarPeriod(text) == nil)
  }
}
