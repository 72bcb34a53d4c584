import Domain
import Jobs

/// A place on a survival curve: so many days after the first payment, or once so many renewals were due.
package enum SurvivalReading: Sendable, Hashable {
  case day(Int)
  case renewals(Int)

  /// `day:` or `renewals:`, where the curve is read.
  package static let option = MetricOption(
    "reading", says: ["renewals", "day"],
    "where the curve is read: once so many renewals were due and their grace over (1 unless said), or after so many days",
    .whole(from: 1), usual: SurvivalReading.renewals(1)
  ) { section, _ in
    let day = section.whole("day", minimum: 1).map(SurvivalReading.day)
    guard let renewals = section.whole("renewals", minimum: 1) else { return day }
    if section.has("day") { section.problem("renewals", "a curve is read at one place; leave out day:.") }
    return .renewals(renewals)
  }

  /// The time on the curve's own scale.
  package var time: Int {
    switch self {
    case .day(let time), .renewals(let time): time
    }
  }

  /// `for 30 days`, `past the first renewal`.
  package var words: String {
    switch self {
    case .day(let day): "for \(Phrase.count(day, "day"))"
    case .renewals(1): "past the first renewal"
    case .renewals(let renewals): "past \(Phrase.count(renewals, "renewal"))"
    }
  }
}

extension MetricRequest {
  /// Where a survival curve is read.
  package var reading: SurvivalReading {
    get { self[SurvivalReading.option] }
    set { self[SurvivalReading.option] = newValue }
  }
}
