import Domain
import Jobs

extension MetricDefinition {
  /// `day:` or `renewals:`, where the curve is read.
  fileprivate static let reading = MetricOption(
    "reading", says: ["renewals", "day"],
    "where the curve is read: once so many renewals were due and their grace over (1 unless said), or after so many days",
    usual: SurvivalReading.renewals(1)
  ) { section, _ in
    let day = section.whole("day", minimum: 1).map(SurvivalReading.day)
    guard let renewals = section.whole("renewals", minimum: 1) else { return day }
    if section.has("day") { section.problem("renewals", "a curve is read at one place; leave out day:.") }
    return .renewals(renewals)
  }

  /// How long new subscribers stay: from the first paid subscription charge to the end of paid access. Whoever had a
  /// subscription charge before the assignment is no new subscriber.
  package static let retention = MetricDefinition(
    name: "retention",
    meaning:
      "the share of subscribers left, once renewals were due or on a day, by Kaplan and Meier; groups are compared by a log-rank test of the whole curves",
    kind: .mean, isSurvival: true, takesWindow: false, looksBeyondWindow: true,
    options: [reading],
    perUser: MetricPerUser(
      kind: .proportion,
      wording: { request in
        let stay = "subscribe and stay \(request.reading.words)"
        return MetricWording("Users who \(stay)", "wins", fewer: "users who \(stay)")
      }, ofThose: "of its subscribers"),
    wording: { request in
      MetricWording("Subscribers kept \(request.reading.words)", "keeps", fewer: "subscribers \(request.reading.words)")
    }
  ) { context in
    { user, window in
      let charges = user.history.charges
      guard let any = charges.first(where: \.isAutoRenewable), any.time >= window.lowerBound else { return .zero }
      let first = charges.firstIndex { charge in
        charge.gross > 0 && charge.isAutoRenewable && window.contains(charge.time)
          && context.products.contains(charge.product, charge.kind)
      }
      guard let first, let course = user.history.wholeAccess.course(fromCharge: first) else { return .zero }
      return Survival(course, cutoff: user.cutoff).quantity
    }
  }
}

/// A place on a survival curve: so many days after the first payment, or once so many renewals were due.
package enum SurvivalReading: Sendable, Hashable {
  case day(Int)
  case renewals(Int)

  /// The time on the curve's own scale.
  package var time: Int {
    switch self {
    case .day(let time), .renewals(let time): time
    }
  }

  /// `for 30 days`, `past the first renewal`.
  var words: String {
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
    get { self[MetricDefinition.reading] }
    set { self[MetricDefinition.reading] = newValue }
  }
}
