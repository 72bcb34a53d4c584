import Domain

/// Stripe's events as webhooks deliver them, one a line.
///
/// An invoice is a subscription's charge; a charge by itself is something bought once. That a failed renewal went through
/// its paid invoice tells, and a refund that is taken back has no word.
/// Fields: Stripe, API Reference, "Events", version 2024-06-20, in which an invoice names its charge.
struct StripeEventsFormat: StoryFormat {
  let context: StoryContext

  private static let names = [
    "trial_start": "customer.subscription.created", "purchase": "invoice.paid", "renewal": "invoice.paid",
    "one_time_purchase": "charge.succeeded", "refund": "charge.refunded", "billing_retry": "invoice.payment_failed",
    "cancel": "customer.subscription.updated", "uncancel": "customer.subscription.updated",
    "expire": "customer.subscription.deleted",
  ]

  func reports(_ event: StoryEvent) -> Bool { Self.names[event.type] != nil }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .none, .copy, .retry, .afterCutoff, .notMeasured, .malformed, .truncated, .invalidUTF8: true
    // A refund needs no customer: it is of whoever has the charge.
    case .missingField: event.type != "refund"
    case .sandbox, .missingPrice, .badTime: event.isCharge
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      bytes += event(row).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func event(_ row: StoryEvent) -> JSONObjectWriter {
    var event = JSONObjectWriter()
    event.add("id", "evt_\(context.names.event(row))")
    event.add("object", "event")
    event.add("api_version", "2024-06-20")
    addTime("created", row.time, row, to: &event)
    event.add("type", row.dirt == .notMeasured ? "customer.updated" : Self.names[row.type])
    event.add("livemode", flag: row.dirt != .sandbox)
    event.add("pending_webhooks", number: row.dirt == .retry ? 0 : 1)
    var data = JSONObjectWriter()
    data.add("object", object: object(row))
    if row.type == "cancel" || row.type == "uncancel" {
      var previous = JSONObjectWriter()
      previous.add("cancel_at_period_end", flag: row.type == "uncancel")
      data.add("previous_attributes", object: previous)
    }
    event.add("data", object: data)
    return event
  }

  private func object(_ row: StoryEvent) -> JSONObjectWriter {
    switch row.type {
    case _ where row.dirt == .notMeasured: customer(row)
    case "purchase", "renewal", "billing_retry": invoice(row)
    case "one_time_purchase", "refund": charge(row)
    default: subscription(row)
    }
  }

  // MARK: - Objects

  private func customer(_ row: StoryEvent) -> JSONObjectWriter {
    var customer = JSONObjectWriter()
    customer.add("id", customerID(row))
    customer.add("object", "customer")
    customer.add("metadata", object: metadata(row))
    return customer
  }

  /// The invoice of a charge, or of a renewal that failed, which is another until it is paid.
  private func invoice(_ row: StoryEvent) -> JSONObjectWriter {
    let isPaid = row.isCharge
    let amount = smallestUnits(row.priceMicros, row)
    var invoice = JSONObjectWriter()
    invoice.add("id", isPaid ? context.names.invoice(of: row) : "in_\(context.names.event(row))")
    invoice.add("object", "invoice")
    addCustomer(row, to: &invoice)
    invoice.add("subscription", context.names.subscription(of: row))
    if isPaid { invoice.add("charge", context.names.stripeCharge(of: row)) }
    invoice.add("amount_due", number: amount)
    if row.dirt != .missingPrice { invoice.add("amount_paid", number: isPaid ? amount : 0) }
    invoice.add("currency", context.currency(row).lowercased())
    invoice.add("status", isPaid ? "paid" : "open")
    invoice.add("billing_reason", billingReason(row))
    addTime("created", row.time, row, to: &invoice)
    if isPaid {
      var transitions = JSONObjectWriter()
      addTime("paid_at", row.time, row, to: &transitions)
      invoice.add("status_transitions", object: transitions)
    }
    var details = JSONObjectWriter()
    if row.dirt != .missingField { details.add("metadata", object: metadata(row)) }
    invoice.add("subscription_details", object: details)
    invoice.add("lines", object: lines(row, amount))
    invoice.add("livemode", flag: row.dirt != .sandbox)
    return invoice
  }

  private func billingReason(_ row: StoryEvent) -> String {
    guard row.type == "purchase" else { return "subscription_cycle" }
    return row.isUpgrade ? "subscription_update" : "subscription_create"
  }

  private func lines(_ row: StoryEvent, _ amount: Int64) -> JSONObjectWriter {
    var period = JSONObjectWriter()
    // What could not be paid is the time after the one that was.
    addTime("start", row.isCharge ? row.time : row.end ?? row.time, row, to: &period)
    if row.isCharge, let end = row.end { addTime("end", end, row, to: &period) }
    var line = JSONObjectWriter()
    line.add("amount", number: amount)
    line.add("proration", flag: false)
    line.add("price", object: price(row))
    line.add("period", object: period)
    return list([line])
  }

