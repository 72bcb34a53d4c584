import Testing

@testable import Engine
@testable import Measurement

/// The same charges, refunds and lives as two feeds tell them, each in its own words.
@Suite("Things told by two feeds")
struct TwoFeedsTests {
  /// A webhook of 2 March 2026, 10:00, of a charge of 9.99 USD; raw JSON values.
  private func webhook(_ type: String, _ id: String, _ members: [String: String] = [:]) -> String {
    var all = [
      "type": "\"\(type)\"", "id": "\"\(id)\"", "app_user_id": "\"u1\"", "event_timestamp_ms": "1772445605000",
      "purchased_at_ms": "1772445600000", "product_id": "\"p\"", "transaction_id": "\"t1\"",
      "price_in_purchased_currency": "9.99", "currency": "\"USD\"",
    ]
    all.merge(members) { $1 }
    return "{\"event\":{\(all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}}"
  }

  private func webhookRefund(_ id: String, _ price: String, day: Int, reason: String = "CUSTOMER_SUPPORT") -> String {
    webhook(
      "CANCELLATION", id,
      [
        "cancel_reason": "\"\(reason)\"", "price_in_purchased_currency": price,
        "event_timestamp_ms": "\(milliseconds(day))",
      ])
  }

  /// Measures the logs in both orders of files, which must come to the same.
  private func measure(
    _ logs: [(format: String, lines: [String])], _ change: (inout World) -> Void = { _ in }
  ) async throws -> RunMeasurement {
    var world = SourceWorld()
    for log in logs { world.add(log.format, log.lines) }
    change(&world.world)
    let found = try await world.measure()
    world.logs.reverse()
    let reversed = try await world.measure()
    #expect(reversed.money == found.money)
    #expect(reversed.used == found.used)
    return found
  }

  // MARK: - Refunds

  @Test("A third as a percentage and as rounded money is one refund")
  func third() async throws {
    let sale = StoreNotification("SUBSCRIBED", "INITIAL_BUY")
    let refund = StoreNotification(
      "REFUND", nil, ["revocationDate": "\(milliseconds(9))", "revocationPercentage": "33333"], id: "r1")
    let posted = [webhook("INITIAL_PURCHASE", "e1"), webhookRefund("e2", "-3.33", day: 9)]
    let found = try await measure([
      ("app-store-notifications", [sale.decoded, refund.decoded]), ("revenuecat-webhooks", posted),
    ])
    #expect(found.cents[0...1] == [999, 666])
    #expect(found.money[4] == 1)
    #expect(found.setAside == [.duplicate: 2])
  }

  @Test(
    "Parts told one by one and their sum told at once are the same money",
    arguments: [(["-2", "-3"], "4.99", 499), (["-2", "-2"], "5.99", 599), (["-2"], "4.99", 499)])
  func sums(parts: [String], left: String, net: Int128) async throws {
    let exported = ExportRows.file([["price_in_purchased_currency": left, "refunded_at": "2026-03-20 00:00:00"]])
    let refunds = parts.enumerated().map { webhookRefund("r\($0)", $1, day: 10 + $0) }
    let found = try await measure([
      ("revenuecat-export", exported), ("revenuecat-webhooks", [webhook("INITIAL_PURCHASE", "e1")] + refunds),
    ]) { $0.metrics.append("{name: event_count, event: refund, window: none}") }
    #expect(found.cents[0...1] == [999, net])
    #expect(found.sums(5)?.sumY == 2)
  }

  @Test("A negative price is money back, whatever the reason", arguments: ["UNSUBSCRIBE", "BILLING_ERROR", "MOOD"])
  func moneyBack(reason: String) async throws {
    let lines = [webhook("INITIAL_PURCHASE", "e1"), webhookRefund("e2", "-2.50", day: 9, reason: reason)]
    let found = try await measure([("revenuecat-webhooks", lines)])
    #expect(found.cents[0...1] == [999, 749])
    let free = [webhook("INITIAL_PURCHASE", "e1"), webhookRefund("e2", "-0.0", day: 9, reason: reason)]
    #expect(try await measure([("revenuecat-webhooks", free)]).cents[1] == 999)
  }

  @Test("A refund that nobody knows the charge of counts once, however many feeds tell it")
  func orphans() async throws {
    let own = event("refund", march(9), ["transactionId": "t1", "price": "3", "currency": "USD", "eventId": "x"])
    let found = try await measure([
      ("events", [own]), ("revenuecat-webhooks", [webhookRefund("e2", "-3", day: 9)]),
    ])
    #expect(found.orphanRefunds == 1)
    #expect(found.setAside == [.duplicate: 1])
  }

