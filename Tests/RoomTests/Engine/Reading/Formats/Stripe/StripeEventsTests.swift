import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Stripe's events: what was paid")
struct StripeEventsTests {
  private static let types = [
    "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "cancel", "uncancel", "billing_retry",
    "billing_recovery", "expire", "extend",
  ]

  private func measure(_ lines: [String], keys: String = "", rates: [String] = []) async throws -> RunMeasurement {
    var world = SourceWorld("stripe-events", lines, keys)
    world.world.metrics += Self.types.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    world.world.rates = rates
    return try await world.measure()
  }

  /// How often each type was told, by type.
  private func types(_ found: RunMeasurement) -> [String: Int] {
    Self.types.enumerated().reduce(into: [:]) { counts, type in
      let count = Int(found.sums(type.offset + 5)?.sumY ?? 0)
      if count > 0 { counts[type.element] = count }
    }
  }

  private let paid = StripeLog.event("invoice.paid", StripeLog.invoice())

  // MARK: - Invoices

  @Test(
    "A paid invoice is a charge, once however often it is told",
    arguments: [StripeLog.invoice(), StripeLog.basilInvoice])
  func invoice(invoice: String) async throws {
    let lines = [
      StripeLog.event("invoice.paid", invoice), StripeLog.event("invoice.payment_succeeded", invoice, id: "evt_2"),
      StripeLog.event("invoice.paid", invoice),
    ]
    let found = try await measure(lines)
    #expect(found.cents == [999, 999, 999, 1, 0])
    #expect(found.used == 1)
    #expect(found.setAside == [.duplicate: 2])
    #expect(types(found) == ["purchase": 1])
  }

  @Test(
    "What an invoice is for says what kind of charge it is",
    arguments: [
      ("subscription_create", "purchase"), ("subscription_cycle", "renewal"), ("subscription_update", "purchase"),
      ("subscription_threshold", "renewal"), ("manual", "one_time_purchase"), ("some_new_reason", "renewal"),
    ])
  func reasons(reason: String, type: String) async throws {
    let found = try await measure([
      StripeLog.event("invoice.paid", StripeLog.invoice(["billing_reason": "\"\(reason)\""]))
    ])
    #expect(types(found) == [type: 1])
  }

  @Test(
    "Amounts count in smallest units, as Stripe has them",
    arguments: [
      ("jpy", "500", 500_000_000), ("kwd", "5120", 5_120_000), ("isk", "500", 5_000_000),
      ("ugx", "500", 5_000_000), ("mga", "5", 5_000_000), ("huf", "1045", 10_450_000), ("twd", "30000", 300_000_000),
    ])
  func decimals(currency: String, amount: String, micros: Int128) async throws {
    let invoice = StripeLog.invoice(["currency": "\"\(currency)\"", "amount_paid": amount])
    let found = try await measure(
      [StripeLog.event("invoice.paid", invoice)], rates: ["2026-03-02,\(currency.uppercased()),1"])
    #expect(found.money[0] == micros)
  }

  @Test("Lines that settle a change are parts of one charge, of the product that goes on")
  func prorations() async throws {
    let lines =
      #"{"data":[{"price":{"id":"old"},"amount":-500,"proration":true},"#
      + #"{"price":"price_2","amount":1999,"proration":false},{"plan":{"id":"old"},"amount":1,"proration":true}]}"#
    var world = SourceWorld(
      "stripe-events",
      [
        StripeLog.event(
          "invoice.paid",
          StripeLog.invoice(["lines": lines, "amount_paid": "1500", "billing_reason": "\"subscription_update\""]))
      ])
    world.world.products = ["price_2,auto_renewable,,,"]
    let found = try await world.measure()
    #expect(found.cents == [1500, 1500, 1500, 1, 0])
    #expect(found.noticed.keys.allSatisfy { !$0.hasPrefix("unknown_product") })
  }

