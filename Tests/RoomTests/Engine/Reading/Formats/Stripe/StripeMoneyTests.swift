import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Stripe's money: what was captured, given back, and comes again")
struct StripeMoneyTests {
  private let paid = StripeLog.event("invoice.paid", StripeLog.invoice())

  private func expect(_ lines: [String], _ cents: [Int128], _ comment: String = "") async throws {
    for lines in [lines, lines.reversed()] {
      try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
        #expect(found.cents == cents, "\(comment) \(way)")
      }
    }
  }

  // MARK: - Charges

  @Test("Money is what was captured; what was held beyond it is no refund")
  func captured() async throws {
    let partly = [
      "amount": "2000", "amount_captured": "1200", "amount_refunded": "800", "invoice": "null",
      "metadata": #"{"user_id":"u1"}"#,
    ]
    let back = partly.merging(["amount_refunded": "1000"]) { $1 }
    try await expect([StripeLog.event("charge.captured", StripeLog.charge(partly))], [1200, 1200, 1200, 1, 0])
    try await expect([StripeLog.charge(partly)], [1200, 1200, 1200, 1, 0])
    try await expect([StripeLog.charge(back)], [1200, 1000, 1000, 1, 1])
  }

  // MARK: - Refunds

  private func refund(_ id: String, _ amount: Int, hours: Int, _ status: String, _ type: String, reported: Int)
    -> String
  {
    StripeLog.event(
      type, StripeLog.refund(id, amount, hours: hours, ["status": "\"\(status)\""]), id: "evt_\(id)\(type)\(reported)",
      hours: reported)
  }

  @Test("A refund that fails is taken back from then on, and no other", arguments: ["failed", "canceled"])
  func failedRefund(status: String) async throws {
    let parts = [
      paid, refund("re_1", 300, hours: 5, "succeeded", "refund.created", reported: 5),
      refund("re_2", 200, hours: 6, "succeeded", "refund.created", reported: 6),
    ]
    let states = [
      StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "300"]), id: "evt_8", hours: 5),
      StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "500"]), id: "evt_9", hours: 6),
    ]
    let failures = ["refund.failed", "refund.updated", "charge.refund.updated"].map {
      refund("re_2", 200, hours: 6, status, $0, reported: 90)
    }
    let lowered = StripeLog.event(
      "charge.updated", StripeLog.charge(["amount_refunded": "300"]), id: "evt_10", hours: 90,
      previous: #"{"amount_refunded":500}"#)
    try await expect(parts + failures, [999, 699, 699, 1, 1], "parts")
    try await expect(parts + states + failures, [999, 699, 699, 1, 1], "both")
    try await expect([paid] + states + failures, [999, 699, 699, 1, 1], "states")
    try await expect(parts + states + failures + [lowered], [999, 699, 699, 1, 1], "lowered")
    try await expect([paid] + states + [lowered], [999, 699, 699, 1, 1], "lowered alone")
  }

  @Test("A refund that never went through takes nothing back, whatever becomes of it")
  func pendingRefund() async throws {
    let reported = [
      paid, refund("re_1", 300, hours: 5, "pending", "refund.created", reported: 5),
      refund("re_1", 300, hours: 5, "failed", "refund.failed", reported: 9),
    ]
    try await expect(reported, [999, 999, 999, 1, 0])
  }

  @Test("A dispute takes the money, and gives it back where it is won")
  func disputes() async throws {
    func dispute(_ type: String, _ status: String, _ hours: Int) -> String {
      let object = StripeLog.object([
        "id": "\"du_1\"", "object": "\"dispute\"", "amount": "999", "charge": "\"ch_1\"", "payment_intent": "\"pi_1\"",
        "currency": "\"usd\"", "status": "\"\(status)\"", "created": "\(StripeLog.sold + 3600)",
      ])
      return StripeLog.event("charge.dispute.\(type)", object, id: "evt_\(type)", hours: hours)
    }
    let accepted = [paid, dispute("created", "needs_response", 1), dispute("funds_withdrawn", "needs_response", 1)]
    try await expect(accepted, [999, 0, 0, 1, 1])
    try await expect(accepted + [dispute("closed", "lost", 90)], [999, 0, 0, 1, 1])
    let won = [dispute("closed", "won", 90), dispute("funds_reinstated", "won", 91)]
    try await expect(accepted + won, [999, 999, 999, 1, 0])
  }

  @Test("A charge's row says how much was given back, and the refund's row when")
  func undated() async throws {
    let charge = StripeLog.charge([
      "amount_refunded": "500", "invoice": "null", "metadata": #"{"user_id":"u1"}"#,
    ])
    let now = StripeLog.refund("re_1", 300, hours: 24)
    let later = StripeLog.refund("re_2", 200, hours: 24 * 4000)
    try await expect([charge], [999, 499, 499, 1, 1])
    try await expect([charge, now], [999, 499, 499, 1, 1])
    try await expect([charge, now, later], [999, 699, 699, 1, 1])
    try await expect([charge, now, now, later], [999, 699, 699, 1, 1])
  }

  // MARK: - What goes on

  private func mrr(_ invoice: [String: String], products: [String] = [], asOf: Int = 0) async throws -> Int128? {
    var world = SourceWorld("stripe-events", [StripeLog.event("invoice.paid", StripeLog.invoice(invoice))])
    world.world.metrics += ["{name: mrr, id: mrr}"]
    world.world.products = products
    return try await world.measure().sums(5)?.sumY
  }

  private static let own = #"{"price":{"id":"price_1"},"amount":2000,"period":{"start":1772445600,"end":1775124000}}"#

  @Test(
    "What comes again is the subscription's own line: no proration, no fee, and in the measure of all that was paid",
    arguments: [
      (own + #",{"price":{"id":"price_1"},"amount":500,"proration":true,"period":{"end":1775124000}}"#, "2500", "2500"),
      (own + #",{"price":{"id":"fee","type":"one_time"},"amount":3000,"type":"invoiceitem"}"#, "5000", "5000"),
      (#"{"price":{"id":"old"},"amount":-500,"proration":true},"# + own, "1500", "1500"),
      // Half of the price is a discount, and what is left is paid by a credit.
      (own.replacing("2000", with: "4000"), "1000", "2000"),
    ])
  func recurring(lines: String, paid: String, total: String) async throws {
    let found = try await mrr(["lines": "{\"data\":[\(lines)]}", "amount_paid": paid, "total": total])
    #expect(found == 20_000_000)
  }

  // MARK: - Commission

  @Test("No store keeps a part of a sale on the web, unless the products table says so")
  func commission() async throws {
    #expect(try await SourceWorld("stripe-events", [paid]).measure().cents[2] == 999)
    var world = SourceWorld("stripe-events", [paid])
    world.world.products = ["price_1,auto_renewable,,,10"]
    #expect(try await world.measure().cents[2] == 899)
  }
}
