import Measurement

extension MetricDefinition {
  /// Of the subscribers, those whose subscription ended because a renewal failed and nothing mended it before. The end
  /// may lie beyond the window.
  static let involuntaryChurn = MetricDefinition(
    name: "involuntary_churn",
    meaning:
      "access expired after a renewal that failed in the window, with neither a recovery nor a subscription charge between; per user with a subscription charge",
    kind: .ratio, looksBeyondWindow: true, needsCharge: true, isCost: true,
    perUser: .users(
      who: "lose their subscription to a failed payment", did: "lost their subscription to a failed payment", "has",
      ofThose: "of its subscribers"),
    wording: { _ in
      MetricWording("Subscribers lost to failed payments", "loses", fewer: "of its subscribers to failed payments")
        .seen("{} of subscribers were lost to failed payments")
    }
  ) { context in
    { user, window in
      guard context.charges(of: user, in: window).contains(where: \.isAutoRenewable) else { return .zero }
      let isLost = context.failedRenewals(of: user, in: window).contains { retry in
        guard let expired = retry.expired else { return false }
        return retry.mendedLater.map { $0 > expired } ?? true
      }
      return Quantity(y: isLost ? 1 : 0, x: 1)
    }
  }
}