  @Test(
    "What an invoice says is tax is the charge's own",
    arguments: [
      ["tax": "159"], ["total_tax_amounts": #"[{"amount":100},{"amount":59}]"#], ["total_taxes": #"[{"amount":159}]"#],
    ])
  func tax(members: [String: String]) async throws {
    let invoice = StripeLog.invoice(members.merging(["total": "999"]) { $1 })
    let found = try await measure([StripeLog.event("invoice.paid", invoice)])
    #expect(found.cents == [999, 999, 840, 1, 0])
    let odd = StripeLog.invoice(["total": "999", "tax": "99999999999999999999", "total_taxes": #"[{"amount":"x"},7]"#])
    #expect(try await measure([StripeLog.event("invoice.paid", odd)]).cents == [999, 999, 999, 1, 0])
  }

  @Test("An invoice of nothing begins a trial where it says so, or carries access on, and is no charge")
  func free() async throws {
    let line = #"{"price":{"id":"price_1"},"amount":0,"period":{"start":1772445600,"end":1772532000}"#
    let ofTrial = StripeLog.invoice([
      "amount_paid": "0", "charge": "null",
      "lines": "{\"data\":[\(line),\"description\":\"Trial period for Premium\"}]}",
    ])
    let trial = StripeLog.event("invoice.paid", ofTrial)
    let begun = StripeLog.event(
      "customer.subscription.created",
      StripeLog.subscription([
        "status": "\"trialing\"", "trial_start": "\(StripeLog.sold)", "trial_end": "\(StripeLog.sold + 86_400)",
      ]), id: "evt_3")
    let found = try await measure([trial, begun])
    #expect(types(found) == ["trial_start": 1])
    #expect(found.setAside == [.duplicate: 1])
    let credited = StripeLog.invoice(["amount_paid": "0", "billing_reason": "\"subscription_cycle\""])
    #expect(types(try await measure([StripeLog.event("invoice.paid", credited)])) == ["extend": 1])
    let manual = StripeLog.invoice(["amount_paid": "0", "billing_reason": "\"manual\"", "subscription": "null"])
    #expect(try await measure([StripeLog.event("invoice.paid", manual)]).noticed["not_measured invoice.paid of 0"] == 1)
  }

  @Test(
    "A free plan, a plan paid by use and a coupon of 100 % are no trial",
    arguments: [
      #"{"price":{"id":"price_1","unit_amount":0},"amount":0,"period":{"start":1772445600,"end":1775124000}}"#,
      #"{"price":{"id":"price_1","unit_amount":999},"amount":999,"period":{"start":1772445600,"end":1775124000}}"#,
    ])
  func noTrial(line: String) async throws {
    let invoice = StripeLog.invoice(["amount_paid": "0", "charge": "null", "lines": "{\"data\":[\(line)]}"])
    let begun = StripeLog.event("customer.subscription.created", StripeLog.subscription(), id: "evt_3")
    #expect(types(try await measure([StripeLog.event("invoice.paid", invoice), begun])).isEmpty)
  }

  @Test("A failed renewal is one failure however often it is tried, and the paid invoice its recovery")
  func failures() async throws {
    let renewal = [
      "id": "\"in_2\"", "billing_reason": "\"subscription_cycle\"", "charge": "\"ch_2\"", "payment_intent": "\"pi_2\"",
    ]
    let failed = StripeLog.invoice(renewal.merging(["amount_paid": "0", "status": "\"open\""]) { $1 })
    let past = StripeLog.event(
      "customer.subscription.updated",
      StripeLog.subscription(["status": "\"past_due\"", "latest_invoice": "\"in_2\""]), id: "evt_5", hours: 607,
      previous: #"{"status":"active"}"#)
    let lines = [
      paid, StripeLog.event("invoice.payment_failed", failed, id: "evt_3", hours: 600),
      StripeLog.event("invoice.payment_failed", failed, id: "evt_4", hours: 605), past,
    ]
    let unpaid = try await measure(lines)
    #expect(types(unpaid) == ["purchase": 1, "billing_retry": 1])
    var recovered = renewal
    recovered["status_transitions"] = "{\"paid_at\":\(StripeLog.sold + 612 * 3600)}"
    let found = try await measure(
      lines.dropLast() + [StripeLog.event("invoice.paid", StripeLog.invoice(recovered), id: "evt_6")])
    #expect(types(found) == ["purchase": 1, "renewal": 1, "billing_retry": 1, "billing_recovery": 1])
    let first = StripeLog.invoice(["amount_paid": "0", "status": "\"open\""])
    #expect(try await measure([StripeLog.event("invoice.payment_failed", first)]).setAside == [.notMeasured: 1])
  }

  // MARK: - Charges

  @Test("A sale is one however many of its objects tell it, in any order and in every way")
  func duplicates() async throws {
    let charge = StripeLog.event("charge.succeeded", StripeLog.charge(), id: "evt_2")
    let payment = StripeLog.object([
      "id": "\"pi_1\"", "object": "\"payment_intent\"", "amount": "999", "amount_received": "999",
      "currency": "\"usd\"",
      "customer": "\"cus_1\"", "latest_charge": "\"ch_1\"", "created": "\(StripeLog.sold - 5)",
      "status": "\"succeeded\"",
      "payment_details": #"{"order_reference":"in_1"}"#,
    ])
    let lines = [paid, charge, StripeLog.event("payment_intent.succeeded", payment, id: "evt_7")]
    for lines in [lines, lines.reversed()] {
      try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
        #expect(found.cents == [999, 999, 999, 1, 0], way)
        #expect(found.setAside == [.duplicate: 2], way)
        #expect(found.used == 1, way)
      }
    }
  }

  @Test("A charge counts by itself where no invoice tells it")
  func alone() async throws {
    let once = StripeLog.charge(["invoice": "null", "description": "\"Three scans\"", "metadata": #"{"user_id":"u1"}"#])
    #expect(types(try await measure([StripeLog.event("charge.succeeded", once)])) == ["one_time_purchase": 1])
    let ofInvoice = StripeLog.charge(["metadata": #"{"user_id":"u1"}"#])
    #expect(types(try await measure([StripeLog.event("charge.succeeded", ofInvoice)])) == ["purchase": 1])
    let held = StripeLog.charge(["captured": "false"])
    #expect(try await measure([StripeLog.event("charge.succeeded", held)]).setAside == [.notMeasured: 1])
  }

  // MARK: - Refunds

  @Test("What is given back of a charge is a state, which a later one replaces, in every way")
  func refunds() async throws {
    let first = StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "300"]), id: "evt_8", hours: 5)
    let second = StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "500"]), id: "evt_9", hours: 9)
    for lines in [[paid, first, second, second], [second, first, paid, second]] {
      try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
        #expect(found.cents == [999, 499, 499, 1, 1], way)
        #expect(found.setAside == [.duplicate: 1], way)
      }
    }
  }

