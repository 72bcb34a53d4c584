import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Adapty's exports")
struct AdaptyExportTests {
  private static let columns = [
    "profile_id", "event_type", "event_datetime", "transaction_id", "original_transaction_id",
    "subscription_expires_at", "environment", "revenue_usd", "revenue_local", "customer_user_id", "product_id",
    "ab_test_name", "paywall_name", "currency", "net_revenue_local", "proceeds_local", "tax_amount_local",
    "net_revenue_usd", "proceeds_usd", "tax_amount_usd", "store", "cancellation_reason",
  ]

  /// An event, by what differs from a purchase of 9.99 USD on 2 March 2026.
  private func row(_ type: String, _ fields: [String: String] = [:]) -> String {
    var all = [
      "profile_id": "profile-1", "event_type": type, "event_datetime": "2026-03-02T10:00:00.000000+0000",
      "transaction_id": "t1", "original_transaction_id": "t1", "environment": "Production", "revenue_usd": "9.99",
      "revenue_local": "9.99", "customer_user_id": "u1", "product_id": "p", "currency": "USD",
    ]
    all.merge(fields) { $1 }
    return Self.columns.map { all[$0] ?? "" }.joined(separator: ",")
  }

  private func file(_ rows: [String]) -> [String] { [Self.columns.joined(separator: ",")] + rows }

  private func measure(_ rows: String..., keys: String = "") async throws -> RunMeasurement {
    try await SourceWorld("adapty-export", file(rows), keys).measure()
  }

  /// Gross, net and charges.
  private func cents(_ rows: String...) async throws -> [Int128] {
    let found = try await SourceWorld("adapty-export", file(rows)).measure().cents
    return [found[0], found[1], found[3]]
  }

  /// Paywall visits: when, whose profile, the app's id, test and paywall.
  private func visits(_ rows: [(time: String, profile: String, user: String, test: String, paywall: String)])
    -> [String]
  {
    [
      "profile_id,customer_user_id,profile_country,install_date,store,paywall_showed_at,developer_id,ab_test_name,paywall_name"
    ]
      + rows.map { "\($0.profile),\($0.user),US,,app_store,\($0.time),onboarding,\($0.test),\($0.paywall)" }
  }

  private static let types = [
    "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "cancel", "uncancel", "billing_retry",
    "expire",
  ]

  @Test(
    "Each event tells what the documentation says",
    arguments: [
      ("subscription_started", "purchase"), ("subscription_initial_purchase", "purchase"),
      ("subscription_renewed", "renewal"), ("trial_converted", "renewal"), ("trial_started", "trial_start"),
      ("non_subscription_purchase", "one_time_purchase"), ("subscription_refunded", "refund"),
      ("non_subscription_purchase_refunded", "refund"), ("subscription_renewal_cancelled", "cancel"),
      ("trial_renewal_cancelled", "cancel"), ("subscription_renewal_reactivated", "uncancel"),
      ("trial_renewal_reactivated", "uncancel"), ("billing_issue_detected", "billing_retry"),
      ("entered_grace_period", "billing_retry"), ("subscription_expired", "expire"), ("trial_expired", "expire"),
    ])
  func kinds(name: String, type: String) async throws {
    var world = SourceWorld("adapty-export", file([row(name), row(name)]))
    world.world.metrics = Self.types.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    let found = try await world.measure()
    #expect(Self.types.indices.map { found.sums($0)?.sumY } == Self.types.map { $0 == type ? 1 : 0 })
    #expect(found.setAside == [.duplicate: 1])
  }

  @Test(
    "What nothing is measured by is counted by its name",
    arguments: ["subscription_paused", "subscription_deferred", "access_level_updated", "Subscription_started", "Ωnew"])
  func notMeasured(name: String) async throws {
    let found = try await measure(row(name))
    #expect(found.setAside == [.notMeasured: 1])
    #expect(found.noticed["not_measured \(name)"] == 1)
  }

  // MARK: - Money

  @Test("A subscription that starts at 0 is no charge, and counted by name")
  func startedFree() async throws {
    let free = ["revenue_usd": "0", "revenue_local": "0.0", "transaction_id": "t0"]
    let found = try await measure(row("subscription_started", free), row("subscription_renewed"))
    #expect(found.cents[3] == 1 && found.setAside == [.notMeasured: 1])
    #expect(found.noticed["not_measured subscription_started of 0"] == 1)
  }

