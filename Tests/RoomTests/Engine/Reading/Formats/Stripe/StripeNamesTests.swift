import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Stripe's sales by all their names")
struct StripeNamesTests {
  /// A charge, and its payment intent, as they are told from 2025-03-31.basil on: neither names the invoice.
  private static func charge(_ members: [String: String] = [:]) -> String {
    StripeLog.charge(["invoice": "", "description": "\"Premium for Vera\""].merging(members) { $1 })
  }

  private static let intent = StripeLog.object([
    "id": "\"pi_1\"", "object": "\"payment_intent\"", "amount_received": "999", "currency": "\"usd\"",
    "customer": "\"cus_1\"", "latest_charge": "\"ch_1\"", "created": "\(StripeLog.sold - 3)", "status": "\"succeeded\"",
  ])

  private static let payment = StripeLog.object([
    "id": "\"inpay_1\"", "object": "\"invoice_payment\"", "amount_paid": "999", "currency": "\"usd\"",
    "invoice": "\"in_1\"", "created": "\(StripeLog.sold)", "status": "\"paid\"",
    "payment": #"{"type":"payment_intent","payment_intent":"pi_1"}"#,
  ])

  private let invoice = StripeLog.event("invoice.paid", StripeLog.basilInvoice)
  private let charged = StripeLog.event("charge.succeeded", charge(), id: "evt_2")
  private let intended = StripeLog.event("payment_intent.succeeded", intent, id: "evt_3")
  private let paid = StripeLog.event("invoice_payment.paid", payment, id: "evt_4")
  private let refunded = StripeLog.event(
    "charge.refunded", charge(["amount_refunded": "999"]), id: "evt_5", hours: 30)
  private let refund = StripeLog.event(
    "refund.created", StripeLog.refund("re_1", 999, hours: 30), id: "evt_6", hours: 30)

  /// Measures the lines in both orders and in every way.
  private func expect(_ lines: [String], _ cents: [Int128], _ comment: String = "") async throws {
    for lines in [lines, lines.reversed()] {
      try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
        #expect(found.cents == cents, "\(comment) \(way)")
      }
    }
  }

  @Test("An invoice, its payment, its payment intent and its charge are one sale, whichever of them are told")
  func oneSale() async throws {
    let others = [charged, intended, paid]
    for chosen in 0..<8 {
      let lines = [invoice] + others.indices.filter { chosen & 1 << $0 != 0 }.map { others[$0] }
      try await expect(lines, [999, 999, 999, 1, 0], "\(chosen)")
    }
  }

  @Test("A refund of the charge is the invoice's, by whatever leads to it")
  func refunds() async throws {
    try await expect([invoice, charged, intended, paid, refunded, refund], [999, 0, 0, 1, 1])
    try await expect([invoice, paid, refund], [999, 0, 0, 1, 1])
    try await expect([invoice, paid, refunded], [999, 0, 0, 1, 1])
    try await expect([invoice, refunded], [999, 0, 0, 1, 1])
    try await expect([invoice, charged, refund], [999, 0, 0, 1, 1])
  }

  @Test("A charge that shares no name is the invoice's where customer, money and time are, and once")
  func byMoney() async throws {
    let later = Self.charge(["id": "\"ch_2\"", "payment_intent": "\"pi_2\"", "created": "\(StripeLog.sold + 400)"])
    let muchLater = Self.charge(["created": "\(StripeLog.sold + 601)"])
    let other = Self.charge(["amount": "998"])
    try await expect([invoice, StripeLog.event("charge.succeeded", later)], [999, 999, 999, 1, 0])
    try await expect([invoice, charged, StripeLog.event("charge.succeeded", later)], [1998, 1998, 1998, 2, 0])
    try await expect([invoice, StripeLog.event("charge.succeeded", muchLater)], [1998, 1998, 1998, 2, 0])
    try await expect([invoice, StripeLog.event("charge.succeeded", other)], [1997, 1997, 1997, 2, 0])
  }

  @Test("An invoice that names its payment takes no other for it")
  func namedPayment() async throws {
    let other = Self.charge(["id": "\"ch_2\"", "payment_intent": "\"pi_2\""])
    let named = StripeLog.event("invoice.paid", StripeLog.invoice())
    try await expect([named, StripeLog.event("charge.succeeded", other)], [1998, 1998, 1998, 2, 0])
  }

  @Test("A checkout session says whose a guest's sale is, and tells the sale where nothing else does")
  func sessions() async throws {
    let session = StripeLog.event(
      "checkout.session.completed",
      StripeLog.object([
        "id": "\"cs_1\"", "object": "\"checkout.session\"", "amount_total": "999", "currency": "\"usd\"",
        "client_reference_id": "\"u1\"", "mode": "\"payment\"", "payment_intent": "\"pi_1\"",
        "payment_status": "\"paid\"", "created": "\(StripeLog.sold - 900)", "customer": "null",
      ]), id: "evt_7")
    let guest = StripeLog.event("charge.succeeded", Self.charge(["customer": "null"]), id: "evt_2")
    try await expect([session], [999, 999, 999, 1, 0])
    try await expect([session, guest], [999, 999, 999, 1, 0])
    try await expect([session, guest, refund], [999, 0, 0, 1, 1])
  }

  @Test("What EventBridge delivers is the event inside it; a thin event is refused")
  func envelopes() async throws {
    let event = StripeLog.event("invoice.paid", StripeLog.invoice())
    let delivered =
      #"{"version":"0","id":"e1","detail-type":"invoice.paid","source":"aws.partner/stripe.com/1","detail":\#(event)}"#
    let thin =
      #"{"id":"evt_t","object":"v2.core.event","type":"v1.invoice.paid","created":"2026-03-02T10:00:00.000Z","livemode":true,"related_object":{"id":"in_9","type":"invoice"}}"#
    let found = try await SourceWorld("stripe-events", [delivered, thin]).measure()
    #expect(found.cents == [999, 999, 999, 1, 0])
    #expect(found.setAside == [.malformed: 1])
  }
}
