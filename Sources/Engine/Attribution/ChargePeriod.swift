import Domain

extension UserHistory {
  /// How long a charge is paid for: as the charge itself tells, else as its product; nil where nobody knows.
  func period(of charge: Charge) -> Period? { charge.ownPeriod ?? facts.periods[Int(charge.product)] }
}

extension UserHistory.Charge {
  /// How long it is paid for by what the log tells of it: a billing plan, an offer paid for at once, or the time up to the
  /// end of access that it tells, where that is one of a store's periods; what is prorated is for less than its period.
  var ownPeriod: Period? { reportedPeriod ?? (isProrated ? nil : end.flatMap { Period(from: time, to: $0) }) }
}

extension Period {
  /// The store's period that lies between two times, in milliseconds since 1970: of a week, two weeks, one, two, three or
  /// six months, or a year, where it ends within three days of the second; nil where none does.
  init?(from start: Int64, to end: Int64) {
    let days = (end - start) / Instant.millisecondsPerDay
    let period: Period
    // As many days as each may have, three more or less; what it is exactly the calendar says.
    switch days {
    case 4...10: period = Period(days: 7)
    case 11...17: period = Period(days: 14)
    case 24...34: period = Period(months: 1)
    case 55...65: period = Period(months: 2)
    case 85...95: period = Period(months: 3)
    case 177...187: period = Period(months: 6)
    case 361...369: period = Period(months: 12)
    default: return nil
    }
    guard (period.end(from: start) - end).magnitude <= 3 * UInt64(Instant.millisecondsPerDay) else { return nil }
    self = period
  }
}
