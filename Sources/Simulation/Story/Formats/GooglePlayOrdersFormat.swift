import Domain

/// Google Play's orders as they stand at the log's end, one a line, each with the account that the server keeps beside it
/// where no subscription tells whose the purchase is.
///
/// Fields: Google's documentation of the Google Play Developer API v3, `Order`.
struct GooglePlayOrdersFormat: StoryFormat {
  let context: StoryContext

  func reports(_ event: StoryEvent) -> Bool { event.isCharge || event.type == "trial_start" }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .none, .copy, .afterCutoff, .badTime, .missingField, .malformed, .truncated, .invalidUTF8: true
    case .missingPrice: event.isCharge
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      bytes += order(row).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func order(_ row: StoryEvent) -> JSONObjectWriter {
    var order = JSONObjectWriter()
    let time = row.dirt == .badTime ? "soon" : row.time.rfc3339
    if row.dirt != .missingField { order.add("orderId", context.names.order(of: row)) }
    order.add("purchaseToken", context.names.purchaseToken(of: row))
    if !context.names.hasPlaySubscriptions || !row.isOfSubscription {
      order.add("obfuscatedExternalAccountId", context.names.storeUser(row.user))
    }
    order.add("state", state(row))
    order.add("createTime", time)
    order.add("lastEventTime", row.dirt == .badTime ? "soon" : (row.reversal?.time ?? row.time).rfc3339)
    var address = JSONObjectWriter()
    address.add("buyerCountry", context.country(row).two)
    order.add("buyerAddress", object: address)
    addMoney(row, to: &order)
    order.add("lineItems", raw: "[\(String(decoding: item(row).object, as: UTF8.self))]")
    order.add("orderHistory", object: history(row, time))
    return order
  }

  private func state(_ row: StoryEvent) -> String {
    guard let accepted = row.reversal else { return "PROCESSED" }
    return accepted.micros < row.priceMicros ? "PARTIALLY_REFUNDED" : "REFUNDED"
  }

  private func addMoney(_ row: StoryEvent, to object: inout JSONObjectWriter) {
    guard row.dirt != .missingPrice else { return }
    object.add("total", object: money(row.isTrial ? 0 : row.priceMicros, row))
  }

  private func item(_ row: StoryEvent) -> JSONObjectWriter {
    var item = JSONObjectWriter()
    item.add("productId", context.product(row)?.id)
    addMoney(row, to: &item)
    guard row.isOfSubscription else {
      var once = JSONObjectWriter()
      once.add("quantity", number: 1)
      item.add("oneTimePurchaseDetails", object: once)
      return item
    }
    var subscription = JSONObjectWriter()
    subscription.add("basePlanId", "standard")
    subscription.add("offerPhase", row.isTrial ? "FREE_TRIAL" : "BASE")
    subscription.add("servicePeriodStartTime", row.time.rfc3339)
    subscription.add("servicePeriodEndTime", row.end?.rfc3339)
    item.add("subscriptionDetails", object: subscription)
    return item
  }

  private func history(_ row: StoryEvent, _ time: String) -> JSONObjectWriter {
    var history = JSONObjectWriter()
    var processed = JSONObjectWriter()
    processed.add("eventTime", time)
    history.add("processedEvent", object: processed)
    guard let accepted = row.reversal else { return history }
    var details = JSONObjectWriter()
    details.add("total", object: money(accepted.micros, row))
    var refund = JSONObjectWriter()
    let isPart = accepted.micros < row.priceMicros
    refund.add(isPart ? "processTime" : "eventTime", accepted.time.rfc3339)
    refund.add(isPart ? "state" : "refundReason", isPart ? "PROCESSED_SUCCESSFULLY" : "OTHER")
    refund.add("refundDetails", object: details)
    if isPart {
      history.add("partialRefundEvents", raw: "[\(String(decoding: refund.object, as: UTF8.self))]")
    } else {
      history.add("refundEvent", object: refund)
    }
    return history
  }

  /// Whole units as a text and billionths beside, neither where it is 0.
  private func money(_ micros: Int64, _ row: StoryEvent) -> JSONObjectWriter {
    var money = JSONObjectWriter()
    money.add("currencyCode", context.currency(row))
    if micros >= 1_000_000 { money.add("units", "\(micros / 1_000_000)") }
    if micros % 1_000_000 > 0 { money.add("nanos", number: micros % 1_000_000 * 1000) }
    return money
  }
}
