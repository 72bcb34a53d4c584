import Foundation

@testable import Domain

extension ReportedLife {
  /// The life in a purchase format's words, for the user `u1`.
  func reported(in format: String) -> [String] {
    switch format {
    case "events": steps.enumerated().map { Self.event($1, number: $0) }
    case "app-store-notifications": notifications
    case "revenuecat-webhooks": steps.enumerated().flatMap { Self.webhooks($1, number: $0) }
    case "revenuecat-export": exported
    case "google-play-orders": playOrders
    case "google-play-subscriptions": playSubscriptions
    case "google-play-notifications": playNotifications
    default: []
    }
  }

  static let cutoffMilliseconds = (try? Instant(cutoff, timezone: .gmt).milliseconds) ?? 0

  // MARK: - Native

  private static func event(_ step: Step, number: Int) -> String {
    var fields = [
      "eventId": "e\(number)", "productId": step.product, "transactionId": step.order,
      "expiresDate": step.end.map { Instant(milliseconds: $0).rfc3339 } ?? "",
    ]
    if let share = step.share, share < 100_000 {
      fields["price"] = money(step.cents * share / 100_000)
      fields["currency"] = "USD"
    }
    if step.isCharge { fields["price"] = money(step.cents) }
    let reported = line(step.nativeType, step.time, fields)
    guard case .recovery = step.kind else { return reported }
    let recovered = ["eventId": "r\(number)", "productId": step.product]
    return reported + "\n" + line("billing_recovery", step.time, recovered)
  }

  private static func line(_ type: String, _ time: Int64, _ fields: [String: String]) -> String {
    RoomTests.event(type, Instant(milliseconds: time).rfc3339, fields)
  }

  private static func money(_ cents: Int64) -> String {
    "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)"
  }

  // MARK: - App Store

  /// Of refunds the store tells how the transaction stands: parts so far together.
  private var notifications: [String] {
    var standing: [Int: Int64] = [:]
    return steps.enumerated().map { number, step in
      if let share = step.share {
        standing[step.transaction] = min(100_000, standing[step.transaction, default: 0] + share)
      }
      if case .reversal = step.kind { standing[step.transaction] = nil }
      return Self.notification(step, number: number, standing: standing[step.transaction])
    }
  }

  private static func notification(_ step: Step, number: Int, standing: Int64?) -> String {
    var transaction = [
      "transactionId": "\"\(step.order)\"", "webOrderLineItemId": "\"line \(step.transaction)\"",
      "productId": "\"\(step.product)\"", "purchaseDate": "\(step.chargedAt)", "price": "\(step.cents * 10)",
      "expiresDate": step.end.map { "\($0)" } ?? "",
    ]
    if case .trial = step.kind { transaction.merge(["offerDiscountType": "\"FREE_TRIAL\"", "price": "0"]) { $1 } }
    if case .refund = step.kind {
      transaction["revocationDate"] = "\(step.time)"
      if let standing, standing < 100_000 { transaction["revocationPercentage"] = "\(standing)" }
    }
    var renewal: [String: String] = ["productId": "\"\(step.product)\""]
    if case .retry = step.kind { renewal["gracePeriodExpiresDate"] = step.end.map { "\($0)" } ?? "" }
    var reported = StoreNotification(
      step.notification.type, step.notification.subtype, transaction, id: "n\(number)", renewal: renewal)
    reported.payload["signedDate"] = "\(step.time + (step.isCharge ? 2000 : 0))"
    return reported.decoded
  }

  // MARK: - Webhooks

  private static func webhooks(_ step: Step, number: Int) -> [String] {
    var event = [
      "type": "\"\(step.webhook)\"", "id": "\"w\(number)\"", "app_user_id": "\"u1\"", "store": "\"APP_STORE\"",
      "event_timestamp_ms": "\(step.time + (step.isCharge ? 4000 : 0))", "purchased_at_ms": "\(step.chargedAt)",
      "product_id": "\"\(step.product)\"", "transaction_id": "\"\(step.order)\"", "currency": "\"USD\"",
      "renewal_number": "\(step.renewal)", "price_in_purchased_currency": step.isCharge ? money(step.cents) : "0",
    ]
    if let end = step.end { event["expiration_at_ms"] = "\(end)" }
    switch step.kind {
    case .trial: event["period_type"] = "\"TRIAL\""
    case .refund(let share):
      event["cancel_reason"] = "\"CUSTOMER_SUPPORT\""
      event["price_in_purchased_currency"] = "-" + money(step.cents * (share ?? 100_000) / 100_000)
    case .cancel: event["cancel_reason"] = "\"UNSUBSCRIBE\""
    case .retry:
      event["grace_period_expiration_at_ms"] = event["expiration_at_ms"]
      var cancellation = event
      cancellation.merge(
        ["type": "\"CANCELLATION\"", "cancel_reason": "\"BILLING_ERROR\"", "id": "\"c\(number)\""]
      ) { $1 }
      return [event, cancellation].map(Self.posted)
    default: break
    }
    return [posted(event)]
  }

