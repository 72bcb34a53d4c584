/// Charges' rows that say how much of the charge was given back, and not when.
///
/// A refund's own row says when. What of such a sum those rows tell, whether before the cut-off or after it, is not given
/// back at the charge's time; only what none of them tells is.
///
///     told by the charge, of 2 March:   3.33     →  nothing, for the refund tells all of it
///     told by a refund, of 8 March:     3.33
struct UndatedRefunds {
  /// By charge: what refunds tell one by one, the most that is stated at a time, and the largest sum without a time, with
  /// its place.
  private var single: [Int: Int64] = [:]
  private var stated: [Int: Int64] = [:]
  private var largest: [Int: (position: Int, amount: Int64)] = [:]
  private var keys: Set<UInt64> = []

  /// Notes a refund of a charge that is told at a time.
  mutating func note(_ refund: PurchaseEvent, ofCharge charge: Int) {
    guard refund.type == .refund, !refund.isUndated, refund.measure == .money else { return }
    if refund.isStatement {
      stated[charge] = max(stated[charge] ?? 0, refund.amount)
    } else if !refund.hasKey || keys.insert(refund.keyNumber).inserted {
      single[charge] = (single[charge] ?? 0).addingReportingOverflow(refund.amount).partialValue
    }
  }

  /// Notes the place of a refund without a time; of several of one charge the largest counts, of those the first.
  mutating func note(undated refund: PurchaseEvent, at position: Int, ofCharge charge: Int) {
    if let known = largest[charge], known.amount >= refund.amount { return }
    largest[charge] = (position, refund.amount)
  }

  /// What is left of the refund at a place once others have told their part: a part like theirs, and 0 where they have told
  /// all.
  func rest(of refund: PurchaseEvent, at position: Int, ofCharge charge: Int) -> PurchaseEvent {
    var rest = refund
    let reported = max(single[charge] ?? 0, stated[charge] ?? 0)
    rest.amountMicros = largest[charge]?.position == position ? max(0, refund.amount - reported) : 0
    if rest.amount > 0 { rest.reportedAt = nil }
    return rest
  }
}
