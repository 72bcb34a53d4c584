import Foundation
import Testing

@testable import Domain

@Suite("Days and instants")
struct InstantTests {
  @Test("Days and dates lead to each other, over ten thousand years")
  func days() {
    var date = CivilDate(day: CivilDate(year: 1, month: 1, dayOfMonth: 1).day)
    for day in date.day..<CivilDate(year: 2500, month: 1, dayOfMonth: 1).day {
      guard CivilDate(day: day) == date, date.day == day else {
        Issue.record("day \(day) is \(CivilDate(day: day)), not \(date)")
        return
      }
      date.dayOfMonth += 1
      if date.dayOfMonth > CivilDate.daysInMonth(year: date.year, month: date.month) {
        date.dayOfMonth = 1
        date.month += 1
      }
      if date.month > 12 {
        date.month = 1
        date.year += 1
      }
    }
    #expect(CivilDate(day: 0).description == "1970-01-01")
    #expect(CivilDate(day: -1).description == "1969-12-31")
    #expect(CivilDate(day: -719_162).description == "0001-01-01")
    #expect(CivilDate(year: 9999, month: 12, dayOfMonth: 31).day == 2_932_896)
  }

  @Test(
    "An instant is written as RFC 3339 in UTC, with milliseconds only where there are any",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
      (1_772_446_530_000, "2026-03-02T10:15:30Z"), (1_772_446_530_050, "2026-03-02T10:15:30.050Z"),
      (-62_135_596_800_000, "0001-01-01T00:00:00Z"),
    ] as [(Int64, String)])
  func text(milliseconds: Int64, text: String) {
    #expect(Instant(milliseconds: milliseconds).rfc3339 == text)
  }

  @Test("Division rounds down on both sides of zero")
  func division() {
    for value in -20...20 {
      #expect(value.dividedRoundingDown(by: 7) == Int((Double(value) / 7).rounded(.down)))
    }
    #expect(Instant(milliseconds: -1).utcDay == -1)
    #expect(Instant(milliseconds: 86_399_999).utcDay == 0)
    #expect(Instant(milliseconds: 86_400_000).utcDay == 1)
  }
}