  private static func posted(_ event: [String: String]) -> String {
    "{\"event\":{\(event.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}}"
  }

  // MARK: - Export

  /// Rows as they stand at the cut-off.
  private var exported: [String] {
    let byThen = steps.filter { $0.time < Self.cutoffMilliseconds }
    return ExportRows.file(
      byThen.filter { $0.isCharge || $0.isTrial }.map { charge in
        Self.row(charge, byThen.filter { $0.transaction == charge.transaction && $0.time >= charge.time })
      })
  }

  private static func row(_ charge: Step, _ steps: [Step]) -> [String: String] {
    var row = [
      "product_identifier": charge.product, "start_time": time(charge.time), "end_time": charge.end.map(time) ?? "",
      "store_transaction_id": charge.order, "renewal_number": "\(charge.renewal)",
      "is_trial_period": charge.isTrial ? "true" : "false", "updated_at": cutoff + " 00:00:00",
      "is_auto_renewable": charge.product == "days" ? "false" : "true",
      "purchase_price_in_purchased_currency": charge.isTrial ? "0" : money(charge.cents),
    ]
    var share: Int64 = 0
    for step in steps {
      switch step.kind {
      case .refund(let part):
        share = min(100_000, share + (part ?? 100_000))
        row["refunded_at"] = time(step.time)
      case .reversal: (share, row["refunded_at"]) = (0, "")
      case .cancel: row["unsubscribe_detected_at"] = time(step.time)
      case .uncancel: row["unsubscribe_detected_at"] = ""
      case .extend: row["end_time"] = step.end.map(time)
      case .retry:
        row["billing_issues_detected_at"] = time(step.time)
        row["grace_period_end_time"] = step.end.map(time)
        row["effective_end_time"] = step.end.map(time)
      default: break
      }
    }
    row["price_in_purchased_currency"] = charge.isTrial ? "0" : money(charge.cents * (100_000 - share) / 100_000)
    return row
  }

  /// `2026-03-01 08:27:06`, in UTC.
  private static func time(_ milliseconds: Int64) -> String {
    Instant(milliseconds: milliseconds).rfc3339.prefix(19).replacingOccurrences(of: "T", with: " ")
  }
}

extension ReportedLife.Step {
  var isTrial: Bool { if case .trial = kind { true } else { false } }

  var isCharge: Bool {
    switch kind {
    case .purchase, .renewal, .recovery, .oneTime: true
    default: false
    }
  }

  /// What a refund takes back, in thousandths of a percent; nil of everything else.
  var share: Int64? {
    if case .refund(let share) = kind { share ?? 100_000 } else { nil }
  }

  fileprivate var nativeType: String {
    switch kind {
    case .trial: "trial_start"
    case .purchase: "purchase"
    case .renewal, .recovery: "renewal"
    case .oneTime: "one_time_purchase"
    case .refund: "refund"
    case .reversal: "refund_reversal"
    case .cancel: "cancel"
    case .uncancel: "uncancel"
    case .retry: "billing_retry"
    case .expire: "expire"
    case .extend: "extend"
    }
  }

  fileprivate var notification: (type: String, subtype: String?) {
    switch kind {
    case .trial: ("SUBSCRIBED", "INITIAL_BUY")
    case .purchase: ("SUBSCRIBED", "RESUBSCRIBE")
    case .renewal: ("DID_RENEW", nil)
    case .recovery: ("DID_RENEW", "BILLING_RECOVERY")
    case .oneTime: ("ONE_TIME_CHARGE", nil)
    case .refund: ("REFUND", nil)
    case .reversal: ("REFUND_REVERSED", nil)
    case .cancel: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    case .uncancel: ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED")
    case .retry: ("DID_FAIL_TO_RENEW", "GRACE_PERIOD")
    case .expire: ("EXPIRED", "VOLUNTARY")
    case .extend: ("RENEWAL_EXTENDED", nil)
    }
  }

  fileprivate var webhook: String {
    switch kind {
    case .trial, .purchase: "INITIAL_PURCHASE"
    case .renewal, .recovery: "RENEWAL"
    case .oneTime: "NON_RENEWING_PURCHASE"
    case .refund, .cancel: "CANCELLATION"
    case .reversal: "REFUND_REVERSED"
    case .uncancel: "UNCANCELLATION"
    case .retry: "BILLING_ISSUE"
    case .expire: "EXPIRATION"
    case .extend: "SUBSCRIPTION_EXTENDED"
    }
  }
}
