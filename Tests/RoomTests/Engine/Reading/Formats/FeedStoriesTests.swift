import Testing

@testable import Engine
@testable import Measurement

/// One user's story as several feeds tell it.
@Suite("Stories told by several feeds")
struct FeedStoriesTests {
  private let header = ExportRows.columns

  private func export(_ rows: [String: String]...) -> [String] { ExportRows.file(rows) }

  /// A webhook of 2 March 2026, 10:00; raw JSON values.
  private func webhook(_ type: String, _ members: [String: String] = [:]) -> String {
    var all = [
      "type": "\"\(type)\"", "id": "\"e1\"", "app_user_id": "\"u1\"", "event_timestamp_ms": "1772445605000",
      "purchased_at_ms": "1772445600000", "product_id": "\"p\"", "transaction_id": "\"t1\"",
      "price_in_purchased_currency": "9.99", "currency": "\"USD\"",
    ]
    all.merge(members) { $1 }
    let text = all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\"event\":{\(text.joined(separator: ","))}}"
  }

  private func refund(_ price: String) -> String {
    webhook(
      "CANCELLATION",
      [
        "id": "\"e2\"", "cancel_reason": "\"CUSTOMER_SUPPORT\"", "price_in_purchased_currency": price,
        "event_timestamp_ms": "1773100000000",
      ])
  }

  private func both(_ exported: [String], _ posted: [String]) async throws -> RunMeasurement {
    var world = SourceWorld("revenuecat-export", exported)
    world.add("revenuecat-webhooks", posted)
    let found = try await world.measure()
    world.logs.reverse()
    #expect(try await world.measure().cents == found.cents)
    return found
  }

  @Test("A refund reported by an export and a webhook is subtracted once, in full and in part")
  func refundOnce() async throws {
    let full = export(["price_in_purchased_currency": "0", "refunded_at": "2026-03-09 00:00:00"])
    #expect(try await both(full, [webhook("INITIAL_PURCHASE"), refund("-9.99")]).cents == [999, 0, 0, 1, 1])
    #expect(try await both(full, [webhook("INITIAL_PURCHASE"), refund("0")]).cents == [999, 0, 0, 1, 1])
    let part = export(["price_in_purchased_currency": "7.49", "refunded_at": "2026-03-09 00:00:00"])
    #expect(try await both(part, [webhook("INITIAL_PURCHASE"), refund("-2.5")]).cents == [999, 749, 524, 1, 1])
  }

  @Test("A refund that only one of two feeds reports is subtracted all the same")
  func oneFeedAlone() async throws {
    #expect(try await both(export([:]), [webhook("INITIAL_PURCHASE"), refund("-2.5")]).cents[1] == 749)
    let part = export(["price_in_purchased_currency": "7.49", "refunded_at": "2026-03-09 00:00:00"])
    #expect(try await both(part, [webhook("INITIAL_PURCHASE")]).cents[1] == 749)
    #expect(try await both(part, []).cents[1] == 749)
  }

  @Test("A sale told by webhook and export is one, and rows of both are accounted for")
  func saleOnce() async throws {
    let found = try await both(export([:]), [webhook("INITIAL_PURCHASE"), webhook("INITIAL_PURCHASE")])
    #expect(found.cents == [999, 999, 699, 1, 0])
    #expect(found.used == 1)
    #expect(found.setAside == [.duplicate: 2])
  }

  @Test("One story told by the native log, an export and webhooks comes to the same")
  func oneStory() async throws {
    let trial = [
      "renewal_number": "1", "is_trial_period": "true", "store_transaction_id": "t0",
      "start_time": "2026-03-02 10:00:00", "purchase_price_in_purchased_currency": "0",
      "price_in_purchased_currency": "0",
    ]
    let paid = [
      "renewal_number": "2", "start_time": "2026-03-16 10:00:00", "store_transaction_id": "t1",
      "price_in_purchased_currency": "7.49", "refunded_at": "2026-03-20 00:00:00", "end_time": "2026-04-16 10:00:00",
    ]
    let coins = [
      "is_auto_renewable": "false", "store_transaction_id": "t2", "start_time": "2026-03-17 10:00:00",
      "product_identifier": "coins", "end_time": "",
    ]
    let stories: [(String, [String])] = [
      ("revenuecat-export", export(trial, paid, coins)),
      (
        "revenuecat-webhooks",
        [
          webhook("INITIAL_PURCHASE", ["period_type": "\"TRIAL\"", "transaction_id": "\"t0\""]),
          webhook("RENEWAL", ["id": "\"e2\"", "purchased_at_ms": "1773655200000"]),
          webhook(
            "CANCELLATION",
            [
              "id": "\"e3\"", "cancel_reason": "\"CUSTOMER_SUPPORT\"", "price_in_purchased_currency": "-2.5",
              "event_timestamp_ms": "1773964800000",
            ]),
          webhook(
            "NON_RENEWING_PURCHASE",
            [
              "id": "\"e4\"", "transaction_id": "\"t2\"", "product_id": "\"coins\"", "purchased_at_ms": "1773741600000",
            ]),
        ]
      ),
      (
        "events",
        [
          event("trial_start", march(2, "10:00:00"), ["productId": "p"]),
          event("renewal", march(16, "10:00:00"), ["price": "9.99", "transactionId": "t1"]),
          event("refund", march(20, "00:00:00"), ["price": "2.5", "transactionId": "t1", "currency": "USD"]),
          event(
            "one_time_purchase", march(17, "10:00:00"),
            ["price": "9.99", "transactionId": "t2", "productId": "coins"]),
        ]
      ),
    ]
    for (format, lines) in stories {
      var world = SourceWorld(format, lines)
      world.world.metrics += [
        "{name: trial_start_rate, window: 7d}", "{name: subscription_conversion, window: none}",
        "{name: one_time_conversion, window: 20d}", "{name: revenue_net, window: 18d}",
      ]
      let found = try await world.measure()
      #expect(found.cents == [1998, 1748, 1223, 2, 1], "\(format)")
      #expect((5..<9).map { found.sums($0)?.sumY } == [1, 1, 1, 17_480_000], "\(format)")
    }
  }

  @Test("The product's kind is never guessed from its price: a week's introduction and three days cost 2.99 both")
  func kinds() async throws {
    let price = ["purchase_price_in_purchased_currency": "2.99", "price_in_purchased_currency": "2.99"]
    func row(_ product: String, _ transaction: String, isRenewable: String) -> [String: String] {
      price.merging(
        [
          "product_identifier": product, "store_transaction_id": transaction, "is_auto_renewable": isRenewable,
        ]
      ) { $1 }
    }
    for products in [[], ["week,auto_renewable,,,", "days,non_renewing,,,"]] {
      var world = SourceWorld(
        "revenuecat-export", export(row("week", "1", isRenewable: "true"), row("days", "2", isRenewable: "false")))
      world.world.products = products
      world.world.metrics = [
        "{name: subscription_conversion, window: none, where: {products: [week]}}",
        "{name: one_time_conversion, window: none, where: {products: [days]}}",
        "{name: charges, window: none, where: {kinds: [auto_renewable]}, id: renewing}",
        "{name: charges, window: none, where: {kinds: [non_renewing]}, id: once}",
      ]
      let found = try await world.measure()
      #expect((0..<4).map { found.sums($0)?.sumY } == [1, 1, 1, 1])
      #expect(found.noticed["unknown_product "] == (products.isEmpty ? 2 : nil))
    }
  }
}