  @Test("A refund is in the currency it names, at the rate of its charge's day")
  func currencies() async throws {
    let sale = event("purchase", march(3), ["transactionId": "1", "currency": "GBP"])
    func refund(_ currency: String) -> String {
      event("refund", march(20), ["transactionId": "1", "price": "100", "currency": currency, "eventId": "r"])
    }
    let rates = ["2026-03-03,GBP,1.25", "2026-03-03,JPY,0.008", "2026-03-20,JPY,0.5", "2026-03-18,CHF,1"]
    for (currency, net) in [("JPY", 1170), ("GBP", 0), ("USD", 0), ("", 0)] as [(String, Int128)] {
      let found = try await measure([("events", [sale, refund(currency)])]) { $0.rates = rates }
      #expect(found.cents[0...1] == [1250, net], "\(currency)")
    }
    // Francs have a rate on the refund's day and none on the charge's.
    let unknown = try await measure([("events", [sale, refund("CHF")])]) { $0.rates = rates }
    #expect(unknown.cents[1] == 1250)
    #expect(unknown.setAside == [.noExchangeRate: 1])
    #expect(unknown.rejects.all.map(\.line) == [2])
    #expect(unknown.rejects.all.first?.detail.contains("CHF") == true)
  }

  // MARK: - Charges

  @Test("Renewals that share one transaction are told apart by their numbers, in one feed and in two")
  func sharedTransaction() async throws {
    for transaction in ["sub_1", "A", "zz9", "4"] {
      let posted = (1...3).map { number in
        webhook(
          number == 1 ? "INITIAL_PURCHASE" : "RENEWAL", "e\(number)",
          [
            "transaction_id": "\"\(transaction)\"", "renewal_number": "\(number)",
            "price_in_purchased_currency": "7.99", "purchased_at_ms": "\(milliseconds(number * 7))",
          ])
      }
      let exported = ExportRows.file(
        (1...3).map { number in
          [
            "store_transaction_id": transaction, "renewal_number": "\(number)",
            "start_time": "2026-03-\(number * 7 < 10 ? "0" : "")\(number * 7) 12:00:00",
            "purchase_price_in_purchased_currency": "7.99", "price_in_purchased_currency": number == 2 ? "0" : "7.99",
            "refunded_at": number == 2 ? "2026-03-16 00:00:00" : "",
          ]
        })
      let own = [event("purchase", march(7, "12:00:00"), ["transactionId": transaction, "price": "7.99"])]
      #expect(try await measure([("revenuecat-webhooks", posted)]).cents[0] == 2397)
      let logs = [("revenuecat-webhooks", posted), ("revenuecat-export", exported), ("events", own)]
      for chosen in [[0, 1], [0, 1, 2], [1, 2]] {
        let found = try await measure(chosen.map { logs[$0] })
        #expect(found.cents == [2397, 1598, 1118, 3, 1], "\(transaction) \(chosen)")
        #expect(found.used == 3)
      }
    }
  }

  @Test("A store's restore makes one charge of what two other feeds tell by two transactions")
  func linked() async throws {
    let sale = StoreNotification("SUBSCRIBED", "INITIAL_BUY")
    let restored = StoreNotification("SUBSCRIBED", "INITIAL_BUY", ["transactionId": "\"t2\""], id: "n2")
    let own = event("purchase", march(2), ["transactionId": "t2", "price": "9.99"])
    let found = try await measure([
      ("app-store-notifications", [sale.decoded, restored.decoded]),
      ("revenuecat-webhooks", [webhook("INITIAL_PURCHASE", "e1")]), ("events", [own]),
    ])
    #expect(found.cents[0...1] == [999, 999])
    #expect(found.setAside == [.duplicate: 3])
  }

