import Domain
import Jobs

/// Makes events of what was paid and given back.
struct StripeSales {
  typealias Fault = StripeRow.Fault

  var attributes: AttributeReader
  private var products: InternerCache
  private var details: ChargeDetailsCache
  private var time = TimeText(timezone: .gmt, unit: .seconds)
  private let expanded = JSONObjectReader<StripeID>()
  private let payments = JSONObjectReader<StripePayment>()
  private let lines = StripeLines()
  /// What an invoice without lines, as a table's row, is for, and a charge without a description.
  private let invoice, charge: UInt32

  init(attributes: AttributeFields, names: EventNames) {
    self.attributes = AttributeReader(attributes, names: names)
    var products = InternerCache(names.products)
    (invoice, charge) = (products.code(named: "invoice"), products.code(named: "charge"))
    self.products = products
    details = ChargeDetailsCache(names.details)
  }

  func forget() {
    expanded.forget()
    payments.forget()
    lines.forget()
  }

  /// The app's id of a user, the customer's and that of the subscription are one customer's.
  mutating func noteAliases(of row: StripeRow, into output: inout DecodedLine) {
    let told = row.eventTime.isEmpty ? row.text(.created) : row.eventTime
    guard let time = try? time.read(told) else { return }
    let object = try? row.object
    let ids = [
      row.user, object == "customer" ? row.text(.id) : row.id(.customer, .customerID, with: expanded),
      object == "subscription" ? row.text(.id) : subscription(row),
    ]
    output.noteAliases(ids, at: time)
  }

  // MARK: - Invoices

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
      return output.addNotMeasured("\(row.name) (\(reason.isEmpty ? "no subscription" : reason.shown))")
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

  // MARK: - Charges and payment intents

  /// A charge that went through, and what of it was given back by then where it stands alone.
  mutating func tellCharge(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    if row.denies(.captured) || row.denies(.paid) || !row.text(.status).isEmpty && !row.text(.status).hasSucceeded {
      return output.addNotMeasured("\(row.name) that is not paid")
    }
    let (sale, key, ids) = try sale(of: row, .amount)
    Self.add(sale, key: key, transactions: ids, into: &output)
    guard row.event.isEmpty, let refund = try state(of: row, at: row.text(.created)) else { return }
    output.addCompanion(refund)
  }

  /// A charge of which money was given back: all that was by then. It tells the sale, too.
  mutating func tellRefunded(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    guard let refund = try state(of: row, at: try eventTime(row)) else {
      return output.addNotMeasured("\(row.name) of 0")
    }
    output.add(refund)
    let (sale, key, ids) = try sale(of: row, .amount)
    Self.addCompanions(sale, key: key, transactions: ids, into: &output)
  }

  mutating func tellPayment(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let (sale, key, ids) = try sale(of: row, row.members[.amountReceived].isMissing ? .amount : .amountReceived)
    Self.add(sale, key: key, transactions: ids, into: &output)
  }

  /// The sale that a charge or a payment intent tells, its key, and the ids that lead to it.
  private mutating func sale(
    of row: StripeRow, _ amount: StripeMember
  ) throws(Fault) -> (event: PurchaseEvent, key: Text, ids: [Text]) {
    var event = PurchaseEvent()
    event.currency = try row.currency()
    event.amountMicros = try row.micros(amount, in: event.currency)
    guard event.amountMicros != nil else {
      throw Fault(reason: .missingPrice, detail: "\(amount.source.name) is missing: what was paid is not known")
    }
    let ids = ids(of: row)
    event.type = row.isOfInvoice ? row.typeOfInvoice : .oneTimePurchase
    event.user = try user(of: row)
    event.time = try time.read(try required(row, .created))
    event.product = row.text(.description).isEmpty ? charge : products.code(row.text(.description))
    event.isRetold = true
    readDetails(row, split: nil, &event)
    return (event, try key(of: row, ids), ids.all)
  }

  /// The ids that a charge, a payment intent or a refund of these goes by.
  private struct ChargeIDs {
    var invoice, charge, intent: Text
    var all: [Text] { [invoice, intent, charge] }
    /// The one by which all that is told of a sale knows it, as far as a row tells it.
    var key: Text { all.first { !$0.isEmpty } ?? .empty }
  }

  private func ids(of row: StripeRow) -> ChargeIDs {
    let (own, object) = (row.text(.id), try? row.object)
    let reference = row.text(.orderReference)
    let invoice = row.id(.invoice, .invoiceID, with: expanded)
    return ChargeIDs(
      invoice: invoice.isEmpty && reference.starts(with: "in_".utf8) ? reference : invoice,
      charge: object == "charge" ? own : row.id(.charge, .chargeID, .latestCharge, with: expanded),
      intent: object == "payment_intent" ? own : row.id(.paymentIntent, .paymentIntentID, with: expanded))
  }

  private func key(of row: StripeRow, _ ids: ChargeIDs) throws(Fault) -> Text {
    guard !ids.key.isEmpty else { throw .missing(StripeMember.id.source.name) }
    return ids.key
  }

  // MARK: - Refunds

  /// How much of a charge is given back by a time, all told; nil where nothing is.
  private mutating func state(of row: StripeRow, at time: Text) throws(Fault) -> PurchaseEvent? {
    var event = try refund(of: row, .amountRefunded, at: time)
    guard let amount = event.amountMicros, amount > 0 else { return nil }
    event.toldAt = event.time
    let charge = event.chargeKey ?? event.transaction ?? 0
    event.key =
      row.eventID.isEmpty
      ? Fingerprint(refund: event, of: charge) : Fingerprint(row.eventID, space: KeySpace.event)
    return event
  }

