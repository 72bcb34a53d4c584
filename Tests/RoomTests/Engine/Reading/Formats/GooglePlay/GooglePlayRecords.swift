import Foundation

/// Records of Google Play's, of one customer's first month unless told otherwise; members are raw JSON, `nil` leaves one out.
enum GooglePlayRecords {
  static let order = "GPA.3300-1111-2222-33333"

  static func money(_ units: String?, _ nanos: Int? = nil, _ currency: String = "USD") -> String {
    let members = [
      "\"currencyCode\":\"\(currency)\"", units.map { "\"units\":\"\($0)\"" }, nanos.map { "\"nanos\":\($0)" },
    ]
    return "{\(members.compactMap(\.self).joined(separator: ","))}"
  }

  static func object(_ members: [String: String?]) -> String {
    let reported = members.compactMapValues(\.self).sorted { $0.key < $1.key }
    return "{\(reported.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}"
  }

  static func item(_ product: String = "premium", _ members: [String: String?] = [:]) -> String {
    let all: [String: String?] = [
      "productId": "\"\(product)\"", "total": money("10", 790_000_000), "tax": money(nil, 800_000_000),
      "subscriptionDetails":
        #"{"basePlanId":"monthly","offerPhase":"BASE","servicePeriodEndTime":"2026-04-02T12:00:00Z"}"#,
    ]
    return object(all.merging(members) { $1 })
  }

  static func order(
    _ id: String = order, _ members: [String: String?] = [:], items: [String] = [item()], history: String = ""
  ) -> String {
    let all: [String: String?] = [
      "orderId": "\"\(id)\"", "purchaseToken": "\"tok\"", "state": "\"PROCESSED\"", "createTime": "\"\(march(2))\"",
      "lastEventTime": "\"\(march(2))\"", "total": money("10", 790_000_000), "tax": money(nil, 800_000_000),
      "lineItems": "[\(items.joined(separator: ","))]",
      "orderHistory": "{\"processedEvent\":{\"eventTime\":\"\(march(2))\"}\(history)}",
    ]
    return object(all.merging(members) { $1 })
  }

  static func partialRefund(_ day: Int, _ amount: String, state: String = "PROCESSED_SUCCESSFULLY") -> String {
    """
    {"createTime":"\(march(day))","processTime":"\(march(day))","state":"\(state)","refundDetails":{"total":\(amount)}}
    """
  }

  static func subscription(_ state: String = "ACTIVE", _ members: [String: String?] = [:]) -> String {
    let all: [String: String?] = [
      "purchaseToken": "\"tok\"", "startTime": "\"\(march(2))\"",
      "subscriptionState": "\"SUBSCRIPTION_STATE_\(state)\"",
      "externalAccountIdentifiers": #"{"obfuscatedExternalAccountId":"u1"}"#,
      "lineItems": """
      [{"productId":"premium","expiryTime":"2026-04-02T12:00:00Z","latestSuccessfulOrderId":"\(order)"}]
      """,
    ]
    return object(all.merging(members) { $1 })
  }

  static func notification(_ type: Int, _ day: Int, token: String = "tok") -> String {
    notification(
      day, "subscriptionNotification",
      "{\"notificationType\":\(type),\"purchaseToken\":\"\(token)\",\"subscriptionId\":\"premium\"}")
  }

  static func notification(_ day: Int, _ kind: String, _ object: String) -> String {
    "{\"version\":\"1.0\",\"packageName\":\"com.example\",\"eventTimeMillis\":\"\(milliseconds(day))\",\"\(kind)\":\(object)}"
  }

  static func voided(_ day: Int, _ order: String = order, type: Int = 1) -> String {
    notification(
      day, "voidedPurchaseNotification",
      "{\"purchaseToken\":\"tok\",\"orderId\":\"\(order)\",\"productType\":1,\"refundType\":\(type)}")
  }

  static func pushed(_ notification: String) -> String {
    let data = Data(notification.utf8).base64EncodedString()
    return "{\"message\":{\"data\":\"\(data)\",\"messageId\":\"7\"},\"subscription\":\"projects/p/subscriptions/s\"}"
  }
}
