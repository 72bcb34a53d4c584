import Domain

/// What invoices tell: what was paid, and what could not be.
extension StripeSales {
  /// An invoice that was paid is one charge, whatever lines it has; one of nothing begins a trial where it says so, and
  /// where it carries a subscription on, paid by a credit say, it lengthens access.
  ///
  /// Source: Stripe, Billing, "Subscription invoices": `billing_reason`; "Use trial periods on subscriptions".
  mutating func emitInvoice(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    var event = PurchaseEvent()
    event.currency = try row.currency()
    guard let amount = try row.micros(.amountPaid, in: event.currency) else {
      throw Fault(reason: .missingPrice, detail: "amount_paid is missing: what was paid is not known")
    }
    let subscription = subscription(row)
    let lines = self.lines.all(of: row.members[.lines])
    let line = amount == 0 ? lines.main : lines.paidMain
    event.type = line?.kind == .item ? .oneTimePurchase : Self.saleType(of: row, isSubscription: !subscription.isEmpty)
    event.user = try user(of: row)
    event.time = try paidAt(row)
    event.product = products.code(line?.price ?? Text.empty)
    if let line, line.kind != .item, !line.end.isEmpty { event.end = try time.read(line.end) }
    event.chain = Fingerprint.chain(subscription)
    event.subscriptionGroup = Fingerprint.subscriptionGroup(subscription)
    if amount == 0 {
      guard let reported = try unpaid(event, subscription, line) else {
        return output.addNotMeasured("\(row.name) of 0")
      }
      return output.add(reported)
    }
    event.amountMicros = amount
    if event.product == Interner.none { event.product = invoice }
    var reported = ChargeDetails()
    reported.split = split(row)
    reported.period = try settlePeriod(of: &event, row, line)
    reported.recurringMicros = recurring(lines, row, of: event)
    readDetails(row, reported, &event)
    let ids = [try required(row, .id)] + invoiceNames(row).dropFirst()
    event.namesNoPayment = ids.dropFirst().allSatisfy(\.isEmpty)
    Self.add(event, key: ids[0], transactions: ids + [subscription, line?.item ?? .empty], into: &output)
  }

  /// How long a sale is for whose line does not tell when access ends: one that is billed in arrears, for the time that
  /// was used, or one whose own line is not among those that the event has room for.
  ///
  /// Source: Stripe, Billing, "Usage-based billing"; the invoice object: `lines.has_more`, `period_start`.
  private mutating func settlePeriod(
    of event: inout PurchaseEvent, _ row: StripeRow, _ line: StripeLines.Line?
  ) throws(Fault) -> Period? {
    guard let line, let end = event.end else { return nil }
    var period: (start: Text, end: Text)
    if line.kind == .proration, row.holds(.hasMoreLines) {
      period = (row.text(.periodStart), row.text(.periodEnd))
    } else {
      let created = row.text(.created).isEmpty ? event.time : try time.read(row.text(.created))
      guard line.kind == .subscription, end <= created else { return nil }
      period = (line.start, line.end)
    }
    event.end = nil
    guard !period.start.isEmpty, !period.end.isEmpty else { return nil }
    return Period(from: try time.read(period.start), to: try time.read(period.end))
  }

  /// What of the sale is paid again next time, in micros; nil where that is all of it, or not told.
  ///
  /// What was taken off the whole invoice, or put on it, is a share of each line.
  private func recurring(_ lines: [StripeLines.Line], _ row: StripeRow, of event: PurchaseEvent) -> Int64? {
    guard !row.holds(.hasMoreLines), let units = lines.recurring, let sum = lines.sum else { return nil }
    if units == 0 { return lines.main?.kind == .proration && event.type != .renewal ? 0 : nil }
    let total = row.members[.total].bytes.wholeNumber ?? sum
    guard units > 0, sum > 0, total > 0 else { return nil }
    let share = Money.roundedHalfToEven(Int128(units) * Int128(total), by: Int128(sum))
    let unit = (event.currency.stripeDecimals..<6).reduce(Int128(1)) { unit, _ in unit * 10 }
    guard let micros = Int64(exactly: share * unit), micros != event.amountMicros else { return nil }
    return micros
  }

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
    // A free plan, one that is paid by use and a coupon of 100 % begin with nothing, too.
    case .purchase where line?.isTrial == true:
      event.type = .trialStart
      if let line, !line.start.isEmpty { event.time = try time.read(line.start) }
      event.key = Fingerprint(stripe: subscription, .trialStart)
    default: return nil
    }
    event.transaction = Fingerprint(subscription, space: KeySpace.transaction).low
    return event
  }

  private mutating func paidAt(_ row: StripeRow) throws(Fault) -> Int64 {
    let reported = [row.text(.paidAt), row.text(.paidAtColumn), row.eventTime, row.text(.created)]
    guard let text = reported.first(where: { !$0.isEmpty }) else { throw .missing("created") }
    return try time.read(text)
  }

  /// A renewal that failed, however often it was tried: an invoice fails once. The first invoice of a subscription, or one
  /// of no subscription, renews nothing.
  mutating func emitFailure(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let (reason, subscription) = (row.text(.billingReason), subscription(row))
    guard !subscription.isEmpty, !reason.isEqual("subscription_create") else {
      return output.addNotMeasured("\(row.name) (\(reason.isEmpty ? "no subscription" : reason.shownName))")
    }
    var event = PurchaseEvent()
    event.type = .billingRetry
    event.user = try user(of: row)
    event.time = try time.read(try eventTime(row))
    event.product = products.code(lines.all(of: row.members[.lines]).main?.price ?? .empty)
    event.isRecoveredByRenewal = true
    event.key = Fingerprint(stripe: try required(row, .id), .billingRetry)
    event.transaction = Fingerprint(subscription, space: KeySpace.transaction).low
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
