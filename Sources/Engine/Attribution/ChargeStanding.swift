/// What a store's answers of how a subscription stands say of the charge that paid for it last.
extension UserHistory.Charge {
  /// Takes an answer; which of several came last none of them tells, so that the later end counts, and that it was once seen
  /// not to renew.
  mutating func accept(_ state: PurchaseEvent, recurringMicros price: Int64?) {
    if isProrated, let price, price > 0 { recurringMicros = max(price, recurringMicros ?? 0) }
    if state.type == .billingRetry {
      standing.graceEnd = [standing.graceEnd, state.end].compactMap(\.self).max()
      return
    }
    standing.end = [standing.end, state.end].compactMap(\.self).max()
    if state.type == .cancel { standing.isRenewalOff = true }
  }
}

extension UserHistory {
  /// Whether a plan was changed at no cost by that transaction.
  func isChangeAtNoCost(_ transaction: UInt64) -> Bool {
    happened.mayHold(.extend) && events.contains { $0.type == .extend && $0.transaction == transaction }
  }
}
