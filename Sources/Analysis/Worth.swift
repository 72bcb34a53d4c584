import Domain
import Statistics

/// What a group's revenue per user comes to in money, against the baseline's.
package struct Worth: Sendable, Hashable {
  /// More money for every 1,000 users, in units of the reporting currency; below 0 for a loss.
  package var perThousandUsers: Double
  /// What it may be: the deciding interval of the lift, taken of the baseline's value; nil where there is none.
  package var range: Interval?
  /// The same for 30 days of all users who join, whatever their group; nil where nobody joins any more.
  package var perMonth: Double?
  /// How many that are a day.
  package var usersPerDay: Double?
  /// Nobody joins any more, so that there is no month's money.
  package var isOver: Bool
  package var currency: String

  /// Nil unless the row is one of money that is shown to differ.
  init?(_ row: ComparisonRow, currency: String, usersPerDay: Double?, joining: Joining) {
    guard row.isMoney, row.decision == .better || row.decision == .worse, let difference = row.difference else {
      return nil
    }
    perThousandUsers = difference * 1000
    if let interval = row.decidedLiftInterval, let baseline = row.baselineValue, baseline > 0 {
      range = Interval(interval.low * baseline * 1000, interval.high * baseline * 1000)
    }
    let rate = usersPerDay.flatMap { $0 > 0 && !joining.isOver ? $0 : nil }
    perMonth = rate.map { difference * $0 * 30 }
    self.usersPerDay = rate
    isOver = joining.isOver
    self.currency = currency
  }

  /// `Worth about 518 USD per 1,000 users (204 to 1,020), 5,170 USD a month at 333 new users a day.`
  package var sentence: String {
    let opening = perThousandUsers < 0 ? "It would cost" : "Worth"
    let ends = range.map { [$0.low, $0.high].map { Phrase.rounded($0.magnitude) } } ?? []
    let sorted = perThousandUsers < 0 ? ends.reversed() : ends
    let range = sorted.isEmpty ? "" : " (\(sorted.joined(separator: " to ")))"
    let month = perMonth.flatMap { month in
      usersPerDay.map { users in
        ", \(Phrase.rounded(month.magnitude)) \(currency) a month at \(Phrase.rounded(users)) new users a day"
      }
    }
    return
      "\(opening) about \(Phrase.rounded(perThousandUsers.magnitude)) \(currency) per 1,000 users\(range)\(month ?? (isOver ? "; nobody joins any more" : ""))."
  }
}
