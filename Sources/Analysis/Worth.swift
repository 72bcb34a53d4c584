import Domain
import Statistics

/// What a group's revenue per user comes to in money, against the baseline's, by the lift that is expected of it.
package struct Worth: Sendable, Hashable {
  /// More money for every 1,000 users, in units of the reporting currency; below 0 for a loss.
  package var perThousandUsers: Double
  /// What it may be: the expected lift's interval, taken of the baseline's value.
  package var range: Interval
  /// The same for 30 days of all users who join, whatever their group; nil where nobody joins any more.
  package var perMonth: Double?
  /// How many that are a day.
  package var usersPerDay: Double?
  /// Nobody joins any more, so that there is no month's money.
  package var isOver: Bool
  package var currency: String
  /// Whom the night counts: `users who saw the paywall`.
  package var users: String

  /// Nil unless the row is one of money that is shown to differ.
  init?(
    _ row: ComparisonRow, expected: ExpectedLift, currency: String, usersPerDay: Double?, joining: Joining,
    users: String
  ) {
    guard row.isMoney, row.decision == .better || row.decision == .worse, let baseline = row.baselineValue,
      baseline > 0,
      let range = Interval(expected.interval.low * baseline * 1000, expected.interval.high * baseline * 1000)
    else { return nil }
    perThousandUsers = expected.lift * baseline * 1000
    self.range = range
    let rate = usersPerDay.flatMap { $0 > 0 && !joining.isOver ? $0 : nil }
    perMonth = rate.map { expected.lift * baseline * $0 * 30 }
    self.usersPerDay = rate
    isOver = joining.isOver
    self.currency = currency
    self.users = users
  }

  /// `some 5,170 USD a month at 333 new users a day`; where nobody joins any more `some 518 USD per 1,000 users`.
  var clause: String {
    let less = perThousandUsers < 0 ? " less" : ""
    if let perMonth, let usersPerDay {
      return
        "some \(Phrase.rounded(perMonth)) \(currency)\(less) a month at \(Phrase.rounded(usersPerDay)) new \(users) a day"
    }
    return "some \(Phrase.rounded(perThousandUsers)) \(currency)\(less) per 1,000 \(users)"
  }

  /// `Worth about 518 USD per 1,000 users (204 to 1,020), 5,170 USD a month at 333 new users a day.`
  package var sentence: String {
    let opening = perThousandUsers < 0 ? "It would cost" : "Worth"
    let month = perMonth.flatMap { month in
      usersPerDay.map { rate in
        ", \(Phrase.rounded(month.magnitude)) \(currency) a month at \(Phrase.rounded(rate)) new \(users) a day"
      }
    }
    return
      "\(opening) about \(Phrase.rounded(perThousandUsers.magnitude)) \(currency) per 1,000 \(users)\(span)\(month ?? (isOver ? "; nobody joins any more" : ""))."
  }

  /// ` (204 to 1,020)`; where it may be a loss as well as a gain it says so.
  private var span: String {
    let ends = [range.low, range.high].map { Phrase.rounded($0.magnitude) }
    if range.low < 0, range.high > 0 { return " (from \(ends[0]) lost to \(ends[1]) gained)" }
    return " (\((perThousandUsers < 0 ? ends.reversed() : ends).joined(separator: " to ")))"
  }
}
