import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("RevenueCat webhooks")
struct RevenueCatWebhooksTests {
  /// An event, by what differs from a purchase of 9.99 USD on 2 March 2026; raw JSON values.
  private func webhook(_ type: String, _ members: [String: String] = [:], isAlone: Bool = false) -> String {
    var all = [
      "type": "\"\(type)\"", "id": "\"e1\"", "app_user_id": "\"u1\"", "event_timestamp_ms": "1772445605000",
      "purchased_at_ms": "1772445600000", "product_id": "\"p\"", "transaction_id": "\"t1\"",
      "price_in_purchased_currency": "9.99", "currency": "\"USD\"", "period_type": "\"NORMAL\"",
      "environment": "\"PRODUCTION\"", "store": "\"APP_STORE\"", "is_family_share": "false",
    ]
    all.merge(members) { $1 }
    let text = all.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    let event = "{\(text.joined(separator: ","))}"
    return isAlone ? event : "{\"api_version\":\"1.0\",\"event\":\(event)}"
  }

  private func measure(_ lines: String..., keys: String = "") async throws -> RunMeasurement {
    try await SourceWorld("revenuecat-webhooks", lines, keys).measure()
  }

  private func cents(_ lines: String...) async throws -> [Int128] {
    let found = try await SourceWorld("revenuecat-webhooks", lines).measure().cents
    return [found[0], found[1], found[3]]
  }

  // MARK: - The documentation's samples

  private static let types = [
    "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "refund_reversal", "cancel", "uncancel",
    "billing_retry", "expire", "extend",
  ]

  @Test(
    "Samples of the documentation read as it says",
    arguments: [
      (RevenueCatSamples.initialPurchase, "purchase"), (RevenueCatSamples.renewal, "renewal"),
      (RevenueCatSamples.cancellation, "cancel"), (RevenueCatSamples.uncancellation, "uncancel"),
      (RevenueCatSamples.nonRenewingPurchase, "one_time_purchase"), (RevenueCatSamples.billingIssue, "billing_retry"),
      (RevenueCatSamples.expiration, "expire"), (RevenueCatSamples.refund, "refund"),
      (RevenueCatSamples.trialStarted, "trial_start"), (RevenueCatSamples.trialCancelled, "cancel"),
      (RevenueCatSamples.refundReversed, "refund_reversal"), (RevenueCatSamples.subscriptionExtended, "extend"),
    ])
  func samples(line: String, type: String) async throws {
    let found = try await sampled(line)
    #expect(Self.types.indices.map { found.sums($0 + 5)?.sumY } == Self.types.map { $0 == type ? 1 : 0 })
    #expect(found.used == 1)
  }

  private func sampled(_ lines: String...) async throws -> RunMeasurement {
    var world = SourceWorld("revenuecat-webhooks", lines)
    world.world.assignments = [
      "1234567890", "$RCAnonymousID:12345678-1234-1234-1234-123456789123",
      "$RCAnonymousID:12345678-1234-ABCD-1234-123456789123",
    ].map { "\($0),test,control,2020-01-01" }
    world.world.rates = ["2022-07-25,EUR,1", "2022-07-25,CAD,1"]
    world.world.metrics += Self.types.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    return try await world.measure()
  }

  @Test("Samples' money is the price in the purchased currency")
  func sampleMoney() async throws {
    #expect(try await sampled(RevenueCatSamples.initialPurchase).cents[0] == 499)
    #expect(try await sampled(RevenueCatSamples.renewal).cents[0] == 799)
    #expect(try await sampled(RevenueCatSamples.nonRenewingPurchase).cents[0] == 3299)
  }

