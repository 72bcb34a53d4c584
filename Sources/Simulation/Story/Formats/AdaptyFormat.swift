import Domain

/// Adapty's export of events, a row an event.
///
/// Columns: Adapty's documentation, "Amazon S3". It has no word for the reversal of a refund.
struct AdaptyFormat: StoryFormat {
  let context: StoryContext

  private static let names = [
    "trial_start": "trial_started", "purchase": "subscription_started", "renewal": "subscription_renewed",
    "one_time_purchase": "non_subscription_purchase", "refund": "subscription_refunded",
    "cancel": "subscription_renewal_cancelled", "uncancel": "subscription_renewal_reactivated",
    "expire": "subscription_expired", "billing_retry": "billing_issue_detected",
  ]

  func reports(_ event: StoryEvent) -> Bool { Self.names[event.type] != nil }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .copy, .sandbox, .afterCutoff, .notMeasured, .missingPrice, .missingField, .badTime, .invalidUTF8,
      .orphanRefund:
      event.isCharge
    case .groupMismatch: event.group != nil
    default: false
    }
  }

  var header: [UInt8]? { Array(pairs(Self.nobody).map(\.column).joined(separator: ",").utf8) }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      if row.dirt == .invalidUTF8 { bytes.append(0xFF) }
      bytes.write(csv: pairs(row).map(\.value))
      bytes.removeLast()
    }
  }

  private static let nobody = StoryEvent(
    time: Instant(milliseconds: 0), user: 0, ordinal: 0, step: 0, type: "purchase")

  private typealias Pair = (column: String, value: String)

  private func pairs(_ row: StoryEvent) -> [Pair] {
    happening(row) + person(row) + transaction(row) + [
      ("environment", row.dirt == .sandbox ? "Sandbox" : "Production"),
      ("store", context.names.store(of: row.user).word),
      ("product_id", context.product(row)?.id ?? ""), ("revenue_usd", ""), ("revenue_local", revenue(row)),
      ("currency", context.currency(row)), ("store_country", context.country(row).two),
    ]
  }

  private func happening(_ row: StoryEvent) -> [Pair] {
    let end = row.type == "billing_retry" ? row.graceEnd : row.end
    return [
      ("event_type", name(of: row)), ("event_datetime", row.dirt == .badTime ? "soon" : time(row.time)),
      ("subscription_expires_at", end.map { time($0) } ?? ""),
    ]
  }

  private func person(_ row: StoryEvent) -> [Pair] {
    let isNobody = row.dirt == .missingField
    let group = row.group.map { context.scenario.groups[Int($0)].name } ?? ""
    return [
      ("profile_id", isNobody ? "" : context.names.storeUser(row.user)),
      ("customer_user_id", isNobody ? "" : context.names.user(row.user)),
      ("ab_test_name", row.group == nil ? "" : context.scenario.offering.id), ("paywall_name", group),
    ]
  }

  private func transaction(_ row: StoryEvent) -> [Pair] {
    guard row.charge > 0 else { return [("transaction_id", ""), ("original_transaction_id", "")] }
    let first = row.dirt == .missingField ? "" : context.names.firstTransaction(of: row)
    return [("transaction_id", context.names.transaction(of: row)), ("original_transaction_id", first)]
  }

  private func name(of row: StoryEvent) -> String {
    switch row.type {
    case _ where row.dirt == .notMeasured: "subscription_paused"
    case "renewal" where row.followsTrial: "trial_converted"
    case "refund" where context.product(row)?.kind != .autoRenewable: "non_subscription_purchase_refunded"
    case "cancel" where row.isTrial: "trial_renewal_cancelled"
    case "expire" where row.isTrial: "trial_expired"
    default: Self.names[row.type] ?? ""
    }
  }

  private func revenue(_ row: StoryEvent) -> String {
    switch row.type {
    case _ where row.dirt == .missingPrice: ""
    case "refund": (-(row.amountMicros ?? row.priceMicros)).decimalUnits
    case "purchase", "renewal", "one_time_purchase": row.priceMicros.decimalUnits
    default: ""
    }
  }

  /// `2026-03-01T08:27:06.123+0000`.
  private func time(_ instant: Instant) -> String { "\(instant.rfc3339.dropLast())+0000" }
}
