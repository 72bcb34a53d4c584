import Domain
import Jobs

/// Makes events of what was paid and given back: of charges and payment intents here, of invoices, of what joins one with
/// the other, and of refunds in files of their own.
struct StripeSales {
  typealias Fault = StripeRow.Fault

  var attributes: AttributeReader
  var products: InternerCache
  private var details: ChargeDetailsCache
  var time = TimeText(timezone: .gmt, unit: .seconds)
  let expanded = JSONObjectReader<StripeID>()
  let payments = JSONObjectReader<StripePayment>()
  let lines = StripeLines()
  /// What an invoice without lines, as a table's row, is for, and a charge without a description.
  let invoice, charge: UInt32

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

  // MARK: - Charges and payment intents

  /// A charge that went through, and what of it was given back by then where it stands alone.
  mutating func emitCharge(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let status = row.text(.status)
    if row.denies(.captured) || row.denies(.paid) || !status.isEmpty && !status.hasSucceeded {
      return output.addNotMeasured("\(row.name) that is not paid")
    }
    let (sale, key, ids) = try sale(of: row, row.charged)
    let refund = row.event.isEmpty ? try state(of: row, at: row.text(.created)) : nil
    Self.add(sale, key: key, transactions: ids, into: &output)
    if let refund { output.addCompanion(refund) }
  }

  /// A charge of which money was given back, or not after all: all that was by then. It tells the sale, too, as far as it is known there:
  /// of a guest's charge, which names no customer, whatever else tells of it says whose it was.
  mutating func emitRefunded(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let isLess = row.previous.map { !$0[.amountRefunded].isMissing } ?? false
    guard let refund = try state(of: row, at: try eventTime(row), orNone: isLess) else {
      return output.addNotMeasured("\(row.name) of 0")
    }
    output.add(refund)
    guard (try? user(of: row)) != nil, let (sale, key, ids) = try? sale(of: row, row.charged) else { return }
    Self.addCompanions(sale, key: key, transactions: ids, into: &output)
  }

  mutating func emitPayment(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let (sale, key, ids) = try sale(of: row, row.members[.amountReceived].isMissing ? .amount : .amountReceived)
    Self.add(sale, key: key, transactions: ids, into: &output)
  }

  /// The sale that a charge or a payment intent tells, its key, and the ids that lead to it.
  mutating func sale(
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
    // A guest's sale is of whoever a checkout session says.
    event.user = try user(of: row, orIfNone: ids.intent)
    event.time = try time.read(try required(row, .created))
    event.product = row.text(.description).isEmpty ? charge : products.code(row.text(.description))
    event.isDuplicated = true
    readDetails(row, ChargeDetails(), &event)
    return (event, try key(of: row, ids), ids.all)
  }

  /// The ids that a charge, a payment intent or a refund of these goes by.
  struct ChargeIDs {
    var invoice, charge, intent: Text
    var all: [Text] { [invoice, intent, charge] }
    /// The one by which all that is told of a sale knows it, as far as a row tells it.
    var key: Text { all.first { !$0.isEmpty } ?? .empty }
  }

  func ids(of row: StripeRow) -> ChargeIDs {
    let (own, object) = (row.text(.id), try? row.object)
    let reference = row.text(.orderReference)
    let invoice = row.id(.invoice, .invoiceID, with: expanded)
    return ChargeIDs(
      invoice: invoice.isEmpty && reference.starts(with: "in_".utf8) ? reference : invoice,
      charge: object == "charge" ? own : row.id(.charge, .chargeID, .latestCharge, .paymentCharge, with: expanded),
      intent: object == "payment_intent" ? own : row.id(.paymentIntent, .paymentIntentID, .payment, with: expanded))
  }

  func key(of row: StripeRow, _ ids: ChargeIDs) throws(Fault) -> Text {
    guard !ids.key.isEmpty else { throw .missing(StripeMember.id.source.name) }
    return ids.key
  }

  // MARK: - Parts

  /// Adds a sale and, beside it, the same sale by each of the other ids that lead to it.
  static func add(_ event: PurchaseEvent, key: Text, transactions: [Text], into output: inout DecodedLine) {
    var ids: [Text] = []
    for id in transactions where !id.isEmpty && !ids.contains(id) { ids.append(id) }
    output.add(event.sold(by: key, transaction: ids.first ?? key))
    for id in ids.dropFirst() { output.addCompanion(event.sold(by: key, transaction: id)) }
  }

  static func addCompanions(
    _ event: PurchaseEvent, key: Text, transactions: [Text], into output: inout DecodedLine
  ) {
    for id in transactions where !id.isEmpty { output.addCompanion(event.sold(by: key, transaction: id)) }
  }

  /// On the web no store keeps a part of the price.
  mutating func readDetails(_ row: StripeRow, _ details: ChargeDetails, _ event: inout PurchaseEvent) {
    var details = details
    details.usualCommission = 0
    if !attributes.isEmpty { details.attributes = attributes.values(row.members.fields) }
    event.details = self.details.number(of: details)
  }

  func user(of row: StripeRow, orIfNone other: Text = .empty) throws(Fault) -> Text {
    let user = row.user.isEmpty ? row.id(.customer, .customerID, with: expanded) : row.user
    guard user.isEmpty else { return user }
    guard !other.isEmpty else { throw .missing("customer") }
    return other
  }

  func subscription(_ row: StripeRow) -> Text {
    row.id(.subscription, .subscriptionID, .parentSubscription, with: expanded)
  }

  func eventTime(_ row: StripeRow) throws(Fault) -> Text {
    guard !row.eventTime.isEmpty else { throw .missing("created") }
    return row.eventTime
  }

  func required(_ row: StripeRow, _ member: StripeMember) throws(Fault) -> Text {
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
  /// The member that tells what a charge took: what was captured of it.
  fileprivate var charged: StripeMember { members[.amountCaptured].isMissing ? .amount : .amountCaptured }

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
  var hasSucceeded: Bool { isEqual("succeeded") || isEqual("paid") }

  /// Whether the words stand somewhere in the text.
  fileprivate func holds(_ words: StaticString) -> Bool {
    let length = words.utf8CodeUnitCount
    guard count >= length else { return false }
    return (0...count - length).contains { slice($0..<$0 + length).isEqual(words) }
  }
}
