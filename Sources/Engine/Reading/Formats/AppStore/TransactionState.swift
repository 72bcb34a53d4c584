import Domain

/// A transaction that stands alone, as it is now, with the renewal of its subscription where that is told.
struct TransactionState {
  let transaction: Record<TransactionMember>
  var renewal: Record<RenewalMember>?
  /// Of the subscription whose last transaction it is; nil where it is not told.
  var status: Status?

  /// The subscription that a renewal is of, where it is not the transaction's.
  var renewalOfOther: Text? {
    guard let own = renewal?.text(.originalTransactionId), !own.isEmpty,
      own != transaction.text(.originalTransactionId)
    else { return nil }
    return own
  }

  /// The state as far as what is signed tells it: `status` itself stands beside the signatures.
  ///
  /// Source: Apple, App Store Server API, `JWSRenewalInfoDecodedPayload`.
  var signedStatus: Status? {
    guard let renewal else { return nil }
    if !transaction.text(.revocationDate).isEmpty { return .revoked }
    if renewal.text(.isInBillingRetryPeriod).isEqual("true") {
      return renewal.text(.gracePeriodExpiresDate).isEmpty ? .inRetry : .inGrace
    }
    return renewal.text(.expirationIntent).isEmpty ? .active : .expired
  }

  /// Without a notification around it.
  fileprivate func bare(_ payload: Record<NotificationMember>) -> Notification {
    Notification(payload: payload, transaction: transaction, renewal: renewal)
  }

  /// What was bought, by its kind, its offer and the reason that the store tells; where it tells none, the first of its
  /// subscription is a purchase.
  fileprivate var type: EventType {
    guard isSubscription else { return .oneTimePurchase }
    if NotificationEvents.isFree(transaction) { return .trialStart }
    let reason = transaction.text(.transactionReason)
    if !reason.isEmpty { return reason.isEqual("RENEWAL") ? .renewal : .purchase }
    return transaction.text(.transactionId) == transaction.text(.originalTransactionId) ? .purchase : .renewal
  }

  private var isSubscription: Bool {
    let kind = transaction.text(.type)
    return kind.isEmpty ? !transaction.text(.subscriptionGroupIdentifier).isEmpty : kind.isEqual(Self.autoRenewable)
  }

  private static let autoRenewable: StaticString = "Auto-Renewable Subscription"

  /// The states that the documentation has. Source: Apple, App Store Server API, `Status`.
  enum Status: UInt8 {
    case active = 1
    case expired, inRetry, inGrace, revoked

    /// Nil of a text that is none of their numbers.
    init?(_ text: Text) {
      guard text.count == 1, let digit = text.first else { return nil }
      self.init(rawValue: digit &- UInt8(ascii: "0"))
    }
  }
}

extension NotificationEvents {
  /// Adds what a transaction tells: what was bought, what was given back of it, and how its subscription stands.
  ///
  /// A notification may tell all of it, too: charges are known by their keys, all else is told a second time.
  mutating func emit(_ state: TransactionState, into output: inout DecodedLine) throws(Fault) {
    let notification = state.bare(unsaid)
    var bought = try event(state.type, notification)
    bought.isDuplicated = !bought.type.isCharge
    guard !bought.isSandbox, !bought.isFamilyShared else { return output.add(bought) }
    if bought.type.isCharge, state.transaction.text(.revocationDate).isEmpty {
      bought.reportedAt = try instant(state.transaction.text(.signedDate))
    }
    let refund = try refund(of: bought, state, notification)
    let standing = try standing(of: bought, state)
    output.add(bought)
    noteAliases(of: notification, bought, into: &output)
    if let refund { output.addCompanion(refund) }
    for event in standing { output.addCompanion(event) }
    noteUnknown(state.transaction, into: &output)
  }

  /// What was given back of a charge when the transaction was signed.
  private mutating func refund(
    of bought: PurchaseEvent, _ state: TransactionState, _ notification: Notification
  ) throws(Fault) -> PurchaseEvent? {
    guard bought.type.isCharge, !state.transaction.text(.revocationDate).isEmpty else { return nil }
    var refund = try event(.refund, notification)
    refund.reportedAt = try instant(state.transaction.text(.signedDate))
    return refund
  }

  /// How the subscription stood when its renewal was signed. A later answer about the transaction replaces an earlier one,
  /// and be it by saying that all is well.
  ///
  /// When auto-renew was turned off is not told: at the latest when it was seen to be off, and before the period was over.
  /// A payment failed when the period was over.
  private mutating func standing(of bought: PurchaseEvent, _ state: TransactionState) throws(Fault) -> [PurchaseEvent] {
    guard let renewal = state.renewal, let end = bought.end else { return [] }
    let signed = renewal.text(.signedDate)
    guard let seen = try instant(signed.isEmpty ? state.transaction.text(.signedDate) : signed) else { return [] }
    let base = snapshot(of: bought, state, renewal, at: seen)
    let cancel = base.becoming(.cancel, at: min(seen, end))
    let isOff = renewal.text(.autoRenewStatus).isEqual("0")
    var retry = base.becoming(.billingRetry, at: end)
    retry.end = try instant(renewal.text(.gracePeriodExpiresDate))
    retry.isRecoveredByRenewal = true
    retry.reportsNoGrace = retry.end == nil && state.status != .inGrace
    var reported: [PurchaseEvent] = []
    switch state.status {
    case .expired:
      let intent = renewal.text(.expirationIntent)
      if intent.isEqual("1") { reported.append(cancel) }
      if intent.isEqual("2") { reported.append(retry) }
      reported.append(base.becoming(.expire, at: intent.isEqual("2") ? max(retry.end ?? end, end) : end))
    case .revoked: break
    case .active, .inRetry, .inGrace, nil:
      if isOff { reported.append(cancel) }
      if state.status == .inRetry || state.status == .inGrace { reported.append(retry) }
    }
    guard reported.isEmpty else { return reported }
    var nothing = base.becoming(.expire, at: seen)
    nothing.isVoid = true
    return [nothing]
  }

  /// What any of the answers about a transaction tells beside it.
  private func snapshot(
    of bought: PurchaseEvent, _ state: TransactionState, _ renewal: Record<RenewalMember>, at seen: Int64
  ) -> PurchaseEvent {
    var event = bought
    event.amountMicros = nil
    event.currency = .none
    event.details = ChargeDetails.none
    event.end = nil
    event.reportedAt = nil
    event.key = Self.chargeKey(state.transaction)
    event.version = RowVersion.packed(milliseconds: seen, contentOf: renewal.fields)
    event.rowStart = bought.time
    event.isDuplicated = true
    return event
  }
}
