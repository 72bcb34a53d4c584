import Domain

/// Superwall's webhooks as they are posted, one body a line.
///
/// Fields: Superwall's documentation, "Webhooks". It has no word for the reversal of a refund.
struct SuperwallFormat: StoryFormat {
  let context: StoryContext

  private static let names = [
    "trial_start": "initial_purchase", "purchase": "initial_purchase", "renewal": "renewal",
    "one_time_purchase": "non_renewing_purchase", "refund": "cancellation", "cancel": "cancellation",
    "uncancel": "uncancellation", "expire": "expiration", "billing_retry": "billing_issue",
  ]

  func reports(_ event: StoryEvent) -> Bool { Self.names[event.type] != nil }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .restore, .olderSnapshot, .forged, .groupMismatch: false
    default: true
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      let name = row.dirt == .notMeasured ? "subscription_paused" : Self.names[row.type] ?? ""
      var body = JSONObjectWriter()
      body.add("object", "event")
      body.add("type", name)
      body.add("projectId", number: 3827)
      body.add("applicationId", number: 1)
      body.add("timestamp", milliseconds: sentAt(row))
      body.add("data", object: data(row, name))
      bytes += body.object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  /// Money is told some seconds later than it moved.
  private func sentAt(_ row: StoryEvent) -> Instant {
    Instant(milliseconds: row.time.milliseconds + (row.isCharge || row.type == "refund" ? 3187 : 0))
  }

  private func data(_ row: StoryEvent, _ name: String) -> JSONObjectWriter {
    var data = JSONObjectWriter()
    data.add("id", "\(context.names.event(row)):\(name)")
    data.add("name", name)
    addMoney(row, to: &data)
    addTimes(row, to: &data)
    if row.dirt != .missingField { data.add("originalAppUserId", context.names.storeUser(row.user)) }
    data.add("productId", context.product(row)?.id)
    if row.charge > 0 {
      data.add("transactionId", context.names.transaction(of: row))
      if row.dirt != .missingField {
        data.add("originalTransactionId", context.names.firstTransaction(of: row))
      }
    }
    data.add("periodType", row.isTrial ? "TRIAL" : "NORMAL")
    data.add("isTrialConversion", flag: row.type == "renewal" && row.followsTrial)
    switch row.type {
    case "refund": data.add("cancelReason", "CUSTOMER_SUPPORT")
    case "cancel": data.add("cancelReason", "UNSUBSCRIBE")
    default: data.add("cancelReason", raw: "null")
    }
    data.add("store", context.names.store(of: row.user).word.uppercased())
    data.add("environment", row.dirt == .sandbox ? "SANDBOX" : "PRODUCTION")
    data.add("countryCode", context.country(row).two)
    data.add("isFamilyShare", flag: row.dirt == .familyShared)
    data.add("bundleId", "org.offerlift.sample")
    return data
  }

  private func addTimes(_ row: StoryEvent, to data: inout JSONObjectWriter) {
    guard row.dirt != .badTime else {
      data.add("ts", "soon")
      return data.add("purchasedAt", "soon")
    }
    data.add("ts", milliseconds: sentAt(row))
    data.add("purchasedAt", milliseconds: row.dirt == .afterCutoff ? row.time : row.chargedAt)
    data.add("expirationAt", milliseconds: row.end)
  }

  /// What is shared with a family costs its members nothing.
  private func addMoney(_ row: StoryEvent, to data: inout JSONObjectWriter) {
    data.add("currencyCode", context.currency(row))
    guard row.dirt != .missingPrice else { return data.add("priceInPurchasedCurrency", raw: "null") }
    let price: Int64 =
      switch row.type {
      case _ where row.dirt == .familyShared: 0
      case "refund": -(row.amountMicros ?? row.priceMicros)
      case "purchase", "renewal", "one_time_purchase": row.priceMicros
      default: 0
      }
    data.add("priceInPurchasedCurrency", raw: price.decimalUnits)
  }
}
