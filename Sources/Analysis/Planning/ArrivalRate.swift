import Domain
import Jobs
import Measurement

/// How users come: counted so far, and until enrolment ends.
struct ArrivalRate {
  /// Days from the first measured user to the cut-off, or to the end of enrolment if that was before.
  var days: Double?
  /// Measured users of all groups a day, over the whole UTC days of the last fourteen on which any joined: a day without
  /// anybody is one on which nobody was asked. 0 where nobody has joined for a week, and no enrolment was to end then; nil
  /// where no day was whole.
  var usersPerDay: Double?
  /// Users who will still join; nil if enrolment has no end.
  var usersToJoin: Double?

  init(_ offering: OfferingMeasurement, cutoff: Instant, enrolment: Job.Enrolment?) {
    guard let first = offering.measuredFrom else { return }
    let end = enrolment?.to
    let last = min(cutoff, end ?? cutoff)
    let length = Double(last.milliseconds - first.milliseconds) / Double(Instant.millisecondsPerDay)
    guard length > 0 else { return }
    let users = offering.groups.reduce(0) { $0 + $1.measuredUsers }
    days = length
    let isOver = end == nil && Joining(offering, cutoff: cutoff).isOver
    let isReported = offering.groups.contains { !$0.tables.arrivals.isEmpty }
    let recent = Self.recent(offering, wholeDays: Self.wholeDays(from: first, to: last), cutoff: cutoff)
    let rate = recent ?? (isReported ? nil : Double(users) / length)
    usersPerDay = isOver ? 0 : rate
    usersToJoin = end.map {
      Double(max(0, $0.milliseconds - cutoff.milliseconds)) / Double(Instant.millisecondsPerDay)
        * (rate ?? Double(users) / length)
    }
  }

  /// UTC days that lie between two instants as a whole: neither that on which users began to come, unless from its first
  /// millisecond on, nor that which the cut-off cuts.
  private static func wholeDays(from first: Instant, to last: Instant) -> Range<Int64> {
    let start = Instant(milliseconds: first.milliseconds - 1).utcDay + 1
    return start..<max(start, last.utcDay)
  }

  /// Nil where nobody joined on the last of the whole days.
  private static func recent(
    _ offering: OfferingMeasurement, wholeDays: Range<Int64>, cutoff: Instant
  ) -> Double? {
    let recent = wholeDays.clamped(to: cutoff.utcDay - recentDays..<cutoff.utcDay)
    let users = offering.groups.flatMap(\.tables.arrivals).filter { recent.contains($0.day) }
      .reduce(into: [:]) { $0[$1.day, default: 0] += $1.users }.filter { $0.value > 0 }
    return users.isEmpty ? nil : Double(users.values.reduce(0, +)) / Double(users.count)
  }

  private static let recentDays: Int64 = 14
}
