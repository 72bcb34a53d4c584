import Domain
import Foundation
import Jobs

/// Tells charges that may have come before or after their user's assignment, because one of the two is told by its day
/// alone.
///
/// Of a purchase log a day is its last millisecond, of assignments its first, so that such a charge counts. What looks so
/// may be the truth for one row in millions; a clock that was cut to days looks so in every row, and is meant, too.
struct DayTimes: Sendable {
  /// In which days of the inputs begin and end.
  private let purchaseZones: [TimeZone]
  private let assignmentZones: [TimeZone]

  /// Clocks of the world differ by quarters of an hour, so that no other time is a midnight.
  private static let quarter: Int64 = 900_000

  init(_ job: Job) {
    purchaseZones = Self.different(job.purchases.map(\.table.timezone))
    assignmentZones = Self.different(job.assignments.map(\.timezone))
  }

  private static func different(_ zones: [TimeZone]) -> [TimeZone] {
    zones.reduce(into: []) { different, zone in if !different.contains(zone) { different.append(zone) } }
  }

  /// Whether nobody can tell which came first.
  ///
  /// - Parameters:
  ///   - time: of a charge, in milliseconds since 1970.
  ///   - start: when its user's time began.
  @inline(__always)
  func isOrderUnknown(_ time: Int64, from start: Int64) -> Bool {
    let isNear = time >= start && time &- start < Instant.millisecondsPerDay &+ 4 &* Self.quarter
    guard isNear, (time &+ 1) % Self.quarter == 0 || start % Self.quarter == 0 else { return false }
    return isReported(time, start)
  }

  private func isReported(_ time: Int64, _ start: Int64) -> Bool {
    let isByPurchase = purchaseZones.contains { zone in
      let day = Self.day(of: time, in: zone)
      return day.contains(start) && day.upperBound - 1 == time
    }
    return isByPurchase
      || assignmentZones.contains { zone in
        let day = Self.day(of: start, in: zone)
        return day.contains(time) && day.lowerBound == start
      }
  }

  /// The local day that an instant lies in.
  private static func day(of time: Int64, in zone: TimeZone) -> Range<Int64> {
    let date = Date(timeIntervalSince1970: Double(time.dividedRoundingDown(by: 1000)))
    let local = time + Int64(zone.secondsFromGMT(for: date)) * 1000
    let day = local.dividedRoundingDown(by: Instant.millisecondsPerDay)
    var clock = LocalTime(timezone: zone)
    return clock.startOfDay(day)..<clock.startOfDay(day + 1)
  }
}
