import Measurement

extension MetricDefinition {
  /// Of the users with a failed renewal that is settled, those of whom one went through after all. What comes first
  /// settles it: a recovery or a subscription charge, an expiry, or 60 days.
  static let recoveryRate = MetricDefinition(
    name: "recovery_rate",
    meaning:
      "a failed renewal was recovered, or a subscription charge came, before an expiry and within 60 days; per user whose failed renewal is settled",
    kind: .ratio, looksBeyondWindow: true,
    perUser: .users(
      who: "pay after a failed renewal", did: "paid after a failed renewal",
      ofThose: "of those with a settled failed renewal"),
    wording: { _ in
      MetricWording(
        "Users whose failed payment came through, of those settled", "recovers", fewer: "of its failed payments")
    }
  ) { context in
    { user, window in
      var quantity = Quantity()
      for retry in context.failedRenewals(of: user, in: window) {
        let lost = min(retry.expired ?? .max, retry.time + UserHistory.longestRetry)
        if let mended = retry.mended, mended <= lost { return Quantity(y: 1, x: 1) }
        if user.hasCome(lost) { quantity.x = 1 }
      }
      return quantity
    }
  }
}