  @Test("What is given back of a charge that names no customer is of whoever has the charge, and one row")
  func guestRefund() async throws {
    let charge = StripeLog.charge(["customer": "null", "amount_refunded": "300"])
    try await SourceWorld("stripe-events", [paid, StripeLog.event("charge.refunded", charge, id: "evt_8", hours: 5)])
      .everyWay().forEach { found, way in
        #expect(found.cents == [999, 699, 699, 1, 1], way)
        #expect(found.used == 2 && found.setAside.isEmpty, way)
      }
  }

  @Test("A charge alone whose refund cannot be read is one row that cannot be")
  func badRefund() async throws {
    let found = try await measure([StripeLog.charge(["amount_refunded": "\"much\""])])
    #expect(found.used == 0 && found.setAside == [.badPrice: 1])
  }

  @Test("Refunds by themselves and the state of their charge are the same money", arguments: [false, true])
  func refundObjects(isReversed: Bool) async throws {
    let lines = [
      paid, StripeLog.event("refund.created", StripeLog.refund("re_1", 300, hours: 5), id: "evt_10", hours: 5),
      StripeLog.event("refund.updated", StripeLog.refund("re_1", 300, hours: 5), id: "evt_11", hours: 6),
      StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "300"]), id: "evt_12", hours: 5),
      StripeLog.event("refund.created", StripeLog.refund("re_2", 200, hours: 9), id: "evt_13", hours: 9),
      StripeLog.event(
        "refund.created", StripeLog.refund("re_3", 100, hours: 9, ["status": "\"pending\""]), id: "evt_14"),
    ]
    let found = try await measure(isReversed ? lines.reversed() : lines)
    #expect(found.cents == [999, 499, 499, 1, 1])
    #expect(found.setAside == [.duplicate: 1, .notMeasured: 1])
  }

  @Test("A refund finds an invoice that names no charge through the payment intent")
  func basilRefund() async throws {
    let charge = StripeLog.charge([
      "invoice": "", "amount_refunded": "999", "receipt_url": "\"https://x/receipts/invoices/1\"",
    ])
    let payment = StripeLog.object([
      "id": "\"pi_1\"", "object": "\"payment_intent\"", "amount": "999", "currency": "\"usd\"", "customer": "\"cus_1\"",
      "created": "\(StripeLog.sold)", "status": "\"succeeded\"", "payment_details": #"{"order_reference":"in_1"}"#,
    ])
    let lines = [
      StripeLog.event("invoice.paid", StripeLog.basilInvoice),
      StripeLog.event("charge.refunded", charge, id: "evt_2", hours: 3),
      StripeLog.event("payment_intent.succeeded", payment, id: "evt_3"),
    ]
    try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
      #expect(found.cents == [999, 0, 0, 1, 1], way)
    }
  }

  @Test("A refund that names no customer is of whoever has its charge, in every way")
  func refundWithoutCustomer() async throws {
    let lines = [paid, StripeLog.refund("re_1", 999, hours: 5)]
    for lines in [lines, lines.reversed()] {
      try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
        #expect(found.cents == [999, 0, 0, 1, 1], way)
        #expect(found.setAside == [:], way)
      }
    }
  }
}
