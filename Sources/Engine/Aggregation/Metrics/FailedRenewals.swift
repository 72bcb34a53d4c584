/// A failed renewal, and what came of it before the cut-off.
struct FailedRenewal {
  var time: Int64
  /// The first recovery or subscription charge at its instant or later.
  var mended: Int64?
  /// The first such one that is later.
  var mendedLater: Int64?
  /// The first expiry at its instant or later that does not name another product.
  var expired: Int64?
}

extension MetricContext {
  /// The failed renewals inside the window, with what followed them up to the cut-off, as far as the metric's `where`
  /// lets it through.
  func failedRenewals(of user: UserInGroup, in window: Range<Int64>) -> [FailedRenewal] {
    let retries = events(of: .billingRetry, by: user, in: window)
    guard retries.contains(where: { _ in true }) else { return [] }
    let rest = window.lowerBound..<max(window.lowerBound, user.cutoff)
    let paid = charges(of: user, in: rest).filter(\.isAutoRenewable).map(\.time)
    let mended = (events(of: .billingRecovery, by: user, in: rest).map(\.time) + paid).sorted()
    let expiries = ExpiriesByProduct(events(of: .expire, by: user, in: rest))
    return retries.map { retry in
      FailedRenewal(
        time: retry.time, mended: mended.first(from: retry.time), mendedLater: mended.first(from: retry.time + 1),
        expired: expiries.first(from: retry.time, of: retry.product))
    }
  }
}

/// When access ended, by the product that the log names.
private struct ExpiriesByProduct {
  private var times: [UInt32: [Int64]] = [:]
  private var all: [Int64] = []

  init(_ events: some Sequence<UserHistory.Event>) {
    for event in events {
      times[event.product, default: []].append(event.time)
      all.append(event.time)
    }
  }

  /// The first one of a product, or of none; any where the failed renewal names none itself.
  func first(from time: Int64, of product: UInt32) -> Int64? {
    if product == Interner.none { return all.first(from: time) }
    return [product, Interner.none].compactMap { times[$0]?.first(from: time) }.min()
  }
}

extension [Int64] {
  /// The first at or after `time`, of times that ascend.
  fileprivate func first(from time: Int64) -> Int64? {
    let index = partitioningIndex { $0 >= time }
    return index < count ? self[index] : nil
  }
}
