import Foundation
import Testing

@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// One user's story in four purchase formats: a trial, its first payment, a renewal taken back, a partial refund,
/// three days of access, a month in pounds, auto-renew off and on again.
@Suite("One story in every purchase format")
struct OneStoryTests {
  @Test("It gives the same charges, refunds and metrics in all four")
  func same() async throws {
    var reported: [String: [String]] = [:]
    for format in Self.formats { reported[format.name] = try await measure([format]) }
    let expected = try #require(reported["events"])
    for (name, figures) in reported { #expect(figures == expected, "\(name)") }
    // Gross: 7.99 twice, 2.99, 20 pounds at 1.25. Net: the renewal is gone, and 5 pounds of the month.
    #expect(expected.contains("gross 43.970000 of 1"))
    #expect(expected.contains("net 29.730000 of 1"))
    #expect(expected.contains("charges 4 of 1"))
    #expect(expected.contains("refund_rate 2 of 4"))
    #expect(expected.contains("trial_to_paid 1 of 1"))
    #expect(expected.contains("renewal_rate 1 of 1"))
    #expect(expected.contains("one_time_to_subscription 1 of 1"))
    #expect(expected.contains("active_subscription 1 of 1"))
    #expect(expected.contains("set_to_renew 1 of 1"))
    #expect(expected.contains("mrr 25.000000 of 1"))
    #expect(expected.contains("credits_granted 13 of 1"))
    #expect(expected.contains("involuntary_churn 0 of 1"))
  }

  @Test("Told by several feeds at once it happened once")
  func together() async throws {
    let alone = try await measure([Self.formats[0]])
    #expect(try await measure(Self.formats) == alone)
    #expect(try await measure(Self.formats.reversed()) == alone)
    for other in Self.formats.dropFirst() { #expect(try await measure([other, Self.formats[0]]) == alone) }
  }

  // MARK: - Measuring

  private struct Format {
    var name: String
    var ending: String
    var lines: [String]
  }

  /// Numerator and denominator of every metric.
  private func measure(_ formats: [Format]) async throws -> [String] {
    let folder = try TemporaryFolder()
    try folder.write("assignments.csv", "user,offering,group,assigned_at\nu1,test,control,2026-03-01T00:00:00Z\n")
    try folder.write("rates.csv", "date,currency,rate\n2026-03-01,GBP,1.25\n2026-04-10,GBP,1.25\n")
    try folder.write(
      "products.csv",
      """
      product_id,kind,period,trial,grace,tier,credits,commission_percent,tax_percent
      week,auto_renewable,P1W,P3D,P3D,plus,3,15,0
      month,auto_renewable,P1M,,P16D,pro,50,15,20
      days,non_renewing,P3D,,,plus,10,30,0

      """)
    for format in formats { try folder.write("\(format.name).\(format.ending)", format.lines.joined(separator: "\n")) }
    try folder.write("job.yml", job(formats))
    let path = folder.path("job.yml")
    let job = try JobReader.read(path)
    let outcome = try await NativeEngine(job: job, cutoff: try Instant("2026-05-01", timezone: .gmt), threads: 1)
      .measure()
    let rejected = outcome.measurement.rejects.all.map(\.detail)
    #expect(rejected.isEmpty)
    return outcome.metrics.enumerated().map { index, metric in
      let sums = outcome.measurement.sums(index)
      let y = sums?.sumY ?? -1
      let numerator = metric.isMoney ? NumberText.micros(y) : "\(y)"
      return "\(metric.request.id) \(numerator) of \((metric.kind == .ratio ? sums?.sumX : sums?.n) ?? -1)"
    }
  }

  private func job(_ formats: [Format]) -> String {
    """
    job: story
    max_reject_ratio: 1
    assignments: {path: assignments.csv}
    products: products.csv
    exchange_rates: rates.csv
    purchases:
    \(formats.map { "  - {path: \($0.name).\($0.ending), format: \($0.name)}" }.joined(separator: "\n"))
    metrics:
      - {name: revenue_gross, id: gross}
      - {name: revenue_net, id: net}
      - {name: proceeds}
      - {name: charges}
      - {name: refund_rate}
      - {name: initial_conversion, window: 7d}
      - {name: trial_start_rate, window: 7d, id: trials}
      - {name: subscription_conversion, window: 30d}
      - {name: one_time_conversion, window: 30d}
      - {name: trial_to_paid}
      - {name: renewal_rate}
      - {name: one_time_to_subscription}
      - {name: involuntary_churn}
      - {name: active_subscription}
      - {name: set_to_renew}
      - {name: mrr}
      - {name: credits_granted}

    """
  }

  // MARK: - Telling

  private static func milliseconds(_ time: String) -> Int64 {
    (try? Instant(time, timezone: .gmt).milliseconds) ?? 0
  }

  private static let formats = [
    Format(name: "events", ending: "jsonl", lines: events),
    Format(name: "app-store-notifications", ending: "jsonl", lines: notifications),
    Format(name: "revenuecat-export", ending: "csv", lines: export),
    Format(name: "revenuecat-webhooks", ending: "jsonl", lines: webhooks),
  ]

  private static let events = [
    event(
      "trial_start", "2026-03-02T10:00:00Z",
      ["eventId": "1", "productId": "week", "expiresDate": "2026-03-05T10:00:00Z"]),
    event(
      "renewal", "2026-03-05T10:00:00Z",
      ["productId": "week", "price": "7.99", "transactionId": "102", "expiresDate": "2026-03-12T10:00:00Z"]),
    event(
      "renewal", "2026-03-12T10:00:00Z",
      ["productId": "week", "price": "7.99", "transactionId": "103", "expiresDate": "2026-03-19T10:00:00Z"]),
    event("refund", "2026-03-14T09:00:00Z", ["eventId": "r1", "transactionId": "103"]),
    event("expire", "2026-03-19T10:00:00Z", ["eventId": "x1", "productId": "week"]),
    event(
      "one_time_purchase", "2026-03-20T08:00:00Z", ["productId": "days", "price": "2.99", "transactionId": "104"]),
    event(
      "purchase", "2026-04-10T08:00:00Z",
      [
        "productId": "month", "price": "20", "currency": "GBP", "transactionId": "105",
        "expiresDate": "2026-05-10T08:00:00Z",
      ]),
    event(
      "refund", "2026-04-12T08:00:00Z", ["eventId": "r2", "transactionId": "105", "price": "5", "currency": "GBP"]),
    event("cancel", "2026-04-14T08:00:00Z", ["eventId": "c1", "productId": "month"]),
    event("uncancel", "2026-04-15T08:00:00Z", ["eventId": "c2", "productId": "month"]),
  ]

  /// A decoded notification; `transaction` is what it holds beside the user.
  private static func notification(_ type: String, _ signed: String, _ transaction: String) -> String {
    let parts = type.split(separator: "/")
    let subtype = parts.count > 1 ? "\"subtype\":\"\(parts[1])\"," : ""
    return """
      {"notificationType":"\(parts[0])",\(subtype)"notificationUUID":"\(type) \(signed)","signedDate":\(milliseconds(signed)),\
      "data":{"environment":"Production","transactionInfo":{"appAccountToken":"u1","inAppOwnershipType":"PURCHASED",\
      \(transaction)}}}
      """
  }

  /// A transaction: what was bought, when, up to when, for how many thousandths.
  private static func bought(
    _ id: String, _ product: String, _ from: String, _ to: String? = nil, _ price: Int, _ currency: String = "USD"
  ) -> String {
    let end = to.map { ",\"expiresDate\":\(milliseconds($0))" } ?? ""
    return """
      "transactionId":"\(id)","webOrderLineItemId":"line \(id)","productId":"\(product)",\
      "purchaseDate":\(milliseconds(from)),"price":\(price),"currency":"\(currency)"\(end)
      """
  }

  private static let trial = bought("101", "week", "2026-03-02T10:00:00Z", "2026-03-05T10:00:00Z", 0)
  private static let first = bought("102", "week", "2026-03-05T10:00:00Z", "2026-03-12T10:00:00Z", 7990)
  private static let second = bought("103", "week", "2026-03-12T10:00:00Z", "2026-03-19T10:00:00Z", 7990)
  private static let days = bought("104", "days", "2026-03-20T08:00:00Z", nil, 2990)
  private static let month = bought("105", "month", "2026-04-10T08:00:00Z", "2026-05-10T08:00:00Z", 20000, "GBP")

  private static let notifications = [
    notification("SUBSCRIBED/INITIAL_BUY", "2026-03-02T10:00:03Z", trial + #","offerDiscountType":"FREE_TRIAL""#),
    notification("DID_RENEW", "2026-03-05T09:00:00Z", first),
    notification("DID_RENEW", "2026-03-12T09:00:00Z", second),
    notification(
      "REFUND", "2026-03-14T09:05:00Z", second + ",\"revocationDate\":\(milliseconds("2026-03-14T09:00:00Z"))"),
    notification("EXPIRED/VOLUNTARY", "2026-03-19T10:00:00Z", second),
    notification("ONE_TIME_CHARGE", "2026-03-20T08:00:02Z", days),
    notification("SUBSCRIBED/RESUBSCRIBE", "2026-04-10T08:00:02Z", month),
    notification(
      "REFUND", "2026-04-12T08:05:00Z",
      month + ",\"revocationDate\":\(milliseconds("2026-04-12T08:00:00Z")),\"revocationPercentage\":25000"),
    notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED", "2026-04-14T08:00:00Z", month),
    notification("DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED", "2026-04-15T08:00:00Z", month),
  ]

  private static let export = [
    "rc_original_app_user_id,product_identifier,start_time,end_time,is_trial_period,is_auto_renewable,is_sandbox,"
      + "store_transaction_id,renewal_number,purchased_currency,purchase_price_in_purchased_currency,"
      + "price_in_purchased_currency,refunded_at,unsubscribe_detected_at,updated_at",
    "u1,week,2026-03-02 10:00:00,2026-03-05 10:00:00,true,true,false,101,1,USD,0,0,,,2026-04-20 00:00:00",
    "u1,week,2026-03-05 10:00:00,2026-03-12 10:00:00,false,true,false,102,2,USD,7.99,7.99,,,2026-04-20 00:00:00",
    "u1,week,2026-03-12 10:00:00,2026-03-19 10:00:00,false,true,false,103,3,USD,7.99,0,2026-03-14 09:00:00,,"
      + "2026-04-20 00:00:00",
    "u1,days,2026-03-20 08:00:00,,false,false,false,104,1,USD,2.99,2.99,,,2026-04-20 00:00:00",
    "u1,month,2026-04-10 08:00:00,2026-05-10 08:00:00,false,true,false,105,1,GBP,20,15,2026-04-12 08:00:00,,"
      + "2026-04-20 00:00:00",
  ]

  private static func webhook(_ type: String, _ at: String, _ members: String) -> String {
    """
    {"api_version":"1.0","event":{"type":"\(type)","id":"\(type) \(at)","event_timestamp_ms":\(milliseconds(at)),\
    "app_user_id":"u1","environment":"PRODUCTION","store":"APP_STORE",\(members)}}
    """
  }

  private static func sold(
    _ id: String, _ product: String, _ from: String, _ to: String? = nil, _ price: String, _ currency: String = "USD",
    _ period: String = "NORMAL"
  ) -> String {
    """
    "transaction_id":"\(id)","product_id":"\(product)","purchased_at_ms":\(milliseconds(from)),\
    "expiration_at_ms":\(to.map { "\(milliseconds($0))" } ?? "null"),"price_in_purchased_currency":\(price),\
    "currency":"\(currency)","period_type":"\(period)"
    """
  }

  private static let webhooks = [
    webhook(
      "INITIAL_PURCHASE", "2026-03-02T10:00:05Z",
      sold("101", "week", "2026-03-02T10:00:00Z", "2026-03-05T10:00:00Z", "0", "USD", "TRIAL")),
    webhook(
      "RENEWAL", "2026-03-05T10:00:05Z", sold("102", "week", "2026-03-05T10:00:00Z", "2026-03-12T10:00:00Z", "7.99")),
    webhook(
      "RENEWAL", "2026-03-12T10:00:05Z", sold("103", "week", "2026-03-12T10:00:00Z", "2026-03-19T10:00:00Z", "7.99")),
    webhook(
      "CANCELLATION", "2026-03-14T09:01:00Z",
      sold("103", "week", "2026-03-12T10:00:00Z", "2026-03-19T10:00:00Z", "-7.99")
        + #","cancel_reason":"CUSTOMER_SUPPORT""#),
    webhook(
      "EXPIRATION", "2026-03-19T10:00:00Z", sold("103", "week", "2026-03-12T10:00:00Z", "2026-03-19T10:00:00Z", "0")),
    webhook("NON_RENEWING_PURCHASE", "2026-03-20T08:00:05Z", sold("104", "days", "2026-03-20T08:00:00Z", nil, "2.99")),
    webhook(
      "INITIAL_PURCHASE", "2026-04-10T08:00:05Z",
      sold("105", "month", "2026-04-10T08:00:00Z", "2026-05-10T08:00:00Z", "20", "GBP")),
    webhook(
      "CANCELLATION", "2026-04-12T08:01:00Z",
      sold("105", "month", "2026-04-10T08:00:00Z", "2026-05-10T08:00:00Z", "-5", "GBP")
        + #","cancel_reason":"CUSTOMER_SUPPORT""#),
    webhook(
      "CANCELLATION", "2026-04-14T08:00:00Z",
      sold("105", "month", "2026-04-10T08:00:00Z", "2026-05-10T08:00:00Z", "0", "GBP")
        + #","cancel_reason":"UNSUBSCRIBE""#),
    webhook(
      "UNCANCELLATION", "2026-04-15T08:00:00Z",
      sold("105", "month", "2026-04-10T08:00:00Z", "2026-05-10T08:00:00Z", "0", "GBP")),
  ]
}
