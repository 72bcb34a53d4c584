import Foundation
import Testing

@testable import Domain

@Suite("Dates of nights")
struct NightTests {
  @Test(
    "A night is the date of the last instant before the cut-off",
    arguments: [
      (HandMade.asOf.milliseconds, "UTC", "2026-03-31"), (HandMade.asOf.milliseconds + 1, "UTC", "2026-04-01"),
      (HandMade.asOf.milliseconds, "America/New_York", "2026-03-31"),
      (HandMade.asOf.milliseconds, "Asia/Tokyo", "2026-04-01"), (0, "UTC", "1969-12-31"),
    ])
  func lastInstant(
    cutoff: Int64, zone: String, night: String
  )
    throws
  {
    let timezone = try #require(TimeZone(identifier: zone))
    #expect(Night.name(endingAt: Instant(milliseconds: cutoff), timezone: timezone) == night)
  }

  @Test("Only dates name nights")
  func onlyDates() {
    #expect(Night.isName("2026-03-31"))
    for name in ["latest", "2026-3-31", ".publishing-2026-03-31", "2026-03-31x", "20260331"] {
      #expect(!Night.isName(name))
    }
  }
}
