import Foundation
import Testing

@testable import Domain

@Suite("Periods of the calendar")
struct PeriodTests {
  @Test("A period is written as stores write it, in its largest units")
  func written() throws {
    let periods = ["P3D", "P7D", "P2W", "P1M", "P12M", "P1Y6M", "P1M14D", "P1Y3D", "P0D"]
    #expect(
      try periods.map { try #require(Period($0)).iso8601 }
        == ["P3D", "P1W", "P2W", "P1M", "P1Y", "P18M", "P1M14D", "P1Y3D", "P0D"])
    for period in periods { #expect(Period(try #require(Period(period)).iso8601) == Period(period)) }
  }

  private func end(_ period: String, _ start: String) throws -> String {
    let period = try #require(Period(period))
    let start = try Instant(start, timezone: .gmt)
    return Instant(milliseconds: period.end(from: start.milliseconds)).rfc3339
  }

  @Test(
    "Days and weeks are seconds, months and years what the calendar makes of them",
    arguments: [
      ("P3D", "2026-02-27T10:00:00.001Z", "2026-03-02T10:00:00.001Z"),
      ("P1W", "2024-02-28T00:00:00Z", "2024-03-06T00:00:00Z"),
      ("P4W", "2026-03-01T00:00:00Z", "2026-03-29T00:00:00Z"),
      ("P1M", "2026-03-15T23:59:59.999Z", "2026-04-15T23:59:59.999Z"),
      ("P1M", "2026-12-31T12:00:00Z", "2027-01-31T12:00:00Z"),
      ("P6M", "2026-08-31T12:00:00Z", "2027-02-28T12:00:00Z"),
      ("P1Y", "2026-03-01T00:00:00Z", "2027-03-01T00:00:00Z"),
      ("P0D", "2026-03-01T00:00:00Z", "2026-03-01T00:00:00Z"),
      ("P1Y6M", "2026-03-01T00:00:00Z", "2027-09-01T00:00:00Z"),
      ("P1Y2M1W3D", "2026-01-31T10:00:00Z", "2027-04-10T10:00:00Z"),
    ])
  func ends(period: String, start: String, expected: String) throws {
    #expect(try end(period, start) == expected)
  }

  @Test(
    "Where the month has no such day, its last",
    arguments: [
      ("P1M", "2026-01-31T08:00:00Z", "2026-02-28T08:00:00Z"), ("P1M", "2024-01-31T08:00:00Z", "2024-02-29T08:00:00Z"),
      ("P1M", "2026-01-29T08:00:00Z", "2026-02-28T08:00:00Z"), ("P1M", "2026-03-31T08:00:00Z", "2026-04-30T08:00:00Z"),
      ("P1Y", "2024-02-29T08:00:00Z", "2025-02-28T08:00:00Z"), ("P4Y", "2024-02-29T08:00:00Z", "2028-02-29T08:00:00Z"),
      ("P2M", "2026-12-31T08:00:00Z", "2027-02-28T08:00:00Z"), ("P1M", "1969-12-31T08:00:00Z", "1970-01-31T08:00:00Z"),
    ])
  func clipped(period: String, start: String, expected: String) throws {
    #expect(try end(period, start) == expected)
  }

  @Test("Adding months agrees with Foundation's calendar", arguments: 1...5 as ClosedRange<UInt64>)
  func foundation(seed: UInt64) throws {
    var dice = Dice(seed: seed)
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    for _ in 0..<200 {
      let start = Int64(dice.below(4_000_000_000)) * 1000
      let months = dice.below(40)
      let date = Date(timeIntervalSince1970: Double(start) / 1000)
      let expected = try #require(calendar.date(byAdding: .month, value: months, to: date))
      let found = Period(months: Int64(months)).end(from: start)
      #expect(found == Int64(expected.timeIntervalSince1970 * 1000), "seed \(seed): \(start) and \(months) months")
    }
  }

  @Test("An amount a period as an amount a month, halves to the even micro")
  func monthly() throws {
    let cases: [(String, Int64, Int128)] = [
      ("P1D", 1_000_000, 30_000_000), ("P3D", 2_990_000, 29_900_000), ("P1W", 7_990_000, 31_960_000),
      ("P2W", 9_990_000, 19_980_000), ("P4W", 9_990_000, 9_990_000), ("P1M", 19_990_000, 19_990_000),
      ("P2M", 19_990_000, 9_995_000), ("P3M", 10_000_000, 3_333_333), ("P6M", 10_000_000, 1_666_667),
      ("P1Y", 49_990_000, 4_165_833), ("P2M", 1, 0), ("P2M", 3, 2), ("P2M", 5, 2), ("P1Y", 6, 0), ("P1Y", 18, 2),
      ("P7D", 7_990_000, 31_960_000), ("P14D", 9_990_000, 19_980_000), ("P28D", 9_990_000, 9_990_000),
      ("P30D", 9_990_000, 9_990_000), ("P10D", 1_000_000, 3_000_000), ("P1Y6M", 18_000_000, 1_000_000),
      ("P1M15D", 3_000_000, 2_000_000),
    ]
    for (period, micros, expected) in cases {
      #expect(try #require(Period(period)).monthly(micros) == expected, "\(micros) a \(period)")
    }
  }
}
