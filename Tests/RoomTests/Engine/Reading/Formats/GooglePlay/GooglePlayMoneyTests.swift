import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// What Google Play's orders tell of money, with those who they name.
@Suite("Money in Google Play's orders")
struct GooglePlayMoneyTests {
  private typealias Play = GooglePlayRecords

  private func world(
    _ orders: [String], _ subscriptions: [String] = [Play.subscription()], _ notifications: [String] = []
  ) -> SourceWorld {
    var world = SourceWorld("google-play-orders", orders)
    world.add("google-play-subscriptions", subscriptions)
    if !notifications.isEmpty { world.add("google-play-notifications", notifications) }
    world.world.products = ["premium,auto_renewable,,20,15", "pack,consumable,,20,15"]
    return world
  }

  /// In cents: gross, net, proceeds; then charges and refunded ones, whatever the order of the lines.
  private func cents(
    _ orders: [String], _ subscriptions: [String] = [Play.subscription()], _ notifications: [String] = []
  ) async throws -> [Int128] {
    let found = try await world(orders, subscriptions, notifications).measure()
    let reversed = try await world(orders.reversed(), subscriptions, notifications.reversed()).measure()
    #expect(found.rejects.all.map(\.detail) == [] && found.cents == reversed.cents)
    return found.cents
  }

  @Test("An order's tax is the charge's own, and what is left of it where that is told")
  func tax() async throws {
    // 9.99 untaxed, 15 % of it the store's by the products table.
    #expect(try await cents([Play.order()]) == [1079, 1079, 849, 1, 0])
    let revenue = ["developerRevenueInBuyerCurrency": Play.money("7", 10_000_000)]
    #expect(try await cents([Play.order(Play.order, revenue)]) == [1079, 1079, 701, 1, 0])
    let inPage = "{\"orders\":[\(Play.order(Play.order, revenue)),\(Play.order("GPA.1..0", revenue))]}"
    #expect(try await cents([inPage]) == [2158, 2158, 1402, 2, 0])
  }

  @Test("What is left is told after what was given back, and stands for as much of the rest")
  func revenueAfterRefund() async throws {
    let part = Play.order(
      Play.order, ["state": "\"PARTIALLY_REFUNDED\"", "developerRevenueInBuyerCurrency": Play.money("3", 500_000_000)],
      history: ",\"partialRefundEvents\":[\(Play.partialRefund(9, Play.money("5", 790_000_000)))]")
    #expect(try await cents([part]) == [1079, 500, 350, 1, 1])
    var before = world([part])
    before.world.asOf = "2026-03-05"
    #expect(try await before.measure().cents == [1079, 1079, 755, 1, 0])
  }

  @Test("A refund counts once, whoever tells it and however often, and each part of it at its time")
  func refunds() async throws {
    let parts = [
      Play.partialRefund(9, Play.money("2")), Play.partialRefund(12, Play.money("3")),
      Play.partialRefund(13, Play.money("4"), state: "PENDING"),
    ]
    let first = Play.order()
    let later = Play.order(
      Play.order, ["state": "\"PARTIALLY_REFUNDED\"", "lastEventTime": "\"\(march(12))\""],
      history: ",\"partialRefundEvents\":[\(parts.joined(separator: ","))]")
    #expect(try await cents([first, later, later]).prefix(2) == [1079, 579])
    let whole = Play.order(
      Play.order, ["state": "\"REFUNDED\"", "lastEventTime": "\"\(march(15))\""],
      history: ",\"partialRefundEvents\":[\(parts[0])],\"refundEvent\":{\"eventTime\":\"\(march(15))\"}")
    let voided = [Play.pushed(Play.voided(15)), Play.voided(15)]
    for reported in [([first, later, whole], []), ([whole], voided), ([first], voided)] {
      #expect(try await cents(reported.0, [Play.subscription()], reported.1) == [1079, 0, 0, 1, 1])
    }
    var before = world([first, later, whole], [Play.subscription()], voided)
    for (day, net) in [("2026-03-09", 1079), ("2026-03-10", 879), ("2026-03-16", 0)] as [(String, Int128)] {
      before.world.asOf = day
      #expect(try await before.measure().cents[1] == net)
    }
    // How much a part of the quantity costs the order alone tells.
    let some = try await world([first], [Play.subscription()], [Play.voided(15, type: 2)]).measure()
    #expect(some.cents[1] == 1079 && some.noticed["not_measured voidedPurchaseNotification refundType=2"] == 1)
    // A state that tells of no event is one all the same.
    #expect(try await cents([Play.order(Play.order, ["state": "\"REFUNDED\""])])[1] == 0)
  }

