import Domain

/// What invoices tell: what was paid, and what could not be.
extension StripeSales {
  /// An invoice that was paid is one charge, whatever lines it has; one of nothing that begins a subscription begins a
  /// trial, and one that carries a subscription on, paid by a credit say, lengthens access.
  ///
  /// Source: Stripe, Billing, "Subscription invoices": `billing_reason`; "Use trial periods on subscriptions".
  mutating func tellInvoice(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    var event = PurchaseEvent()
    event.currency = try row.currency()
    guard let amount = try row.micros(.amountPaid, in: event.currency) else {
      throw Fault(reason: .missingPrice, detail: "amount_paid is missing: what was paid is not known")
    }
    let subscription = subscription(row)
    let line = lines.main(of: row.members[.lines])
    event.type = Self.saleType(of: row, isSubscription: !subscription.isEmpty)
    event.user = try user(of: row)
    event.time = try paidAt(row)
    event.product = products.code(line?.price ?? Text.empty)
    if let end = line?.end, !end.isEmpty { event.end = try time.read(end) }
    event.chain = Fingerprint.chain(subscription)
    if amount == 0 {
      guard let told = try unpaid(event, subscription, line) else { return output.addNotMeasured("\(row.name) of 0") }
      return output.add(told)
    }
    event.amountMicros = amount
    if event.product == Interner.none { event.product = invoice }
    readDetails(row, split: split(row), &event)
    var ids = [try required(row, .id), row.id(.charge, .chargeID, with: expanded)]
    ids.append(row.id(.paymentIntent, .paymentIntentID, with: expanded))
    for payment in row.members[.payments].elements(limit: Self.mostPayments) ?? [] {
      guard let payment = payments.read(payment) else { continue }
      let (charge, intent) = (payment[.charge], payment[.paymentIntent])
      ids += [charge.stripeID(expanded), intent.stripeID(expanded)]
    }
    Self.add(event, key: ids[0], transactions: ids + [subscription], into: &output)
  }

  /// Of one invoice.
  private static let mostPayments = 100

  private static func saleType(of row: StripeRow, isSubscription: Bool) -> EventType {
    switch String(decoding: row.text(.billingReason), as: UTF8.self) {
    case "subscription_create", "subscription_update": .purchase
    case "subscription_cycle", "subscription_threshold": .renewal
    case "quote_accept" where isSubscription: .purchase
    case "manual", "automatic_pending_invoice_item_invoice", "quote_accept": .oneTimePurchase
    default: isSubscription ? .renewal : .oneTimePurchase
    }
  }

  /// What an invoice of nothing tells; nil where that is nothing.
  private mutating func unpaid(
    _ sale: PurchaseEvent, _ subscription: Text, _ line: StripeLines.Line?
  ) throws(Fault) -> PurchaseEvent? {
    var event = sale
    event.currency = .none
    guard !subscription.isEmpty, event.end != nil else { return nil }
    switch sale.type {
    case .renewal:
      event.type = .extend
      event.key = Fingerprint(contentOf: .extend, product: event.product, time: event.time)
    case .purchase where line?.isProration == false:
      event.type = .trialStart
      if let line, !line.start.isEmpty { event.time = try time.read(line.start) }
      event.key = Fingerprint(stripe: subscription, .trialStart)
    default: return nil
    }
    event.transaction = Fingerprint(subscription, space: KeySpace.transaction).low
    event.transactionID = subscription
    return event
  }

  private mutating func paidAt(_ row: StripeRow) throws(Fault) -> Int64 {
    let told = [row.text(.paidAt), row.text(.paidAtColumn), row.eventTime, row.text(.created)]
    guard let text = told.first(where: { !$0.isEmpty }) else { throw .missing("created") }
    return try time.read(text)
  }

  /// A renewal that failed, however often it was tried: an invoice fails once. The first invoice of a subscription, or one
  /// of no subscription, renews nothing.
  mutating func tellFailure(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let (reason, subscription) = (row.text(.billingReason), subscription(row))
    guard !subscription.isEmpty, !reason.isEqual("subscription_create") else {
      return output.addNotMeasured("\(row.name) (\(reason.isEmpty ? "no subscription" : reason.shownName))")
    }
    var event = PurchaseEvent()
    event.type = .billingRetry
    event.user = try user(of: row)
    event.time = try time.read(try eventTime(row))
    event.product = products.code(lines.main(of: row.members[.lines])?.price ?? .empty)
    event.isRecoveredByRenewal = true
    event.key = Fingerprint(stripe: try required(row, .id), .billingRetry)
    event.transaction = Fingerprint(subscription, space: KeySpace.transaction).low
    event.transactionID = subscription
    event.chain = Fingerprint.chain(subscription)
    output.add(event)
  }

  /// What of an invoice is tax: a number once, and a list of taxes later.
  ///
  /// Source: Stripe, the invoice object: `tax`, `total_tax_amounts`, and `total_taxes` from 2025-03-31.basil on.
  private func split(_ row: StripeRow) -> PriceSplit? {
    guard let total = try? DecimalText.parse(row.members[.total].bytes.span, decimals: 0) else { return nil }
    let tax = try? DecimalText.parse(row.members[.tax].bytes.span, decimals: 0)
    let sums = [StripeMember.totalTaxes, .totalTaxAmounts].lazy.compactMap { lines.sum(of: row.members[$0]) }
    return PriceSplit(price: total, tax: tax ?? sums.first, proceeds: nil)
  }
}