  /// Something bought once, or the charge of which money is given back, as it stands then.
  private func charge(_ row: StoryEvent) -> JSONObjectWriter {
    let isOfInvoice = row.isOfSubscription
    let back = row.type == "refund" ? row.refundedSoFar : 0
    var charge = JSONObjectWriter()
    charge.add("id", context.names.stripeCharge(of: row))
    charge.add("object", "charge")
    addCustomer(row, to: &charge)
    if row.dirt != .missingPrice { charge.add("amount", number: smallestUnits(row.priceMicros, row)) }
    charge.add("amount_refunded", number: smallestUnits(back, row))
    charge.add("currency", context.currency(row).lowercased())
    let chargedAt = row.dirt == .afterCutoff ? row.time : row.chargedAt ?? row.time
    addTime("created", chargedAt, row, to: &charge)
    if isOfInvoice { charge.add("invoice", context.names.invoice(of: row)) } else { charge.add("invoice", raw: "null") }
    charge.add("description", isOfInvoice ? "Subscription update" : context.product(row)?.id)
    charge.add("captured", flag: true)
    charge.add("paid", flag: true)
    charge.add("status", "succeeded")
    charge.add("refunded", flag: back >= row.priceMicros)
    if row.dirt != .missingField { charge.add("metadata", object: metadata(row)) }
    charge.add("livemode", flag: row.dirt != .sandbox)
    return charge
  }

  private func subscription(_ row: StoryEvent) -> JSONObjectWriter {
    var subscription = JSONObjectWriter()
    subscription.add("id", context.names.subscription(of: row))
    subscription.add("object", "subscription")
    addCustomer(row, to: &subscription)
    if row.dirt != .missingField { subscription.add("metadata", object: metadata(row)) }
    subscription.add("status", row.type == "expire" ? "canceled" : row.isTrial ? "trialing" : "active")
    subscription.add("cancel_at_period_end", flag: row.type == "cancel")
    if row.type == "cancel" { addTime("canceled_at", row.time, row, to: &subscription) }
    if row.type == "expire" { addTime("ended_at", row.time, row, to: &subscription) }
    if row.isTrial, let end = row.end {
      addTime("trial_start", row.chargedAt ?? row.time, row, to: &subscription)
      addTime("trial_end", end, row, to: &subscription)
    }
    addTime("created", row.subscribedAt ?? row.time, row, to: &subscription)
    var item = JSONObjectWriter()
    item.add("price", object: price(row))
    subscription.add("items", object: list([item]))
    subscription.add("livemode", flag: row.dirt != .sandbox)
    return subscription
  }

  // MARK: - Parts

  private func addCustomer(_ row: StoryEvent, to object: inout JSONObjectWriter) {
    if row.dirt != .missingField { object.add("customer", customerID(row)) }
  }

  private func metadata(_ row: StoryEvent) -> JSONObjectWriter {
    var metadata = JSONObjectWriter()
    metadata.add("user_id", context.names.storeUser(row.user))
    return metadata
  }

  private func price(_ row: StoryEvent) -> JSONObjectWriter {
    var price = JSONObjectWriter()
    price.add("id", context.product(row)?.id)
    return price
  }

  private func list(_ objects: [JSONObjectWriter]) -> JSONObjectWriter {
    let texts = objects.map { String(decoding: $0.object, as: UTF8.self) }
    var list = JSONObjectWriter()
    list.add("object", "list")
    list.add("data", raw: "[\(texts.joined(separator: ","))]")
    return list
  }

  /// Seconds since 1970.
  private func addTime(_ key: String, _ time: Instant, _ row: StoryEvent, to object: inout JSONObjectWriter) {
    guard row.dirt != .badTime else { return object.add(key, "soon") }
    object.add(key, number: time.milliseconds / 1000)
  }

  private func customerID(_ row: StoryEvent) -> String { "cus_\(row.user)" }

  /// Money in the currency's smallest unit as Stripe counts it, what is less rounded half to even.
  ///
  /// Source: Stripe, "Supported currencies", with its special cases.
  private func smallestUnits(_ micros: Int64, _ row: StoryEvent) -> Int64 {
    let code = context.currency(row)
    let decimals =
      switch code {
      case "ISK", "UGX": 2
      case "MGA": 0
      default: Currency(code.utf8)?.minorUnits ?? 2
      }
    let unit = (decimals..<6).reduce(Int128(1)) { unit, _ in unit * 10 }
    return Int64(Int128(micros).dividedHalfToEven(by: unit))
  }
}