  @Test("Line items are charges of their own, and an order's refund is taken from one after the other")
  func items() async throws {
    let pack = Play.item(
      "pack",
      ["total": Play.money("4"), "tax": nil, "subscriptionDetails": nil, "oneTimePurchaseDetails": #"{"quantity":2}"#])
    let two = [Play.item(), pack, pack]
    #expect(try await cents([Play.order(items: two)]).prefix(2) == [1879, 1879])
    let parts = [Play.partialRefund(9, Play.money("2")), Play.partialRefund(10, Play.money("10"))]
    let order = Play.order(
      Play.order, ["state": "\"PARTIALLY_REFUNDED\""], items: two,
      history: ",\"partialRefundEvents\":[\(parts.joined(separator: ","))]")
    #expect(try await cents([order]) == [1879, 679, 461, 3, 2])
    #expect(try await cents([Play.order(items: two)], [Play.subscription()], [Play.voided(9)]) == [1879, 0, 0, 3, 3])
  }

  @Test("Who bought is found by token and order, whichever file tells whose they are")
  func customers() async throws {
    #expect(try await cents([Play.order()], [Play.subscription("ACTIVE", ["purchaseToken": nil])])[0] == 1079)
    let renewal = Play.order("\(Play.order)..11", ["purchaseToken": nil])
    #expect(try await cents([renewal], [Play.subscription()])[0] == 1079)
    // An upgrade has a token of its own, and names the one before.
    let upgrade = Play.order("GPA.9", ["purchaseToken": "\"new\""])
    let linked = Play.subscription(
      "ACTIVE",
      [
        "purchaseToken": "\"new\"", "linkedPurchaseToken": "\"tok\"", "externalAccountIdentifiers": nil,
        "lineItems": "[]",
      ])
    #expect(try await cents([upgrade], [linked, Play.subscription()])[0] == 1079)
    let own = Play.order(Play.order, ["purchaseToken": nil, "obfuscatedExternalAccountId": "\"u1\""])
    #expect(try await cents([own], [])[0] == 1079)
    // A license tester's purchase says of nobody whose it is.
    let test = try await world([Play.order()], [Play.subscription("ACTIVE", ["testPurchase": "{}"])]).measure()
    #expect(test.cents[0] == 0 && test.setAside[.sandbox] == 1 && test.setAside[.unassigned] == 1)
  }

  @Test("Nobody has paid for an order that waits or was canceled")
  func states() async throws {
    for state in ["PENDING", "CANCELED", "BRAND_NEW"] {
      let found = try await world([Play.order(Play.order, ["state": "\"\(state)\""])]).measure()
      #expect(found.cents[3] == 0 && found.noticed["not_measured state=\(state)"] == 1)
    }
  }

  @Test(
    "Amounts are whole units and billionths, exactly",
    arguments: [
      (Play.money("1200", nil, "JPY"), 1_200_000_000, "JPY"), (Play.money(nil, 990_000_000), 990_000, "USD"),
      (#"{"currencyCode":"usd","units":3,"nanos":1500}"#, 3_000_002, "USD"), (Play.money("0"), 0, "USD"),
      (Play.money("9223372036854", 775_807_000), 9_223_372_036_854_775_807, "USD"),
    ])
  func amounts(total: String, micros: Int64, currency: String) throws {
    let order = Play.order("GPA.1..0", ["total": total], items: [Play.item("premium", ["total": nil])])
    let log = try StoreLog([order], format: "google-play-orders")
    #expect(log.faults == [] && log.events.map(\.micros) == [micros] && log.events.map(\.currency) == [currency])
  }

  @Test(
    "What is no amount is refused",
    arguments: [
      (Play.money("-1"), "bad_price"), (Play.money("1", -1), "bad_price"),
      (Play.money("1", 1_000_000_000), "bad_price"),
      (Play.money("9223372036855"), "bad_price"), (Play.money("1.5"), "bad_price"),
      (Play.money("1", nil, "US"), "bad_currency"),
      ("\"10.79\"", "malformed"), ("null", "missing_price"),
    ])
  func badAmounts(total: String, reason: String) throws {
    let order = Play.order(Play.order, ["total": total], items: [Play.item("premium", ["total": nil])])
    let log = try StoreLog([order], format: "google-play-orders")
    #expect(log.events.isEmpty && log.faults.count == 1 && log.faults[0].hasPrefix(reason))
  }

  @Test("What an order lacks is said")
  func faults() throws {
    let lines = [
      Play.order(Play.order, ["orderId": nil]), Play.order(Play.order, ["state": nil]),
      Play.order(Play.order, ["purchaseToken": "\"\""]), Play.order(Play.order, ["lineItems": "[]"]),
      Play.order(Play.order, ["lineItems": "[3]"]), Play.order(Play.order, ["createTime": nil, "orderHistory": nil]),
      Play.order(items: [Play.item("premium", ["productId": nil])]), "{\"orders\":{}}", "{\"orders\":[7]}",
    ]
    let log = try StoreLog(lines, format: "google-play-orders")
    #expect(
      log.faults.map { String($0.prefix { $0 != ":" }) } == [
        "missing_field", "missing_field", "malformed", "malformed", "missing_field", "missing_field", "malformed",
        "malformed",
      ])
    #expect(try StoreLog(["{\"orders\":[]}"], format: "google-play-orders").notes == ["not_measured empty page": 1])
  }
}
