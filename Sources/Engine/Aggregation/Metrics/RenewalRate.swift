import Jobs
import Measurement

extension MetricDefinition {
  /// `grace:` after the period that a renewal may come in, in milliseconds; nil is the product's.
  private static let grace = MetricOption<Int64?>.duration(
    "grace", "how long after its period a renewal may come; the product's unless said", minimum: 0)

  /// Of the users whose first paid subscription charge is due to be renewed, grace and all, those who renewed,
  /// with whatever subscription: an upgrade renews, too.
  static let renewalRate = MetricDefinition(
    name: "renewal_rate",
    meaning:
      "another paid subscription charge, an upgrade's too, came within the period and grace of the first one; per user whose renewal was due",
    kind: .ratio, looksBeyondWindow: true, needsCharge: true, options: [grace],
    perUser: .users(who: "renew on time", did: "renewed on time", ofThose: "of those whose renewal was due"),
    wording: { _ in
      MetricWording("Renewals on time", "has", fewer: "of its subscriptions renewed on time").seen(
        "{} of subscriptions were renewed on time")
    }
  ) { context in
    let grace = context.request[grace]
    return { user, window in
      let charges = context.charges(of: user, in: window)
      guard let first = charges.first(where: { $0.gross > 0 && $0.isAutoRenewable && !$0.isAddition }),
        let due = user.history.renewalDue(of: first, grace: grace), user.hasCome(due)
      else { return .zero }
      let isRenewed = context.isFollowed(first.time, upTo: due, by: user) { !$0.isAddition }
      return Quantity(y: isRenewed ? 1 : 0, x: 1)
    }
  }
}

extension UserHistory {
  /// The last moment a charge's renewal is on time; nil where nothing tells how long its period is.
  fileprivate func renewalDue(of charge: Charge, grace: Int64?) -> Int64? {
    guard let end = period(of: charge)?.end(from: charge.time) ?? charge.end else { return nil }
    return grace.map { end + $0 } ?? facts.graces[Int(charge.product)].end(from: end)
  }
}
