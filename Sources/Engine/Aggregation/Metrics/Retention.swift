import Domain
import Jobs
import Measurement

extension MetricDefinition {
  /// How long new subscribers stay: from the first paid subscription charge to the end of paid access. Whoever had a
  /// subscription charge before the assignment is no new subscriber.
  package static let retention = MetricDefinition(
    name: "retention",
    meaning:
      "the share of subscribers left, once renewals were due or on a day, by Kaplan and Meier; groups are compared by a log-rank test of the whole curves",
    kind: .mean, isSurvival: true, hasWindow: false, looksBeyondWindow: true, needsCharge: true,
    options: [SurvivalReading.option],
    perUser: MetricPerUser(
      kind: .proportion,
      wording: { request in
        let stay = "subscribe and stay \(request.reading.words)"
        return MetricWording("Users who \(stay)", "wins", fewer: "users who \(stay)").seen(
          "{} of {users} subscribed and stayed \(request.reading.words)")
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
      return Survival(course, of: user.history).quantity
    }
  }
}