  @Test("On Google Play a subscription that starts at 0 carries on what was paid for the one that it replaces")
  func replaced() async throws {
    let free = [
      "event_datetime": "2026-03-12T10:00:00.000000+0000", "revenue_usd": "0", "revenue_local": "0.0",
      "transaction_id": "t2", "original_transaction_id": "t2", "store": "play_store",
      "subscription_expires_at": "2026-05-01T10:00:00.000000+0000",
    ]
    let old = ["event_datetime": "2026-03-12T10:00:00.000000+0000", "cancellation_reason": "new_subscription_replace"]
    var world = SourceWorld(
      "adapty-export",
      file([
        row("subscription_started", ["subscription_expires_at": "2026-03-20T10:00:00.000000+0000"]),
        row("subscription_renewal_cancelled", old), row("subscription_expired", old), row("subscription_started", free),
      ]))
    world.world.metrics = ["active_subscription", "set_to_renew", "charges, window: none"].map { "{name: \($0)}" }
    let found = try await world.measure()
    #expect([0, 1, 2].map { found.sums($0)?.sumY } == [1, 1, 1])
    #expect(found.setAside == [.notMeasured: 2])
    #expect(found.noticed["not_measured subscription_expired (new_subscription_replace)"] == 1)
  }

  @Test(
    "Refunds are told below 0, in full, in part, or without an amount",
    arguments: [("-2.50", "-2.50", 749), ("-9.99", "-9.99", 0), ("", "", 0), ("", "-2.5", 749), ("2.5", "", 749)])
  func refunds(local: String, dollars: String, net: Int128) async throws {
    let back = ["revenue_local": local, "revenue_usd": dollars, "event_datetime": "2026-03-05T10:00:00+0000"]
    let refund = row("subscription_refunded", back)
    #expect(try await cents(row("subscription_started"), refund, refund) == [999, net, 1])
  }

  @Test(
    "Prices are read exactly; what is told only in dollars is in dollars",
    arguments: [
      ("9.989999999999998", "", nil), ("", "9.99", nil), ("", "", .missingPrice), ("NULL", "null", .missingPrice),
      ("-1", "", .badPrice), ("1e1", "", .badPrice), ("abc", "9.99", .badPrice),
      ("99999999999999999999", "", .badPrice),
    ] as [(String, String, SetAsideReason?)])
  func prices(local: String, dollars: String, reason: SetAsideReason?) async throws {
    let found = try await measure(row("subscription_renewed", ["revenue_local": local, "revenue_usd": dollars]))
    #expect(found.setAside == (reason.map { [$0: 1] } ?? [:]))
    if reason == nil { #expect(found.cents[0] == 999) }
  }

  @Test("Another currency counts by what Adapty says it is worth, and needs a name")
  func currencies() async throws {
    let euros = ["revenue_local": "8", "revenue_usd": "10", "currency": "EUR"]
    #expect(try await cents(row("subscription_renewed", euros)) == [1000, 1000, 1])
    let unnamed = euros.merging(["currency": ""]) { $1 }
    #expect(try await cents(row("subscription_renewed", unnamed)) == [1000, 1000, 1])
    let odd = euros.merging(["currency": "EURO"]) { $1 }
    #expect(try await measure(row("subscription_renewed", odd)).setAside == [.badCurrency: 1])
  }

  @Test(
    "Proceeds are what is left after the store's cut and taxes, in whichever currency that is told",
    arguments: [
      (["net_revenue_local": "6.5", "proceeds_local": "8.5", "tax_amount_local": "2"], 650),
      (["proceeds_local": "8.5", "tax_amount_local": "1.5"], 700), (["proceeds_usd": "8.4915"], 849),
      (["revenue_local": "20", "revenue_usd": "10", "net_revenue_usd": "7", "currency": "USD"], 1400),
      (["net_revenue_local": "-1", "proceeds_local": "-1"], 699), (["tax_amount_local": "99"], 699), ([:], 699),
    ] as [([String: String], Int128)])
  func proceeds(fields: [String: String], cents: Int128) async throws {
    let found = try await measure(row("subscription_renewed", ["revenue_local": "9.99"].merging(fields) { $1 }))
    #expect(found.cents[2] == cents)
  }

  // MARK: - Whose

  @Test("Both ids are aliases of one customer, whichever names the user", arguments: ["", "user: profile_id"])
  func aliases(keys: String) async throws {
    let other = ["customer_user_id": "", "transaction_id": "t2"]
    let found = try await measure(row("subscription_started"), row("subscription_renewed", other), keys: keys)
    #expect(found.cents[0] == 1998)
    #expect(try await measure(row("subscription_renewed", other), keys: keys).setAside == [.unassigned: 1])
    let sandbox = row("subscription_started", ["environment": "Sandbox"])
    let apart = try await measure(sandbox, row("subscription_renewed", other), keys: keys)
    #expect(apart.setAside == [.sandbox: 1, .unassigned: 1])
  }

  @Test("Without a profile an event is of whoever has the subscription, and of nobody without one")
  func withoutProfile() async throws {
    let lost = ["customer_user_id": "", "profile_id": "NULL"]
    #expect(try await measure(row("subscription_renewed", lost)).setAside == [.unassigned: 1])
    let found = try await measure(row("subscription_started"), row("subscription_renewed", lost))
    #expect(found.setAside == [.duplicate: 1])
    let nobodys = lost.merging(["original_transaction_id": ""]) { $1 }
    #expect(try await measure(row("subscription_renewed", nobodys)).setAside == [.missingField: 1])
    let spoilt = ["customer_user_id": "1.23457E+11"]
    #expect(try await measure(row("subscription_renewed", spoilt)).setAside == [.spoiltID: 1])
  }

  @Test(
    "What a row cannot do without",
    arguments: [
      ("event_datetime", SetAsideReason.missingField), ("event_type", .missingField), ("product_id", .missingField),
    ])
  func required(column: String, reason: SetAsideReason) async throws {
    #expect(try await measure(row("subscription_renewed", [column: ""])).setAside == [reason: 1])
  }

  @Test("A file of neither events nor visits is none of Adapty's")
  func otherFiles() async throws {
    await #expect(throws: OfferliftError.self) {
      try await SourceWorld("adapty-export", ["profile_id,event_type", "a,b"]).measure()
    }
  }

