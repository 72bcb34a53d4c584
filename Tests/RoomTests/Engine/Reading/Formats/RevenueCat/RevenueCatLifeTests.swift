import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// What RevenueCat's feeds tell of subscriptions beside their prices.
@Suite("Lives in RevenueCat's feeds")
struct RevenueCatLifeTests {
  private static let day: Int64 = 86_400_000

  /// A webhook of a day of March 2026 at noon; raw JSON values.
  private func webhook(_ type: String, _ day: Int, _ members: [String: String] = [:]) -> String {
    var all = [
      "type": "\"\(type)\"", "id": "\"\(type)\(day)\"", "app_user_id": "\"u1\"",
      "event_timestamp_ms": "\(milliseconds(day, 5))", "purchased_at_ms": "\(milliseconds(day))",
      "expiration_at_ms": "\(milliseconds(day + 31))", "product_id": "\"monthly\"", "transaction_id": "\"t\(day)\"",
      "original_transaction_id": "\"t2\"", "price_in_purchased_currency": "9.99", "price": "9.99",
      "currency": "\"USD\"",
      "period_type": "\"NORMAL\"", "environment": "\"PRODUCTION\"", "store": "\"APP_STORE\"",
    ]
    all.merge(members) { $1 }
    let text = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return "{\"event\":{\(text.joined(separator: ","))}}"
  }

  private func standing(_ lines: [String], at time: String) async throws -> StandingOfUser {
    try await StandingOfUser.of(lines, format: "revenuecat-webhooks", at: time)
  }

  @Test("A renewal inside a trial is the trial still, and begins one where none was told")
  func trials() async throws {
    let free = ["period_type": "\"TRIAL\"", "price": "0", "price_in_purchased_currency": "0"]
    let first = webhook("INITIAL_PURCHASE", 2, free.merging(["expiration_at_ms": "\(milliseconds(9))"]) { $1 })
    let again = webhook("RENEWAL", 9, free.merging(["expiration_at_ms": "\(milliseconds(16))"]) { $1 })
    for lines in [[first, again], [again]] {
      #expect(try await standing(lines, at: "2026-03-12").state == "in_trial")
      #expect(try await standing(lines, at: "2026-03-20").state == "trial_expired")
    }
    let paid = webhook("RENEWAL", 16)
    #expect(try await standing([first, again, paid], at: "2026-03-20").state == "subscribed")
  }

  @Test("A billing issue that tells no grace has none")
  func noGrace() async throws {
    let first = webhook("INITIAL_PURCHASE", 2)
    for none in ["", "null"] {
      let issue = webhook("BILLING_ISSUE", 33, ["grace_period_expiration_at_ms": none])
      let failed = webhook(
        "CANCELLATION", 33, ["cancel_reason": "\"BILLING_ERROR\"", "price_in_purchased_currency": "0"])
      for lines in [[first, issue], [first, issue, failed], [first, failed, issue]] {
        let found = try await standing(lines, at: "2026-04-05")
        #expect(found.active == 0 && found.state == "billing_retry")
      }
      // Without the issue nothing tells of a grace, and it is the product's.
      #expect(try await standing([first, failed], at: "2026-04-05").active == 1)
    }
    let graced = webhook("BILLING_ISSUE", 33, ["grace_period_expiration_at_ms": "\(milliseconds(39))"])
    #expect(try await standing([first, graced], at: "2026-04-05").active == 1)
  }

  @Test("A product changed at once on Stripe was bought when that was told")
  func stripe() async throws {
    let stripe = ["store": "\"STRIPE\"", "transaction_id": "\"si\""]
    let first = webhook("INITIAL_PURCHASE", 2, stripe.merging(["renewal_number": "1"]) { $1 })
    let changed = webhook(
      "RENEWAL", 12,
      stripe.merging(["renewal_number": "2", "purchased_at_ms": "\(milliseconds(2))", "product_id": "\"yearly\""]) {
        $1
      })
    var world = SourceWorld("revenuecat-webhooks", [first, changed])
    world.world.metrics = ["{name: charges, window: 3d, id: few}", "{name: charges, window: none, id: all}"]
    let found = try await world.measure()
    #expect(found.sums(0)?.sumY == 1 && found.sums(1)?.sumY == 2)
    // A retry that comes late is no such change.
    let late = webhook("RENEWAL", 2, stripe.merging(["event_timestamp_ms": "\(milliseconds(2, 80_000))"]) { $1 })
    world.logs[0].text = late
    #expect(try await world.measure().sums(0)?.sumY == 1)
  }

  // MARK: - Exports

  private func measure(_ rows: [[String: String]], _ change: (inout World) -> Void = { _ in }) async throws
    -> RunMeasurement
  {
    let columns =
      ExportRows.columns + ["price_in_usd", "purchase_price_in_usd", "tax_percentage", "commission_percentage"]
    var world = SourceWorld("revenuecat-export", ExportRows.file(rows, columns: columns))
    change(&world.world)
    return try await world.measure()
  }

  @Test("A row that ends before it starts is no transaction, and goes by that name")
  func invalid() async throws {
    let found = try await measure([
      [:],
      ["store_transaction_id": "t2", "end_time": "2026-03-02 09:59:59", "purchase_price_in_purchased_currency": ""],
      ["store_transaction_id": "t3", "end_time": "2026-03-02 10:00:00"],
    ])
    #expect(found.cents[3] == 2 && found.setAside == [.notMeasured: 1])
    #expect(found.noticed["not_measured end_time before start_time"] == 1)
  }

