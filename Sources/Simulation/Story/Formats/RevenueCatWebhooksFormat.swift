import Domain

/// RevenueCat's webhooks as they are posted, one body a line.
///
/// Fields: RevenueCat's documentation, "Event Types and Fields" and "Sample Events".
struct RevenueCatWebhooksFormat: StoryFormat {
  let context: StoryContext

  private static let types = [
    "trial_start": "INITIAL_PURCHASE", "purchase": "INITIAL_PURCHASE", "renewal": "RENEWAL",
    "one_time_purchase": "NON_RENEWING_PURCHASE", "refund": "CANCELLATION", "cancel": "CANCELLATION",
    "uncancel": "UNCANCELLATION", "expire": "EXPIRATION", "billing_retry": "BILLING_ISSUE",
    "refund_reversal": "REFUND_REVERSED", "transfer": "TRANSFER",
  ]

  func reports(_ event: StoryEvent) -> Bool { Self.types[event.type] != nil }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case _ where event.type == "transfer", .restore, .olderSnapshot, .forged: false
    case .groupMismatch: event.group != nil
    default: true
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      var body = JSONObjectWriter()
      body.add("event", object: row.type == "transfer" ? transfer(row) : event(row))
      body.add("api_version", "1.0")
      bytes += body.object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func transfer(_ row: StoryEvent) -> JSONObjectWriter {
    var event = JSONObjectWriter()
    event.add("type", "TRANSFER")
    event.add("id", context.names.event(row))
    event.add("event_timestamp_ms", milliseconds: row.time)
    event.add("transferred_from", raw: "[\"\(context.names.alias(of: row.user, link: 0))\"]")
    event.add("transferred_to", raw: "[\"\(context.names.user(row.user))\"]")
    event.add("store", context.names.store(of: row.user).word.uppercased())
    event.add("environment", "PRODUCTION")
    return event
  }

  private func event(_ row: StoryEvent) -> JSONObjectWriter {
    var event = JSONObjectWriter()
    event.add("type", row.dirt == .notMeasured ? "PRODUCT_CHANGE" : Self.types[row.type])
    event.add("id", context.names.event(row))
    addTimes(row, to: &event)
    addPerson(row, to: &event)
    event.add("product_id", context.product(row)?.id)
    if let entitlement = context.product(row)?.entitlement, !entitlement.isEmpty {
      event.add("entitlement_ids", raw: "[\"\(entitlement)\"]")
    }
    event.add("period_type", row.isTrial ? "TRIAL" : row.isIntro ? "INTRO" : "NORMAL")
    if row.charge > 0 {
      event.add("transaction_id", context.names.transaction(of: row))
      event.add("original_transaction_id", context.names.firstTransaction(of: row))
    }
    addMoney(row, to: &event)
    addReason(row, to: &event)
    addTest(row, to: &event)
    return event
  }

  private func addTimes(_ row: StoryEvent, to event: inout JSONObjectWriter) {
    guard row.dirt != .badTime else {
      event.add("event_timestamp_ms", "soon")
      return event.add("purchased_at_ms", "soon")
    }
    // Money is told some seconds later than it moved; everything else is dated by the webhook itself.
    let delay: Int64 = row.isCharge || row.type == "refund" ? 3187 : 0
    let sentAt = Instant(milliseconds: row.time.milliseconds + delay)
    event.add("event_timestamp_ms", milliseconds: sentAt)
    event.add("purchased_at_ms", milliseconds: row.dirt == .afterCutoff ? row.time : row.chargedAt)
    event.add("expiration_at_ms", milliseconds: row.end)
    if row.type == "billing_retry" { event.add("grace_period_expiration_at_ms", milliseconds: row.graceEnd) }
  }

  private func addPerson(_ row: StoryEvent, to event: inout JSONObjectWriter) {
    if row.dirt != .missingField {
      event.add("app_user_id", context.names.storeUser(row.user))
      event.add("original_app_user_id", context.names.storeUser(row.user))
    }
    event.add("environment", row.dirt == .sandbox ? "SANDBOX" : "PRODUCTION")
    event.add("store", context.names.store(of: row.user).word.uppercased())
    event.add("country_code", context.country(row).two)
    event.add("is_family_share", flag: row.dirt == .familyShared)
  }

  private func addMoney(_ row: StoryEvent, to event: inout JSONObjectWriter) {
    event.add("currency", context.currency(row))
    guard row.dirt != .missingPrice else {
      return event.add("price_in_purchased_currency", raw: "null")
    }
    let price: Int64 =
      switch row.type {
      case "refund": -(row.amountMicros ?? row.priceMicros)
      case "purchase", "renewal", "one_time_purchase": row.priceMicros
      default: 0
      }
    event.add("price_in_purchased_currency", raw: price.decimalUnits)
  }

  private func addReason(_ row: StoryEvent, to event: inout JSONObjectWriter) {
    switch row.type {
    case "refund": event.add("cancel_reason", "CUSTOMER_SUPPORT")
    case "cancel": event.add("cancel_reason", "UNSUBSCRIBE")
    case "expire": event.add("expiration_reason", row.time > row.end ?? row.time ? "BILLING_ERROR" : "UNSUBSCRIBE")
    case "renewal": event.add("is_trial_conversion", flag: row.followsTrial)
    default: break
    }
  }

  private func addTest(_ row: StoryEvent, to event: inout JSONObjectWriter) {
    guard let group = row.group else {
      let isKnown = !row.paywall.isEmpty
      return isKnown
        ? event.add("presented_offering_id", row.paywall) : event.add("presented_offering_id", raw: "null")
    }
    event.add("presented_offering_id", row.paywall.isEmpty ? context.scenario.offering.id : row.paywall)
    var experiment = JSONObjectWriter()
    experiment.add("experiment_id", context.scenario.offering.id)
    experiment.add("experiment_variant", context.scenario.groups[Int(group)].name)
    event.add("experiments", raw: "[\(String(decoding: experiment.object, as: UTF8.self))]")
  }
}