  // MARK: - Lifecycle

  @Test("A billing issue and the grace it enters are one failed renewal, which ends with the next charge")
  func billingIssues() async throws {
    let at = ["event_datetime": "2026-03-09T10:00:00+0000", "subscription_expires_at": "2026-03-25T10:00:00+0000"]
    let rows = [
      row("subscription_started", ["subscription_expires_at": "2026-03-09T10:00:00+0000"]),
      row("billing_issue_detected", at), row("entered_grace_period", at),
      row("subscription_renewed", ["event_datetime": "2026-03-12T10:00:00+0000", "transaction_id": "t2"]),
    ]
    var world = SourceWorld("adapty-export", file(rows))
    world.world.metrics = ["billing_retry", "billing_recovery"].map {
      "{name: event_count, event: \($0), window: none, id: \($0)}"
    }
    let found = try await world.measure()
    #expect(found.sums(0)?.sumY == 1 && found.sums(1)?.sumY == 1)
    world = SourceWorld("adapty-export", file(Array(rows.prefix(3))))
    world.world.metrics = ["{name: active_subscription}"]
    for (time, isActive) in [("2026-03-24", true), ("2026-03-26", false)] {
      world.world.asOf = time
      #expect(try await world.measure().sums(0)?.sumY == (isActive ? 1 : 0))
    }
  }

  // MARK: - Groups

  @Test("The A/B test and its paywall are the logged offering and group, of visits and events alike")
  func groups() async throws {
    let tested = ["ab_test_name": "test", "paywall_name": "a"]
    #expect(try await measure(row("subscription_started", tested)).offering?.groupMismatches == 1)
    let untested = ["paywall_name": "a"]
    #expect(try await measure(row("subscription_started", untested)).offering?.loggedEvents == 0)
  }

  @Test("Visits alone say who is in which group: population: logged, with the exposure")
  func logged() async throws {
    var world = SourceWorld(
      "adapty-export",
      visits([
        ("2026-03-01T09:00:00.000000+0000", "profile-1", "u1", "Spring price", "High"),
        ("2026-03-01T09:00:00.000000+0000", "profile-2", "", "Spring price", "Low"),
        ("2026-03-03T09:00:00.000000+0000", "profile-2", "", "Spring price", "Low"),
        ("2026-03-01T09:00:00.000000+0000", "profile-3", "", "", "Other"),
      ]))
    let sales = [
      row("subscription_started", ["ab_test_name": "Spring price", "paywall_name": "High"]),
      row("subscription_started", ["customer_user_id": "u2", "profile_id": "profile-2", "transaction_id": "t2"]),
    ]
    world.add("adapty-export", file(sales))
    world.world.assignments = []
    world.world.job = "population: logged\nbaseline: Low"
    world.world.metrics = ["{name: exposure, window: none}", "{name: revenue_gross, window: none}"]
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    let found = try await World.measure(path, asOf: world.world.asOf, threads: 1)
    let offering = try #require(found.offerings.first { $0.id.text == "Spring price" })
    #expect(offering.groups.map(\.id.text) == ["High", "Low"])
    #expect(offering.groups.map(\.measuredUsers) == [1, 1])
  }

  @Test("Random values never crash, and every row is accounted for")
  func randomValues() async throws {
    var dice = Dice(seed: 5)
    let values = [
      "", "NULL", "x", "-1", "1e999", "99999999999999999999", "-9223372036854.775807", "-9223372036854775808", "0",
      "2026-02-30", "9999-12-31T23:59:59+0000", "0000-00-00", "\u{0}", "Sandbox", "\"a,b\"",
    ]
    let rows = (0..<600).map { _ in
      let fields = Self.columns.filter { $0 != "event_type" && dice.chance(0.25) }.map { ($0, dice.pick(values)) }
      let type = "\(dice.pick(AdaptyEventKind.all).name)"
      return row(type, Dictionary(uniqueKeysWithValues: fields))
    }
    let found = try await SourceWorld("adapty-export", file(rows)).measure()
    #expect(found.accounts.last?.rows == 600)
  }
}