  @Test("A failure noticed after its end is an involuntary end, at the later of the two times")
  func noticedLate() async throws {
    let failed = [
      "effective_end_time": "2026-03-09 10:00:00", "billing_issues_detected_at": "2026-03-09 10:07:00",
      "updated_at": "2026-03-10 00:00:00",
    ]
    func churn(_ rows: [[String: String]], at time: String) async throws -> Int128? {
      try await measure(rows) { world in
        world.metrics = ["{name: involuntary_churn, window: none}"]
        world.asOf = time
      }.sums(0)?.sumY
    }
    #expect(try await churn([failed], at: "2026-03-20") == 1)
    #expect(try await churn([failed], at: "2026-03-09T10:06:59Z") == 0)
    let next = ["store_transaction_id": "t2", "renewal_number": "2", "start_time": "2026-03-11 10:00:00"]
    #expect(try await churn([failed, next], at: "2026-03-20") == 0)
    var world = SourceWorld("revenuecat-export", ExportRows.file([failed]))
    world.world.metrics = StandingOfUser.metrics.map { "{name: \($0)}" }
    world.world.asOf = "2026-03-20"
    #expect(StandingOfUser(try await world.measure()).state == "expired")
  }

  @Test("Tax and commission that a row tells are both shares of the price")
  func proceeds() async throws {
    // 10 less 2 of tax and 3 of commission; by the table's own rule it would be 5.60.
    let row = [
      "purchase_price_in_purchased_currency": "10", "price_in_purchased_currency": "10", "tax_percentage": "0.2",
      "commission_percentage": "0.3",
    ]
    #expect(try await measure([row]).cents[2] == 500)
    let table = try await measure([row.merging(["tax_percentage": "", "commission_percentage": ""]) { $1 }]) { world in
      world.products = ["p,auto_renewable,,20,30"]
    }
    #expect(table.cents[2] == 560)
    let all = row.merging(["tax_percentage": "0.6", "commission_percentage": "0.5"]) { $1 }
    #expect(try await measure([all]).cents[2] == 0)
  }

  // MARK: - Dollars

  private func checks(_ format: String, _ lines: [String], _ change: (inout World) -> Void = { _ in }) async throws
    -> [Check]
  {
    var world = SourceWorld(format, lines)
    change(&world.world)
    return try await world.checks()
  }

  @Test("A charge without a rate is worth the dollars it tells, and its refund too")
  func dollars() async throws {
    let euros = ["currency": "\"EUR\"", "price": "8.14", "price_in_purchased_currency": "7.99"]
    let bought = webhook("INITIAL_PURCHASE", 2, euros)
    func back(_ price: String, _ purchased: String) -> String {
      webhook(
        "CANCELLATION", 5,
        ["currency": "\"EUR\"", "price": price, "price_in_purchased_currency": purchased, "transaction_id": "\"t2\""])
    }
    func cents(_ lines: [String], _ change: (inout World) -> Void = { _ in }) async throws -> [Int128] {
      var world = SourceWorld("revenuecat-webhooks", lines)
      change(&world.world)
      let found = try await world.measure()
      return Array(found.cents[...1]) + [Int128(found.moneyCounts.reportedInDollars), Int128(found.setAside.count)]
    }
    #expect(try await cents([bought]) == [814, 814, 1, 0])
    #expect(try await cents([bought, back("-8.14", "-7.99")]) == [814, 0, 1, 0])
    #expect(try await cents([bought, back("-4.07", "-3.995")]) == [814, 407, 1, 0])
    // A rate of the day comes first.
    #expect(try await cents([bought]) { $0.rates = ["2026-03-02,EUR,1"] } == [799, 799, 0, 0])
    #expect(try await cents([bought, back("-4.07", "-3.99")]) { $0.rates = ["2026-03-02,EUR,1"] } == [799, 400, 0, 0])
    // Dollars are of no use where something else is reported, and none are told by a price of nothing.
    #expect(try await cents([bought]) { $0.job = "currency: GBP" } == [0, 0, 0, 1])
    let silent = webhook("INITIAL_PURCHASE", 2, euros.merging(["price": "0"]) { $1 })
    #expect(try await cents([silent]) == [0, 0, 0, 1])
    let check = try await checks("revenuecat-webhooks", [bought]).first { $0.name == "told_rates" }
    #expect(check?.status == .pass && check?.observed == 1)
    #expect(
      try await checks("revenuecat-webhooks", [webhook("INITIAL_PURCHASE", 2)]).allSatisfy { $0.name != "told_rates" })
  }

  @Test("An export's dollars are those before refunds, and what was given back is their part")
  func exportDollars() async throws {
    let row = [
      "purchased_currency": "EUR", "purchase_price_in_purchased_currency": "10", "price_in_purchased_currency": "10",
      "purchase_price_in_usd": "11", "price_in_usd": "11",
    ]
    func cents(_ change: [String: String]) async throws -> [Int128] {
      let found = try await measure([row.merging(change) { $1 }])
      return Array(found.cents[...1])
    }
    #expect(try await cents([:]) == [1100, 1100])
    #expect(try await cents(["purchase_price_in_usd": ""]) == [1100, 1100])
    let part = ["price_in_purchased_currency": "4", "price_in_usd": "4.4", "refunded_at": "2026-03-05 10:00:00"]
    #expect(try await cents(part) == [1100, 440])
    #expect(try await cents(part.merging(["purchase_price_in_usd": ""]) { $1 }) == [1100, 440])
    #expect(try await cents(part.merging(["price_in_usd": ""]) { $1 }) == [1100, 440])
    let all = ["price_in_purchased_currency": "0", "price_in_usd": "0", "refunded_at": "2026-03-05 10:00:00"]
    #expect(try await cents(all) == [1100, 0])
  }
}