  /// One refund by itself: it counts once it has gone through.
  mutating func tellRefund(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let status = row.text(.status)
    guard status.isEmpty || status.hasSucceeded else {
      return output.addNotMeasured("\(row.event.isEmpty ? "refund" : row.event.shown) status=\(status.shown)")
    }
    var event = try refund(of: row, .amount, at: try required(row, .created))
    guard event.amountMicros != nil else {
      throw Fault(reason: .missingPrice, detail: "amount is missing: what was given back is not known")
    }
    event.key = Fingerprint(try required(row, .id), space: KeySpace.event)
    output.add(event)
  }

  private mutating func refund(
    of row: StripeRow, _ amount: StripeMember, at text: Text
  ) throws(Fault) -> PurchaseEvent {
    var event = PurchaseEvent()
    event.type = .refund
    event.currency = try row.currency()
    event.amountMicros = try row.micros(amount, in: event.currency)
    event.time = try time.read(text)
    let ids = ids(of: row)
    let transaction = ids.charge.isEmpty ? try key(of: row, ids) : ids.charge
    event.chargeKey = Fingerprint(ids.key, space: KeySpace.transaction).low
    event.transaction = Fingerprint(transaction, space: KeySpace.transaction).low
    event.transactionID = transaction
    // A refund names no customer: it is of whoever has its charge.
    event.user = try user(of: row, orIfNone: transaction)
    return event
  }

  // MARK: - Parts

  /// Adds a sale and, beside it, the same sale by each of the other ids that lead to it.
  private static func add(_ event: PurchaseEvent, key: Text, transactions: [Text], into output: inout DecodedLine) {
    var ids: [Text] = []
    for id in transactions where !id.isEmpty && !ids.contains(id) { ids.append(id) }
    output.add(event.sold(by: key, transaction: ids.first ?? key))
    for id in ids.dropFirst() { output.addCompanion(event.sold(by: key, transaction: id)) }
  }

  private static func addCompanions(
    _ event: PurchaseEvent, key: Text, transactions: [Text], into output: inout DecodedLine
  ) {
    for id in transactions where !id.isEmpty { output.addCompanion(event.sold(by: key, transaction: id)) }
  }

  private mutating func readDetails(_ row: StripeRow, split: PriceSplit?, _ event: inout PurchaseEvent) {
    guard !attributes.isEmpty || split != nil else { return }
    var told = ChargeDetails(attributes: attributes.values(row.members.fields))
    told.split = split
    event.details = details.number(of: told)
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

  private func user(of row: StripeRow, orIfNone other: Text = .empty) throws(Fault) -> Text {
    let user = row.user.isEmpty ? row.id(.customer, .customerID, with: expanded) : row.user
    guard user.isEmpty else { return user }
    guard !other.isEmpty else { throw .missing("customer") }
    return other
  }

  private func subscription(_ row: StripeRow) -> Text {
    row.id(.subscription, .subscriptionID, .parentSubscription, with: expanded)
  }

  private func eventTime(_ row: StripeRow) throws(Fault) -> Text {
    guard !row.eventTime.isEmpty else { throw .missing("created") }
    return row.eventTime
  }

  private func required(_ row: StripeRow, _ member: StripeMember) throws(Fault) -> Text {
    guard !row.text(member).isEmpty else { throw .missing(member.source.name) }
    return row.text(member)
  }
}

extension InternerCache {
  fileprivate mutating func code(named name: String) -> UInt32 {
    Array(name.utf8).withText { code($0) }
  }
}

extension StripeRow {
  /// The charge pays an invoice: it names it or its receipt is one of an invoice, or Stripe has described it so.
  ///
  /// From 2025-03-31.basil on a charge does not name its invoice.
  fileprivate var isOfInvoice: Bool {
    !text(.invoiceID).isEmpty || !members[.invoice].isMissing || text(.orderReference).starts(with: "in_".utf8)
      || text(.receiptURL).holds("/receipts/invoices/") || describesInvoice
  }

  private var describesInvoice: Bool {
    let description = text(.description)
    return ["Subscription creation", "Subscription update", "Payment for Invoice"].contains {
      description.starts(with: $0.utf8)
    }
  }

  /// What an invoice's charge is of that says no more of it than Stripe's own words.
  fileprivate var typeOfInvoice: EventType {
    let description = text(.description)
    if description.starts(with: "Subscription update".utf8) { return .renewal }
    return description.starts(with: "Payment for Invoice".utf8) ? .oneTimePurchase : .purchase
  }
}

extension PurchaseEvent {
  /// The same sale, found by a transaction's id.
  fileprivate func sold(by key: Text, transaction: Text) -> PurchaseEvent {
    var event = self
    event.key = Fingerprint(key, space: KeySpace.transaction)
    event.transaction = Fingerprint(transaction, space: KeySpace.transaction).low
    event.transactionID = transaction
    return event
  }
}

extension Fingerprint {
  /// The key of what happens once to one of Stripe's objects.
  init(stripe object: Text, _ type: EventType) {
    let object = Fingerprint(object, space: KeySpace.transaction)
    self.init((object.high, object.low, 0), space: KeySpace.content(type))
  }
}

extension Text {
  fileprivate var hasSucceeded: Bool { isEqual("succeeded") || isEqual("paid") }

  /// Whether the words stand somewhere in the text.
  fileprivate func holds(_ words: StaticString) -> Bool {
    let length = words.utf8CodeUnitCount
    guard count >= length else { return false }
    return (0...count - length).contains { slice($0..<$0 + length).isEqual(words) }
  }
}