  @Test("Tax and commission that a log tells are the charge's own, whichever feed tells them")
  func proceeds() async throws {
    let shares = ["tax_percentage": "0.1", "commission_percentage": "0.15"]
    let posted = [webhook("INITIAL_PURCHASE", "e1", shares)]
    let exported = ExportRows.file([shares], columns: ExportRows.columns + shares.keys.sorted())
    let own = [event("purchase", march(2, "10:00:00"), ["transactionId": "t1", "price": "9.99"])]
    // 9.99 × (1 − 0.1 − 0.15)
    for logs in [
      [("revenuecat-webhooks", posted)], [("revenuecat-export", exported)],
      [("events", own), ("revenuecat-webhooks", posted)], [("events", own), ("revenuecat-export", exported)],
    ] {
      #expect(try await measure(logs) { $0.products = ["p,auto_renewable,,50,50"] }.money[2] == 7_492_500)
    }
    let half = [webhook("INITIAL_PURCHASE", "e1", ["commission_percentage": "0.150000005", "tax_percentage": "null"])]
    #expect(
      try await measure([("revenuecat-webhooks", half)]) { $0.products = ["p,auto_renewable,,50,50"] }.money[2]
        == 4_245_750)
    for bad in ["15", "-0.1", "\"x\"", "1e-1"] {
      let lines = [webhook("INITIAL_PURCHASE", "e1", ["tax_percentage": bad])]
      #expect(try await measure([("revenuecat-webhooks", lines)]).setAside == [.malformed: 1])
    }
  }

  // MARK: - Lives

  private static let counted = [
    "trial_start", "cancel", "uncancel", "billing_retry", "billing_recovery", "expire", "extend",
  ]

  private func counts(_ logs: [(format: String, lines: [String])]) async throws -> [Int128?] {
    let found = try await measure(logs) { world in
      world.metrics += Self.counted.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    }
    return Self.counted.indices.map { found.sums($0 + 5)?.sumY }
  }

  @Test("What two feeds tell of a life counts once, the k-th that one tells being the k-th of the other")
  func lives() async throws {
    func own(_ type: String, _ day: Int, _ more: [String: String] = [:]) -> String {
      event(type, march(day), ["productId": "p", "eventId": "\(type)\(day)"].merging(more) { $1 })
    }
    func posted(_ type: String, _ day: Int, _ more: [String: String] = [:]) -> String {
      let time = ["event_timestamp_ms": "\(milliseconds(day, 9))", "purchased_at_ms": "\(milliseconds(day))"]
      return webhook(type, "\(type)\(day)\(more["cancel_reason"]?.count ?? 0)", time.merging(more) { $1 })
    }
    let events = [
      own("trial_start", 2, ["transactionId": "t0"]), own("cancel", 3), own("uncancel", 4), own("cancel", 5),
      own("uncancel", 6), own("billing_retry", 9), own("renewal", 10, ["transactionId": "t1", "price": "9.99"]),
      own("billing_recovery", 10), own("extend", 11, ["expiresDate": "2026-03-25T12:00:00Z"]), own("expire", 25),
    ]
    let unsubscribe = ["cancel_reason": "\"UNSUBSCRIBE\"", "price_in_purchased_currency": "0"]
    let webhooks = [
      posted("INITIAL_PURCHASE", 2, ["period_type": "\"TRIAL\"", "transaction_id": "\"t0\""]),
      posted("CANCELLATION", 3, unsubscribe), posted("UNCANCELLATION", 4), posted("CANCELLATION", 5, unsubscribe),
      posted("UNCANCELLATION", 6), posted("BILLING_ISSUE", 9),
      posted("CANCELLATION", 9, ["cancel_reason": "\"BILLING_ERROR\"", "price_in_purchased_currency": "0"]),
      posted("RENEWAL", 10),
      posted("SUBSCRIPTION_EXTENDED", 11, ["expiration_at_ms": "\(milliseconds(25))"]), posted("EXPIRATION", 25),
    ]
    let once: [Int128?] = [1, 2, 2, 1, 1, 1, 1]
    #expect(try await counts([("events", events)]) == once)
    #expect(try await counts([("revenuecat-webhooks", webhooks)]) == once)
    #expect(try await counts([("events", events), ("revenuecat-webhooks", webhooks)]) == once)
    // A feed that tells of fewer, later.
    #expect(try await counts([("events", events), ("revenuecat-webhooks", Array(webhooks[4...]))]) == once)
  }

  @Test("Within one feed only copies of one event are one")
  func oneFeed() async throws {
    let cancels = (3...5).map { event("cancel", march($0), ["productId": "p"]) }
    #expect(try await counts([("events", cancels + cancels)])[1] == 3)
    let other = event("cancel", march(4), ["productId": "other", "eventId": "o"])
    #expect(try await counts([("events", cancels), ("revenuecat-webhooks", [])])[1] == 3)
    #expect(try await counts([("events", cancels + [other]), ("revenuecat-webhooks", [])])[1] == 4)
  }

  @Test("An export's failed renewal is recovered by the next renewal, and has run out where none came")
  func billingIssues() async throws {
    let failed = [
      "end_time": "2026-03-09 10:00:00", "billing_issues_detected_at": "2026-03-09 10:00:00",
      "grace_period_end_time": "2026-03-12 10:00:00", "effective_end_time": "2026-03-12 10:00:00",
    ]
    func next(_ day: Int) -> [String: String] {
      ["store_transaction_id": "t2", "renewal_number": "2", "start_time": "2026-03-\(day) 10:00:00"]
    }
    // Retries, recoveries, ends.
    for (rows, expected) in [
      ([failed], [1, 0, 1]), ([failed, next(10)], [1, 1, 0]), ([failed, next(15)], [1, 1, 0]),
      ([failed, next(15).merging(["product_identifier": "other"]) { $1 }], [1, 0, 1]),
      ([failed.merging(["effective_end_time": "2026-04-02 00:00:00"]) { $1 }], [1, 0, 0]),
    ] as [([[String: String]], [Int128?])] {
      #expect(Array(try await counts([("revenuecat-export", ExportRows.file(rows))])[3...5]) == expected)
    }
  }
}
