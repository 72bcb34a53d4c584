import Domain

/// Google Play's subscriptions as a server keeps them that asks for one whenever something happens to it, each answer with
/// the purchase token it was asked by.
///
/// Fields: Google's documentation of the Google Play Developer API v3, `purchases.subscriptionsv2`.
struct GooglePlaySubscriptionsFormat: StoryFormat {
  let context: StoryContext

  private static let types: Set = [
    "trial_start", "purchase", "renewal", "cancel", "uncancel", "billing_retry", "expire",
  ]

  func reports(_ event: StoryEvent) -> Bool { Self.types.contains(event.type) && event.isOfSubscription }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .none, .copy, .sandbox, .missingField, .malformed, .truncated, .invalidUTF8: true
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      bytes += subscription(row).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  private func subscription(_ row: StoryEvent) -> JSONObjectWriter {
    var answer = JSONObjectWriter()
    answer.add("kind", "androidpublisher#subscriptionPurchaseV2")
    answer.add("purchaseToken", context.names.purchaseToken(of: row))
    if row.firstOfPlanBefore > 0 {
      answer.add("linkedPurchaseToken", context.names.purchaseToken(of: row, plan: row.firstOfPlanBefore))
    }
    answer.add("regionCode", context.country(row).two)
    answer.add("startTime", (row.subscribedAt ?? row.time).rfc3339)
    if row.dirt != .missingField { answer.add("subscriptionState", "SUBSCRIPTION_STATE_\(state(row))") }
    if row.type == "cancel" {
      var cancellation = JSONObjectWriter()
      cancellation.add("cancelTime", row.time.rfc3339)
      var canceled = JSONObjectWriter()
      canceled.add("userInitiatedCancellation", object: cancellation)
      answer.add("canceledStateContext", object: canceled)
    }
    if row.dirt == .sandbox { answer.add("testPurchase", object: JSONObjectWriter()) }
    answer.add("acknowledgementState", "ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED")
    var account = JSONObjectWriter()
    account.add("obfuscatedExternalAccountId", context.names.storeUser(row.user))
    answer.add("externalAccountIdentifiers", object: account)
    answer.add("lineItems", raw: "[\(String(decoding: item(row).object, as: UTF8.self))]")
    return answer
  }

  private func state(_ row: StoryEvent) -> String {
    switch row.type {
    case "cancel": "CANCELED"
    case "expire": "EXPIRED"
    case "billing_retry": row.graceEnd == nil ? "ON_HOLD" : "IN_GRACE_PERIOD"
    default: "ACTIVE"
    }
  }

  private func item(_ row: StoryEvent) -> JSONObjectWriter {
    var item = JSONObjectWriter()
    item.add("productId", context.product(row)?.id)
    let end: Instant? =
      switch row.type {
      case "expire": row.time
      case "billing_retry": row.graceEnd ?? row.end
      default: row.end
      }
    item.add("expiryTime", end?.rfc3339)
    var plan = JSONObjectWriter()
    plan.add("autoRenewEnabled", flag: row.type != "cancel" && row.type != "expire")
    item.add("autoRenewingPlan", object: plan)
    item.add("latestSuccessfulOrderId", context.names.order(of: row))
    return item
  }
}
