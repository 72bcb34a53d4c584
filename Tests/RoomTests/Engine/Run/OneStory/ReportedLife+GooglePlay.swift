import Foundation

@testable import Domain

/// The life as Google Play tells it: money in orders, who it is in subscriptions, all else in notifications.
extension ReportedLife {
  /// What the store can tell: it has no word for a refund that is taken back.
  var isOfGooglePlay: Bool { !steps.contains { if case .reversal = $0.kind { true } else { false } } }

  /// Orders as they stood when they were charged, and at the cut-off.
  var playOrders: [String] {
    let byThen = steps.filter { $0.time < Self.cutoffMilliseconds }
    return byThen.filter { $0.isCharge || $0.isTrial }.flatMap { charge in
      let refunds = byThen.filter { $0.transaction == charge.transaction && $0.share != nil }
      return Set([Self.order(charge, []), Self.order(charge, refunds)])
    }
  }

  private static func order(_ charge: Step, _ refunds: [Step]) -> String {
    let parts = refunds.filter { $0.share != 100_000 }
    let whole = refunds.first { $0.share == 100_000 }
    let state = whole != nil ? "REFUNDED" : parts.isEmpty ? "PROCESSED" : "PARTIALLY_REFUNDED"
    let partial = parts.map { part in
      """
      {"createTime":"\(time(part.time))","processTime":"\(time(part.time))","state":"PROCESSED_SUCCESSFULLY",\
      "refundDetails":{"total":\(money(charge.cents * (part.share ?? 0) / 100_000))}}
      """
    }
    let phase = charge.isTrial ? "FREE_TRIAL" : "BASE"
    let kind =
      charge.product == "days"
      ? "\"oneTimePurchaseDetails\":{\"quantity\":1}"
      : """
      "subscriptionDetails":{"basePlanId":"plan","offerPhase":"\(phase)","servicePeriodStartTime":\
      "\(time(charge.time))","servicePeriodEndTime":"\(time(charge.end ?? charge.time))"}
      """
    let refund = whole.map { ",\"refundEvent\":{\"eventTime\":\"\(time($0.time))\",\"refundReason\":\"OTHER\"}" } ?? ""
    // A thing bought once has no subscription that would name the account.
    let account = charge.product == "days" ? "\"obfuscatedExternalAccountId\":\"u1\"," : ""
    let paid = money(charge.isTrial ? 0 : charge.cents)
    return """
      {"orderId":"\(charge.order)",\(account)"purchaseToken":"token \(charge.firstOrder)","state":"\(state)",\
      "createTime":"\(time(charge.time))","lastEventTime":"\(time(refunds.last?.time ?? charge.time))","total":\(paid),\
      "lineItems":[{"productId":"\(charge.product)","total":\(paid),\(kind)}],\
      "orderHistory":{"processedEvent":{"eventTime":"\(time(charge.time))"},\
      "partialRefundEvents":[\(partial.joined(separator: ","))]\(refund)}}
      """
  }

  /// Each subscription as it stood at each of its turns.
  var playSubscriptions: [String] {
    steps.filter { $0.time < Self.cutoffMilliseconds }.compactMap { step in
      switch step.kind {
      case .purchase, .trial: Self.subscription(step, "ACTIVE", until: step.end ?? step.time, canceled: nil)
      case .cancel: Self.subscription(step, "CANCELED", until: paidUntil(step), canceled: step.time)
      case .expire: Self.subscription(step, "EXPIRED", until: step.time, canceled: nil)
      default: nil
      }
    }
  }

  /// When what was charged last before a step ends.
  private func paidUntil(_ step: Step) -> Int64 {
    let charge = steps.last { ($0.isCharge || $0.isTrial) && $0.transaction == step.transaction }
    return charge?.end ?? step.chargedAt
  }

  private static func subscription(_ step: Step, _ state: String, until end: Int64, canceled: Int64?) -> String {
    let context =
      canceled.map {
        ",\"canceledStateContext\":{\"userInitiatedCancellation\":{\"cancelTime\":\"\(time($0))\"}}"
      } ?? ""
    return """
      {"kind":"androidpublisher#subscriptionPurchaseV2","purchaseToken":"token \(step.firstOrder)",\
      "startTime":"\(time(step.chargedAt))","subscriptionState":"SUBSCRIPTION_STATE_\(state)",\
      "externalAccountIdentifiers":{"obfuscatedExternalAccountId":"u1"},"lineItems":[{"productId":"\(step.product)",\
      "expiryTime":"\(time(end))","latestSuccessfulOrderId":"\(step.order)"}]\(context)}
      """
  }

  /// Every other one as Pub/Sub pushes it.
  var playNotifications: [String] {
    steps.enumerated().compactMap { number, step in
      let reported: String
      switch step.kind {
      case .trial, .purchase: reported = Self.notification(4, step)
      case .renewal: reported = Self.notification(2, step)
      case .recovery: reported = Self.notification(1, step)
      case .cancel: reported = Self.notification(3, step)
      case .uncancel: reported = Self.notification(7, step)
      case .retry: reported = Self.notification(6, step)
      case .expire: reported = Self.notification(13, step)
      case .refund(nil):
        reported = """
          {"version":"1.0","packageName":"com.example","eventTimeMillis":"\(step.time)","voidedPurchaseNotification":\
          {"purchaseToken":"token \(step.firstOrder)","orderId":"\(step.order)","productType":1,"refundType":1}}
          """
      default: return nil
      }
      guard number % 2 == 0 else { return reported }
      let data = Data(reported.utf8).base64EncodedString()
      return "{\"message\":{\"data\":\"\(data)\",\"messageId\":\"\(number)\"},\"subscription\":\"s\"}"
    }
  }

  private static func notification(_ type: Int, _ step: Step) -> String {
    """
    {"version":"1.0","packageName":"com.example","eventTimeMillis":"\(step.time)","subscriptionNotification":\
    {"version":"1.0","notificationType":\(type),"purchaseToken":"token \(step.firstOrder)","subscriptionId":\
    "\(step.product)"}}
    """
  }

  private static func money(_ cents: Int64) -> String {
    "{\"currencyCode\":\"USD\",\"units\":\"\(cents / 100)\",\"nanos\":\(cents % 100 * 10_000_000)}"
  }

  private static func time(_ milliseconds: Int64) -> String { Instant(milliseconds: milliseconds).rfc3339 }
}
