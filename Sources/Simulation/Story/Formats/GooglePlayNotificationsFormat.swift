import Domain
import Foundation

/// Google Play's Real-time developer notifications as Pub/Sub pushes them, one message a line.
///
/// They name a purchase token and tell no money: of refunds those in full alone, of sales only that there was one.
/// Fields: Google, Google Play's billing system, "Real-time developer notifications reference guide".
struct GooglePlayNotificationsFormat: StoryFormat {
  let context: StoryContext

  /// `notificationType` of a subscription, by what happened.
  private static let turns = [
    "billing_recovery": 1, "renewal": 2, "cancel": 3, "trial_start": 4, "purchase": 4, "billing_retry": 5,
    "uncancel": 7,
    "expire": 13,
  ]
  /// A grace begins, as long as there is one; only then the subscription is on hold.
  private static let inGracePeriod = 6
  private static let priceChangeConfirmed = 8

  func reports(_ event: StoryEvent) -> Bool {
    switch event.type {
    case "one_time_purchase": true
    case "refund": event.refundedSoFar >= event.priceMicros
    case "renewal" where event.isRecovery: false
    case let turn: Self.turns[turn] != nil && event.isOfSubscription
    }
  }

  /// What was sold the orders tell.
  func isMeasured(_ event: StoryEvent) -> Bool { !event.isCharge && event.type != "trial_start" }

  func canSpoil(_ event: StoryEvent, by dirt: StoryDirt) -> Bool {
    switch dirt {
    case .none, .copy, .malformed, .truncated, .invalidUTF8: true
    case .retry, .afterCutoff, .notMeasured, .badTime, .missingField: isMeasured(event)
    default: false
    }
  }

  func write(_ rows: ArraySlice<StoryEvent>, to bytes: inout [UInt8]) {
    for row in rows {
      let start = bytes.count
      bytes += push(row).object
      row.dirt.breakLine(from: start, in: &bytes)
    }
  }

  /// A message that is pushed again has another id.
  private func push(_ row: StoryEvent) -> JSONObjectWriter {
    var message = JSONObjectWriter()
    message.add("data", Data(notification(row).object).base64EncodedString())
    message.add("messageId", "\(UInt64(row.user) << 16 | UInt64(row.ordinal) << 1 | (row.dirt == .retry ? 1 : 0))")
    message.add("publishTime", sentAt(row).rfc3339)
    var push = JSONObjectWriter()
    push.add("message", object: message)
    push.add("subscription", "projects/offerlift-sample/subscriptions/play")
    return push
  }

  private func notification(_ row: StoryEvent) -> JSONObjectWriter {
    var notification = JSONObjectWriter()
    notification.add("version", "1.0")
    notification.add("packageName", "org.offerlift.sample")
    notification.add("eventTimeMillis", row.dirt == .badTime ? "soon" : "\(sentAt(row).milliseconds)")
    switch row.type {
    case _ where row.dirt == .notMeasured:
      notification.add("subscriptionNotification", object: turn(row, Self.priceChangeConfirmed))
    case "refund": notification.add("voidedPurchaseNotification", object: voided(row))
    case "one_time_purchase": notification.add("oneTimeProductNotification", object: soldOnce(row))
    case "billing_retry" where row.graceEnd != nil:
      notification.add("subscriptionNotification", object: turn(row, Self.inGracePeriod))
    default: notification.add("subscriptionNotification", object: turn(row, Self.turns[row.type] ?? 0))
    }
    return notification
  }

  private func turn(_ row: StoryEvent, _ type: Int) -> JSONObjectWriter {
    var turn = JSONObjectWriter()
    turn.add("version", "1.0")
    turn.add("notificationType", number: Int64(type))
    addToken(row, to: &turn)
    turn.add("subscriptionId", context.product(row)?.id)
    return turn
  }

  private func soldOnce(_ row: StoryEvent) -> JSONObjectWriter {
    var sale = JSONObjectWriter()
    sale.add("version", "1.0")
    sale.add("notificationType", number: 1)
    addToken(row, to: &sale)
    sale.add("sku", context.product(row)?.id)
    return sale
  }

  private func voided(_ row: StoryEvent) -> JSONObjectWriter {
    var voided = JSONObjectWriter()
    addToken(row, to: &voided)
    if row.dirt != .missingField { voided.add("orderId", context.names.order(of: row)) }
    voided.add("productType", number: row.isOfSubscription ? 1 : 2)
    voided.add("refundType", number: 1)
    return voided
  }

  private func addToken(_ row: StoryEvent, to object: inout JSONObjectWriter) {
    if row.dirt != .missingField { object.add("purchaseToken", context.names.purchaseToken(of: row)) }
  }

  /// Refunds are told some seconds later than money moved, everything else is dated by the notification itself.
  private func sentAt(_ row: StoryEvent) -> Instant {
    Instant(milliseconds: row.time.milliseconds + (row.type == "refund" ? 3187 : 0))
  }
}
