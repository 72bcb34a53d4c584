/// A failed renewal, and what came of it before the cut-off.
struct FailedRenewal {
  var time: Int64
  /// The first recovery or subscription charge at its instant or later.
  var mended: Int64?
  /// The first such one that is later.
  var mendedLater: Int64?
  /// The first expiry at its instant or later that names neither another product nor another subscription.
  var expired: Int64?
}

extension MetricContext {
  /// The failed renewals inside the window, with what followed them up to the cut-off, as far as the metric's `where`
  /// lets it through.
  func failedRenewals(of user: UserInGroup, in window: Range<Int64>) -> [FailedRenewal] {
    let retries = events(of: .billingRetry, by: user, in: window)
    guard retries.contains(where: { _ in true }) else { return [] }
    let rest = window.lowerBound..<Int64.max
    let paid = charges(of: user, in: rest).filter(\.isAutoRenewable).map(\.time)
    let mended = (events(of: .billingRecovery, by: user, in: rest).map(\.time) + paid).sorted()
    let expiries = Array(events(of: .expire, by: user, in: rest))
    return retries.map { retry in
      FailedRenewal(
        time: retry.time, mended: mended.first(from: retry.time), mendedLater: mended.first(from: retry.time + 1),
        expired: expiries.first { $0.time >= retry.time && $0.mayEnd(retry) }?.time)
    }
  }
}

extension UserHistory.Event {
  /// Whether an expiry may be the end of what could not be renewed: they name neither two products nor two subscriptions.
  fileprivate func mayEnd(_ retry: UserHistory.Event) -> Bool {
    (product == retry.product || product == Interner.none || retry.product == Interner.none)
      && isOfSubscription(retry.chain)
  }
}

extension [Int64] {
  /// The first at or after `time`, of times that ascend.
  fileprivate func first(from time: Int64) -> Int64? {
    let index = partitioningIndex { $0 >= time }
    return index < count ? self[index] : nil
  }
}
