import Testing

@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Stripe's rows: who, containers, subscriptions, faults")
struct StripeRowsTests {
  private static let turns = ["trial_start", "cancel", "uncancel", "billing_retry", "expire"]

  private func measure(_ lines: [String], keys: String = "") async throws -> RunMeasurement {
    var world = SourceWorld("stripe-events", lines, keys)
    world.world.metrics += Self.turns.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    return try await world.measure()
  }

  private func turns(_ found: RunMeasurement) -> [String] {
    Self.turns.indices.flatMap { position in
      Array(repeating: Self.turns[position], count: Int(found.sums(position + 5)?.sumY ?? 0))
    }
  }

  // MARK: - Who

  @Test("The app's id of a user and the customer's are one customer's, over rows")
  func aliases() async throws {
    let customer = StripeLog.event(
      "customer.created", #"{"id":"cus_1","object":"customer","metadata":{"user_id":"u1"}}"#)
    let bare = StripeLog.event("invoice.paid", StripeLog.invoice(["subscription_details": "null"]), id: "evt_2")
    for lines in [[customer, bare], [bare, customer]] {
      try await SourceWorld("stripe-events", lines).everyWay().forEach { found, way in
        #expect(found.cents[0] == 999, way)
        #expect(found.setAside == [.notMeasured: 1], way)
      }
    }
  }

  @Test(
    "The job says which member names the user",
    arguments: [
      ("user: metadata.account", #"{"account":"u1","user_id":"u2"}"#, "\"cus_1\""),
      ("user: customer", #"{"user_id":"u2"}"#, "\"u1\""), ("user: account_name", "{}", "\"cus_1\""),
    ])
  func userField(keys: String, metadata: String, customer: String) async throws {
    let invoice = StripeLog.invoice([
      "subscription_details": "null", "metadata": metadata, "customer": customer, "account_name": "\"u1\"",
    ])
    #expect(try await measure([StripeLog.event("invoice.paid", invoice)], keys: keys).cents[0] == 999)
  }

  @Test(
    "What is of Stripe's test mode is a sandbox's", arguments: ["invoice.paid", "customer.created", "charge.refunded"])
  func testMode(type: String) async throws {
    let line = StripeLog.event(type, StripeLog.invoice(), isLive: false)
    #expect(try await measure([line]).setAside == [.sandbox: 1])
  }

  // MARK: - Containers

  @Test("Lists hold rows, of events and of objects alike")
  func lists() async throws {
    let page =
      #"{"object":"list","has_more":false,"data":[\#(StripeLog.invoice()),7,"#
      + #"\#(StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "99"]), hours: 2))]}"#
    let found = try await measure([page, #"{"object":"list","has_more":false,"data":[]}"#])
    #expect(found.cents == [999, 900, 900, 1, 1])
    #expect(found.setAside == [.malformed: 1, .notMeasured: 1])
  }

  @Test("Rows of Stripe's tables tell the same sale")
  func tables() async throws {
    let invoice =
      #"{"id":"in_1","amount_paid":999,"billing_reason":"subscription_create","charge_id":"ch_1","currency":"usd","#
      + #""customer_id":"u1","paid":true,"status":"paid","subscription_id":"sub_1","status_transitions_paid_at":"2026-03-02 10:00:00.000"}"#
    let charge =
      #"{"id":"ch_1","amount":999,"amount_refunded":250,"captured":true,"created":"2026-03-02 10:00:00.000","#
      + #""currency":"usd","customer_id":"u1","invoice_id":"in_1","paid":true,"status":"succeeded"}"#
    let refund =
      #"{"id":"re_1","amount":250,"charge_id":"ch_1","created":"2026-03-04 10:00:00.000","currency":"usd","status":"succeeded"}"#
    #expect(try await measure([invoice, charge, refund]).cents == [999, 749, 749, 1, 1])
    #expect(try await measure([charge]).cents == [999, 749, 749, 1, 1])
  }

  @Test(
    "Names show the format",
    arguments: [
      ["id", "object", "api_version", "created", "type", "livemode", "data"], ["object", "data", "has_more", "url"],
      ["id", "amount", "amount_refunded", "captured", "customer_id"], ["id", "amount_paid", "billing_reason"],
    ] as [Set<String>])
  func isShown(names: Set<String>) {
    #expect(PurchaseCatalog.format(of: names, in: .jsonl) == .stripeEvents)
  }

  // MARK: - Subscriptions

  @Test("What changes about a subscription is told by what stood before")
  func changes() async throws {
    func updated(_ members: [String: String], _ previous: String) -> String {
      StripeLog.event("customer.subscription.updated", StripeLog.subscription(members), previous: previous)
    }
    let off = ["cancel_at_period_end": "true", "canceled_at": "\(StripeLog.sold)"]
    let cases: [(String, [String])] = [
      (updated(off, #"{"cancel_at_period_end":false}"#), ["cancel"]),
      (updated([:], #"{"cancel_at_period_end":true,"canceled_at":1}"#), ["uncancel"]),
      (updated(["cancel_at": "1775124000"], #"{"cancel_at":null}"#), ["cancel"]),
      (updated(["cancel_at": "1775124000"], #"{"cancel_at":1775120000}"#), []), (updated(off, #"{"metadata":{}}"#), []),
      (updated(["status": "\"past_due\""], #"{"status":"active"}"#), ["billing_retry"]),
      (updated(["status": "\"unpaid\""], #"{"status":"past_due"}"#), ["expire"]),
      (
        StripeLog.event(
          "customer.subscription.deleted", StripeLog.subscription(["status": "\"canceled\"", "ended_at": "1772449200"])),
        ["expire"]
      ), (StripeLog.event("customer.subscription.created", StripeLog.subscription()), []),
      (
        StripeLog.subscription(
          off.merging([
            "status": "\"canceled\"", "ended_at": "1772449200", "trial_start": "1772445600", "trial_end": "1772449000",
          ]) {
            $1
          }), ["trial_start", "cancel", "expire"]
      ),
    ]
    for (line, expected) in cases {
      let found = try await measure([line])
      #expect(turns(found) == expected, "\(line)")
      #expect(found.setAside == (expected.isEmpty ? [.notMeasured: 1] : [:]), "\(line)")
    }
  }

  // MARK: - Faults

  @Test(
    "What nothing is measured by is counted by its name",
    arguments: ["charge.dispute.created", "invoice.created", "some.new_event"])
  func notMeasured(type: String) async throws {
    let found = try await measure([StripeLog.event(type, StripeLog.charge())])
    #expect(found.setAside == [.notMeasured: 1])
    #expect(found.noticed["not_measured \(type)"] == 1)
  }

  @Test(
    "What is missing or wrong is a reject with its reason",
    arguments: [
      (["amount_paid": ""], .missingPrice), (["amount_paid": "9.99"], .badPrice), (["amount_paid": "-5"], .badPrice),
      (["amount_paid": "99999999999999999999"], .badPrice), (["amount_paid": "9223372036854775807"], .badPrice),
      (["amount_paid": "\"x\""], .badPrice), (["currency": "\"dollar\""], .badCurrency),
      (["currency": ""], .missingField),
      (["customer": "null", "subscription_details": "[]"], .missingField),
      (["status_transitions": #"{"paid_at":"soon"}"#], .badTime),
      (["id": "null"], .missingField),
      (["lines": #"{"data":[{"amount":1,"period":{"end":"never"}}]}"#], .badTime),
    ] as [([String: String], SetAsideReason)])
  func faults(members: [String: String], reason: SetAsideReason) async throws {
    #expect(try await measure([StripeLog.event("invoice.paid", StripeLog.invoice(members))]).setAside == [reason: 1])
  }

  @Test(
    "Hostile shapes never crash",
    arguments: [
      "{}", #"{"object":"list","data":7}"#, #"{"type":"invoice.paid","data":{"object":[]}}"#,
      #"{"type":"invoice.paid","data":{}}"#, #"{"data":{"object":{}}}"#, #"{"data":[[],{},null]}"#,
      #"{"id":"in_","amount_paid":{},"paid":true,"currency":"usd"}"#, #"{"object":{"a":1}}"#,
      StripeLog.event("invoice.paid", StripeLog.invoice(["lines": #"{"data":[1,"x",null,{},{"price":[]}]}"#])),
      StripeLog.event(
        "invoice.paid", StripeLog.invoice(["payments": #"{"data":[{"payment":{"charge":{"id":7}}},3]}"#])),
      StripeLog.event("customer.subscription.updated", StripeLog.subscription(["items": "[]"]), previous: "[]"),
      StripeLog.event("charge.refunded", StripeLog.charge(["amount_refunded": "9223372036854775807"])),
      StripeLog.event("invoice.paid", StripeLog.invoice(["charge": #"{"id":"ch_1","object":"charge"}"#])),
    ])
  func hostile(line: String) async throws {
    let found = try await measure([line])
    #expect(found.used + found.setAside.values.reduce(0, +) >= 1)
  }
}