  @Test(
    "What nothing is measured by is counted by its name",
    arguments: [
      (RevenueCatSamples.subscriptionPaused, "SUBSCRIPTION_PAUSED"),
      (RevenueCatSamples.productChange, "PRODUCT_CHANGE"),
      (RevenueCatSamples.virtualCurrency, "VIRTUAL_CURRENCY_TRANSACTION"),
      (RevenueCatSamples.invoiceIssuance, "INVOICE_ISSUANCE"),
      (#"{"event":{"type":"TEST"}}"#, "TEST"),
      (#"{"event":{"type":"Ωnew"}}"#, "Ωnew"), (#"{"event":{"type":"renewal"}}"#, "renewal"),
    ])
  func notMeasured(line: String, name: String) async throws {
    let found = try await sampled(line)
    #expect(found.setAside == [.notMeasured: 1])
    #expect(found.noticed["not_measured \(name)"] == 1)
  }

  @Test("The transfer of a purchase makes its first owners the new one")
  func sampleTransfer() async throws {
    let refunds = try await sampled(RevenueCatSamples.transfer, RevenueCatSamples.refund)
    #expect(refunds.used == 2)
    #expect(refunds.sums(9)?.n == 1)
    #expect(refunds.sums(9)?.sumY == 1)
  }

  // MARK: - Money

  @Test("Retries of a webhook repeat its id and count once")
  func retries() async throws {
    let trial = webhook("INITIAL_PURCHASE", ["period_type": "\"TRIAL\""])
    var world = SourceWorld("revenuecat-webhooks", [trial, trial, webhook("CANCELLATION", ["id": "\"e2\""])])
    world.add("revenuecat-webhooks", [webhook("CANCELLATION", ["id": "\"e2\""]), trial])
    world.world.metrics = ["{name: event_count, event: trial_start, window: none}"]
    let found = try await world.measure()
    #expect(found.sums(0)?.sumY == 1)
    #expect(found.setAside == [.duplicate: 3])
    let sale = webhook("INITIAL_PURCHASE")
    #expect(try await cents(sale, sale) == [999, 999, 1])
    let part = ["cancel_reason": "\"CUSTOMER_SUPPORT\"", "price_in_purchased_currency": "-2", "id": "\"e2\""]
    #expect(try await cents(sale, webhook("CANCELLATION", part), webhook("CANCELLATION", part)) == [999, 799, 1])
    let again = webhook("CANCELLATION", part.merging(["id": "\"e3\""]) { $1 })
    #expect(try await cents(sale, webhook("CANCELLATION", part), again) == [999, 599, 1])
  }

  @Test(
    "A cancellation whose price is negative gives that back, and no other gives back anything",
    arguments: [("-2.50", 749), ("0", 999), ("null", 999), ("-9.99", 0), ("-99", 0), ("3", 999)])
  func refunds(price: String, net: Int128) async throws {
    let refund = webhook(
      "CANCELLATION",
      ["cancel_reason": "\"CUSTOMER_SUPPORT\"", "price_in_purchased_currency": price, "id": "\"e2\""])
    #expect(try await cents(webhook("INITIAL_PURCHASE"), refund) == [999, net, 1])
    let reversed = webhook("REFUND_REVERSED", ["event_timestamp_ms": "1772445606000", "id": "\"e3\""])
    #expect(try await cents(webhook("INITIAL_PURCHASE"), refund, reversed) == [999, 999, 1])
  }

  @Test(
    "Prices are read exactly, as they were typed",
    arguments: [
      ("9.989999999999998", nil), ("\"9.99\"", nil), ("0", nil), ("null", .missingPrice), ("", .missingPrice),
      ("-1", .badPrice), ("1e1", .badPrice), ("true", .badPrice), ("\"\"", .badPrice), ("{}", .badPrice),
    ] as [(String, SetAsideReason?)])
  func prices(price: String, reason: SetAsideReason?) async throws {
    let found = try await measure(webhook("RENEWAL", ["price_in_purchased_currency": price]))
    #expect(found.setAside == (reason.map { [$0: 1] } ?? [:]))
  }

  @Test("The charge's time is the purchase's, everything else's the event's")
  func times() async throws {
    let late = ["event_timestamp_ms": "1775001600000"]
    for type in ["INITIAL_PURCHASE", "RENEWAL", "NON_RENEWING_PURCHASE"] {
      #expect(try await measure(webhook(type, late)).setAside == [:])
    }
    for type in ["CANCELLATION", "UNCANCELLATION", "EXPIRATION", "BILLING_ISSUE", "REFUND_REVERSED"] {
      #expect(try await measure(webhook(type, late)).setAside == [.afterCutoff: 1])
    }
  }

  @Test(
    "What a webhook cannot do without",
    arguments: [
      ("type", SetAsideReason.missingField), ("app_user_id", .missingField), ("purchased_at_ms", .missingField),
      ("product_id", .missingField), ("currency", .missingField),
    ])
  func required(member: String, reason: SetAsideReason) async throws {
    for value in ["", "null"] {
      #expect(try await measure(webhook("RENEWAL", [member: value])).setAside == [reason: 1])
    }
    #expect(try await measure(webhook("RENEWAL", [member: "[1]"])).setAside == [.malformed: 1])
  }

  @Test(
    "Faults come first, then test environments, families and gifts by name",
    arguments: [
      (["environment": "\"SANDBOX\""], SetAsideReason.sandbox), (["environment": "\"Xcode\""], .sandbox),
      (["is_family_share": "true"], .familyShared),
      (["is_family_share": "true", "price_in_purchased_currency": "null"], .familyShared),
      (["store": "\"PROMOTIONAL\""], .notMeasured),
      (["environment": "\"SANDBOX\"", "price_in_purchased_currency": "null"], .missingPrice),
    ])
  func leftOut(members: [String: String], reason: SetAsideReason) async throws {
    let found = try await measure(webhook("RENEWAL", members))
    #expect(found.setAside == [reason: 1])
    #expect(found.noticed["not_measured store=PROMOTIONAL"] == (reason == .notMeasured ? 1 : nil))
  }

  @Test("Values that the documentation does not have are counted and change nothing")
  func unknownValues() async throws {
    let odd = ["period_type": "\"WEEKEND\"", "store": "\"GALAXY\"", "cancel_reason": "\"MOOD\""]
    let found = try await measure(webhook("RENEWAL", odd), webhook("CANCELLATION", odd), "{}")
    #expect(found.cents[0] == 999)
    #expect(found.noticed["unknown_value period_type=WEEKEND"] == 2)
    #expect(found.noticed["unknown_value store=GALAXY"] == 2)
    #expect(found.noticed["unknown_value cancel_reason=MOOD"] == 2)
  }

  // MARK: - Users

  @Test("An event may stand alone, and the job may say which member names the user")
  func alone() async throws {
    #expect(try await measure(webhook("RENEWAL", isAlone: true)).cents[0] == 999)
    let ids = ["app_user_id": "\"x\"", "billing_id": "\"u1\""]
    for isAlone in [false, true] {
      let line = webhook("RENEWAL", ids, isAlone: isAlone)
      #expect(try await measure(line).setAside == [.unassigned: 1])
      #expect(try await measure(line, keys: "user: billing_id").cents[0] == 999)
    }
  }

  private func transfer(_ from: String, _ to: String, at time: String = "1772445600000") -> String {
    webhook(
      "TRANSFER",
      [
        "transferred_from": from, "transferred_to": to, "event_timestamp_ms": time, "app_user_id": "",
        "environment": "",
      ])
  }

  @Test(
    "Transfers send what was bought to the new owner, the latest transfer counting",
    arguments: [
      ([(#"["x"]"#, #"["u1"]"#, 1)], true), ([(#"["x", "y"]"#, #"["z", "u1"]"#, 1)], true),
      ([(#"["x"]"#, #"["u0"]"#, 1), (#"["x"]"#, #"["u1"]"#, 2)], true),
      ([(#"["x"]"#, #"["u1"]"#, 1), (#"["x"]"#, #"["u0"]"#, 2)], false),
      ([(#"["\u0078"]"#, #"["u1"]"#, 1)], true), ([(#"["x"]"#, #"["y"]"#, 1), (#"["y"]"#, #"["u1"]"#, 1)], true),
      ([(#"["y"]"#, #"["$RCAnonymousID:1", "u1", "x"]"#, 1)], true),
      (
        [(#"["x"]"#, #"["$RCAnonymousID:2", "$RCAnonymousID:1"]"#, 1), (#"["$RCAnonymousID:1"]"#, #"["u1"]"#, 1)], true
      ),
    ])
  func transfers(transfers: [(from: String, to: String, time: Int)], isTransferred: Bool) async throws {
    let lines =
      transfers.map { transfer($0.from, $0.to, at: "177244560000\($0.time)") }
      + [webhook("RENEWAL", ["app_user_id": "\"x\""])]
    for order in [lines, lines.reversed()] {
      let found = try await SourceWorld("revenuecat-webhooks", order).measure()
      #expect(found.cents[0] == (isTransferred ? 999 : 0))
      #expect(found.used == transfers.count + (isTransferred ? 1 : 0))
    }
  }

  @Test("A transfer after the cut-off has not happened, one of a test environment never")
  func lateTransfers() async throws {
    let sale = webhook("RENEWAL", ["app_user_id": "\"x\""])
    let late = try await measure(transfer(#"["x"]"#, #"["u1"]"#, at: "1775001600000"), sale)
    #expect(late.setAside == [.afterCutoff: 1, .unassigned: 1])
    let line = webhook(
      "TRANSFER",
      ["transferred_from": #"["x"]"#, "transferred_to": #"["u1"]"#, "environment": "\"SANDBOX\""])
    #expect(try await measure(line, sale).setAside == [.sandbox: 1, .unassigned: 1])
  }

  @Test(
    "A transfer that does not say who is no transfer",
    arguments: [
      ("", #"["u1"]"#, SetAsideReason.missingField), ("null", #"["u1"]"#, .missingField),
      ("[]", #"["u1"]"#, .missingField), (#"["x"]"#, "[null]", .missingField), ("\"x\"", #"["u1"]"#, .malformed),
      ("{}", #"["u1"]"#, .malformed),
    ])
  func badTransfers(from: String, to: String, reason: SetAsideReason) async throws {
    #expect(try await measure(transfer(from, to)).setAside == [reason: 1])
  }

  @Test("A transfer's alias is followed for assignments too")
  func transferredAssignment() async throws {
    var world = SourceWorld(
      "revenuecat-webhooks", [transfer(#"["u1"]"#, #"["new"]"#), webhook("RENEWAL", ["app_user_id": "\"new\""])])
    world.world.assignments = ["u1,test,control,2026-03-01"]
    #expect(try await world.measure().cents[0] == 999)
  }

  @Test("Experiments are the logged offering and group, else the presented offering alone")
  func experiments() async throws {
    let enrolled = ["experiments": #"[{}, {"experiment_id": "test", "experiment_variant": "a"}, 7]"#]
    #expect(try await measure(webhook("RENEWAL", enrolled)).offering?.groupMismatches == 1)
    let older = ["price_experiments": #"[{"price_experiment_id": "test", "price_experiment_variant": "a"}]"#]
    #expect(try await measure(webhook("RENEWAL", older)).offering?.groupMismatches == 1)
    let presented = ["presented_offering_id": "\"test\"", "experiments": "null"]
    #expect(try await measure(webhook("RENEWAL", presented)).offering?.loggedEvents == 0)
  }

  @Test("Random values never crash, and every row is accounted for")
  func randomValues() async throws {
    var dice = Dice(seed: 5)
    let values = [
      "null", "[]", "{}", "[[[]]]", "\"\"", "\"x\"", "-1", "1e999", "99999999999999999999", "true", "\"\\u0000\"",
      "[\"a\",\"\\\"]\"]", "{\"a\":[{}]}", "[{\"experiment_id\":1}]", "[1,2", "\"",
    ]
    let lines = (0..<600).map { _ in
      let members = RevenueCatWebhooks.Member.allCases.filter { _ in dice.chance(0.25) }.map {
        ($0.name, dice.pick(values))
      }
      let type = dice.pick(RevenueCatEventKind.allCases.map(\.rawValue) + ["TRANSFER"])
      return webhook(type, Dictionary(uniqueKeysWithValues: members), isAlone: dice.chance(0.3))
    }
    let found = try await SourceWorld("revenuecat-webhooks", lines).measure()
    // A member of brackets that do not match may make two objects of its line.
    #expect((found.accounts.last?.rows ?? 0) >= 600)
  }
}
