import Domain

/// What says by which names one sale goes, and whose it is.
extension StripeSales {
  /// The app's id of a user, the customer's and that of the subscription are one customer's; so are those of a sale whose
  /// other rows name no customer.
  ///
  /// - Parameter namedByJob: the job says which member names the user.
  mutating func noteAliases(of row: StripeRow, namedByJob: Bool, into output: inout DecodedLine) {
    let reported = row.eventTime.isEmpty ? row.text(.created) : row.eventTime
    guard let time = try? time.read(reported) else { return }
    let object = try? row.object
    var ids = [
      row.user, object == "customer" ? row.text(.id) : row.id(.customer, .customerID, with: expanded),
      object == "subscription" ? row.text(.id) : subscription(row),
    ]
    switch object {
    case "checkout.session":
      if !namedByJob, row.user.isEmpty { ids[0] = row.text(.clientReference) }
      ids += [row.id(.paymentIntent, with: expanded), row.id(.invoice, with: expanded)]
    case "invoice" where row.id(.charge, .chargeID, with: expanded).isEmpty:
      ids += invoiceNames(row)
    case "invoice_payment":
      let names = self.ids(of: row)
      ids += [names.invoice, names.intent, names.charge]
    case "charge" where row.event.isEmpty && (row.members[.amountRefunded].bytes.wholeNumber ?? 0) > 0:
      ids += [row.text(.id), row.id(.paymentIntent, .paymentIntentID, with: expanded)]
    default: break
    }
    output.noteAliases(ids, at: time)
  }

  /// The ids of an invoice and of its payments, as far as it tells them.
  func invoiceNames(_ row: StripeRow) -> [Text] {
    var names = [row.text(.id), row.id(.charge, .chargeID, with: expanded)]
    names.append(row.id(.paymentIntent, .paymentIntentID, with: expanded))
    for payment in row.members[.payments].elements(limit: Self.mostPayments) ?? [] {
      guard let payment = payments.read(payment) else { continue }
      let (charge, intent) = (payment[.charge], payment[.paymentIntent])
      names += [charge.stripeID(expanded), intent.stripeID(expanded)]
    }
    return names
  }

  /// Of one invoice.
  private static let mostPayments = 100

  /// What was paid of an invoice, and by which payment intent or charge: the invoice's sale by the payment's name.
  ///
  /// Source: Stripe, API Reference, "The Invoice Payment object", from 2025-03-31.basil on.
  mutating func emitInvoicePayment(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    var event = PurchaseEvent()
    event.currency = try row.currency()
    event.amountMicros = try row.micros(.amountPaid, in: event.currency)
    guard let amount = event.amountMicros else {
      throw Fault(reason: .missingPrice, detail: "amount_paid is missing: what was paid is not known")
    }
    let ids = ids(of: row)
    guard amount > 0 else { return output.addNotMeasured("\(row.name) of 0") }
    guard !ids.invoice.isEmpty else { throw .missing(StripeMember.invoice.source.name) }
    (event.type, event.product, event.isDuplicated) = (.purchase, invoice, true)
    event.user = try user(of: row, orIfNone: ids.invoice)
    event.time = try time.read(try required(row, .created))
    readDetails(row, ChargeDetails(), &event)
    Self.add(event, key: ids.invoice, transactions: ids.all, into: &output)
  }

  /// A checkout that was paid for tells the sale of its payment intent or invoice.
  ///
  /// Source: Stripe, API Reference, "The Checkout Session object": `mode`, `payment_status`.
  mutating func emitSession(_ row: StripeRow, into output: inout DecodedLine) throws(Fault) {
    let ids = ids(of: row)
    guard row.text(.paymentStatus).isEqual("paid"), !ids.key.isEmpty else { return output.addNotMeasured(row.name) }
    var event = PurchaseEvent()
    event.currency = try row.currency()
    event.amountMicros = try row.micros(.amountTotal, in: event.currency)
    guard let amount = event.amountMicros, amount > 0 else { return output.addNotMeasured("\(row.name) of 0") }
    (event.type, event.product, event.isDuplicated) = (
      row.isOfSubscription ? .purchase : .oneTimePurchase, charge, true
    )
    event.user = try user(of: row, orIfNone: ids.key)
    event.time = try time.read(row.eventTime.isEmpty ? try required(row, .created) : row.eventTime)
    readDetails(row, ChargeDetails(), &event)
    Self.add(event, key: ids.key, transactions: ids.all, into: &output)
  }
}

extension StripeRow {
  /// A checkout begins a subscription.
  fileprivate var isOfSubscription: Bool { text(.mode).isEqual("subscription") }
}
