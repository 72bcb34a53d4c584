import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("Superwall webhooks")
struct SuperwallWebhooksTests {
  /// A webhook, by what differs from a purchase of 9.99 USD on 2 March 2026; raw JSON values of `data`.
  private func webhook(_ type: String, _ members: [String: String] = [:]) -> String {
    var data = [
      "id": "\"e1:\(type)\"", "name": "\"\(type)\"", "originalAppUserId": "\"u1\"", "ts": "1772445605000",
      "purchasedAt": "1772445600000", "productId": "\"p\"", "transactionId": "\"t1\"",
      "originalTransactionId": "\"t1\"", "priceInPurchasedCurrency": "9.99", "currencyCode": "\"USD\"",
      "periodType": "\"NORMAL\"", "environment": "\"PRODUCTION\"", "store": "\"APP_STORE\"", "isFamilyShare": "false",
    ]
    data.merge(members) { $1 }
    let text = data.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
    return #"{"object":"event","type":"\#(type)","projectId":3827,"timestamp":1772445609000,"data":{"#
      + text.joined(separator: ",") + "}}"
  }

  private func measure(_ lines: String..., keys: String = "") async throws -> RunMeasurement {
    try await SourceWorld("superwall-webhooks", lines, keys).measure()
  }

  /// Gross, net and charges.
  private func cents(_ lines: String...) async throws -> [Int128] {
    let found = try await SourceWorld("superwall-webhooks", lines).measure().cents
    return [found[0], found[1], found[3]]
  }

  private static let types = [
    "trial_start", "purchase", "renewal", "one_time_purchase", "refund", "cancel", "uncancel", "billing_retry",
    "expire",
    "extend",
  ]

  @Test(
    "Each event tells what the documentation says",
    arguments: [
      ("initial_purchase", [:], "purchase"),
      ("initial_purchase", ["periodType": "\"INTRO\""], "purchase"),
      ("initial_purchase", ["periodType": "\"TRIAL\"", "priceInPurchasedCurrency": "0"], "trial_start"),
      ("initial_purchase", ["periodType": "\"TRIAL\"", "priceInPurchasedCurrency": "null"], "trial_start"),
      ("initial_purchase", ["periodType": "\"TRIAL\""], "purchase"),
      ("renewal", [:], "renewal"), ("renewal", ["periodType": "\"TRIAL\"", "isTrialConversion": "true"], "renewal"),
      ("renewal", ["priceInPurchasedCurrency": "0.0"], "renewal"),
      ("initial_purchase", ["priceInPurchasedCurrency": "0"], "purchase"),
      ("initial_purchase", ["periodType": "null", "priceInPurchasedCurrency": "0"], "trial_start"),
      ("non_renewing_purchase", [:], "one_time_purchase"),
      ("non_renewing_purchase", ["priceInPurchasedCurrency": "0"], "one_time_purchase"),
      ("product_change", ["newProductId": "\"q\""], "purchase"),
      ("cancellation", ["priceInPurchasedCurrency": "0", "cancelReason": "\"UNSUBSCRIBE\""], "cancel"),
      ("cancellation", ["priceInPurchasedCurrency": "0", "cancelReason": "\"CUSTOMER_SUPPORT\""], "cancel"),
      ("cancellation", ["priceInPurchasedCurrency": "0", "cancelReason": "\"BILLING_ERROR\""], "billing_retry"),
      ("cancellation", ["priceInPurchasedCurrency": "-9.99"], "refund"),
      ("expiration", ["priceInPurchasedCurrency": "-1"], "refund"),
      ("uncancellation", ["priceInPurchasedCurrency": "0"], "uncancel"),
      ("expiration", ["priceInPurchasedCurrency": "0"], "expire"),
      ("billing_issue", ["priceInPurchasedCurrency": "0"], "billing_retry"),
      ("subscription_extended", ["expirationAt": "1775124000000"], "extend"),
    ] as [(String, [String: String], String)])
  func kinds(name: String, members: [String: String], type: String) async throws {
    var world = SourceWorld("superwall-webhooks", [webhook(name, members)])
    world.world.metrics = Self.types.map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    let found = try await world.measure()
    // A refund of what no log holds is an orphan, and counts all the same.
    #expect(Self.types.indices.map { found.sums($0)?.sumY } == Self.types.map { $0 == type ? 1 : 0 })
    #expect(found.used == 1)
  }

  @Test(
    "What nothing is measured by is counted by its name",
    arguments: ["subscription_paused", "product_change", "test", "Ωnew", "RENEWAL"])
  func notMeasured(name: String) async throws {
    let found = try await measure(webhook(name, ["priceInPurchasedCurrency": "0"]))
    #expect(found.setAside == [.notMeasured: 1])
    #expect(found.noticed["not_measured \(name)"] == 1)
  }

  // MARK: - Money

  @Test("Retries of a webhook repeat its id and count once")
  func retries() async throws {
    let sale = webhook("initial_purchase")
    #expect(try await cents(sale, sale) == [999, 999, 1])
    let part = ["priceInPurchasedCurrency": "-2"]
    #expect(try await cents(sale, webhook("cancellation", part), webhook("cancellation", part)) == [999, 799, 1])
    let again = webhook("cancellation", part.merging(["id": "\"e3\""]) { $1 })
    #expect(try await cents(sale, webhook("cancellation", part), again) == [999, 599, 1])
  }

  @Test(
    "A price below 0 gives that back, and no other gives back anything",
    arguments: [("-2.50", 749), ("0", 999), ("null", 999), ("-9.99", 0), ("-99", 0), ("3", 999)])
  func refunds(price: String, net: Int128) async throws {
    let refund = webhook("cancellation", ["priceInPurchasedCurrency": price, "id": "\"e2\""])
    #expect(try await cents(webhook("initial_purchase"), refund) == [999, net, 1])
  }

  @Test(
    "Prices are read exactly, as they were typed",
    arguments: [
      ("9.989999999999998", nil), ("\"9.99\"", nil), ("0", nil), ("null", .missingPrice), ("", .missingPrice),
      ("1e1", .badPrice), ("true", .badPrice), ("\"\"", .badPrice), ("{}", .badPrice),
      ("99999999999999999999", .badPrice),
    ] as [(String, SetAsideReason?)])
  func prices(price: String, reason: SetAsideReason?) async throws {
    let found = try await measure(webhook("renewal", ["priceInPurchasedCurrency": price]))
    #expect(found.setAside == (reason.map { [$0: 1] } ?? [:]))
  }

  @Test("Tax and commission are shares of the price")
  func shares() async throws {
    let shares = ["taxPercentage": "0.19", "commissionPercentage": "0.15", "priceInPurchasedCurrency": "10"]
    #expect(try await measure(webhook("renewal", shares)).cents[2] == 660)
    #expect(
      try await measure(webhook("renewal", ["taxPercentage": "null", "commissionPercentage": "0.3"])).cents[2] == 699)
    let found = try await measure(webhook("renewal", ["taxPercentage": "19"]))
    #expect(found.setAside == [.malformed: 1])
  }

  @Test("The price in dollars is what a charge is worth where no rate is known")
  func dollars() async throws {
    let euros = ["currencyCode": "\"EUR\"", "priceInPurchasedCurrency": "8", "price": "10.0"]
    let back = euros.merging(["priceInPurchasedCurrency": "-4", "price": "-5.0", "id": "\"e2\""]) { $1 }
    #expect(try await cents(webhook("renewal", euros), webhook("cancellation", back)) == [1000, 500, 1])
  }

  // MARK: - Times

  @Test("The charge's time is the purchase's, everything else's the event's own")
  func times() async throws {
    let late = ["ts": "1775001600000"]
    for type in ["initial_purchase", "renewal", "non_renewing_purchase"] {
      #expect(try await measure(webhook(type, late)).setAside == [:])
    }
    for type in ["cancellation", "uncancellation", "expiration", "billing_issue"] {
      let free = late.merging(["priceInPurchasedCurrency": "0"]) { $1 }
      #expect(try await measure(webhook(type, free)).setAside == [.afterCutoff: 1])
    }
    let unsaid = ["ts": "null", "priceInPurchasedCurrency": "0"]
    #expect(try await measure(webhook("cancellation", unsaid)).setAside == [:])
  }

  @Test("A renewal that has the subscription's first purchase time was bought when it happened")
  func renewalTimes() async throws {
    let old = ["purchasedAt": "1769000000000"]
    for (store, isInside) in [("APP_STORE", false), ("PLAY_STORE", true), ("STRIPE", true)] {
      let found = try await measure(webhook("renewal", old.merging(["store": "\"\(store)\""]) { $1 }))
      #expect(found.cents[0] == (isInside ? 999 : 0))
    }
  }

  // MARK: - Whose

  @Test(
    "What a webhook cannot do without",
    arguments: [
      ("purchasedAt", SetAsideReason.missingField), ("productId", .missingField), ("currencyCode", .missingField),
    ])
  func required(member: String, reason: SetAsideReason) async throws {
    for value in ["", "null"] {
      #expect(try await measure(webhook("renewal", [member: value])).setAside == [reason: 1])
    }
    #expect(try await measure(webhook("renewal", [member: "[1]"])).setAside == [.malformed: 1])
  }

  @Test("Without the app's id a purchase is of whoever has the subscription")
  func chains() async throws {
    let unnamed = ["originalAppUserId": "null", "transactionId": "\"t2\"", "id": "\"e2\""]
    #expect(try await cents(webhook("initial_purchase"), webhook("renewal", unnamed)) == [1998, 1998, 2])
    #expect(try await measure(webhook("renewal", unnamed)).setAside == [.unassigned: 1])
    let nobodys = unnamed.merging(["originalTransactionId": ""]) { $1 }
    #expect(try await measure(webhook("renewal", nobodys)).setAside == [.missingField: 1])
    let made = ["originalAppUserId": "\"$SuperwallAlias:7152E89E\"", "transactionId": "\"t2\"", "id": "\"e2\""]
    #expect(try await cents(webhook("initial_purchase"), webhook("renewal", made)) == [1998, 1998, 2])
  }

  @Test("The job may say which member names the user, and the usual one stays an alias", arguments: ["", "data."])
  func userField(prefix: String) async throws {
    let named = ["originalAppUserId": "\"x\"", "userAttributes": #"{"id": "u1"}"#, "originalTransactionId": ""]
    #expect(try await measure(webhook("renewal", named)).setAside == [.unassigned: 1])
    let keys = "user: \(prefix)userAttributes.id"
    #expect(try await measure(webhook("renewal", named), keys: keys).cents[0] == 999)
    let other = ["originalAppUserId": "\"x\"", "transactionId": "\"t2\"", "id": "\"e2\"", "originalTransactionId": ""]
    #expect(try await measure(webhook("renewal", named), webhook("renewal", other), keys: keys).cents[0] == 1998)
  }

  @Test(
    "Test environments and families are left out by name; the organizer of a family pays",
    arguments: [
      (["environment": "\"SANDBOX\""], SetAsideReason.sandbox),
      (["isFamilyShare": "true", "priceInPurchasedCurrency": "0"], .familyShared),
      (["isFamilyShare": "true", "priceInPurchasedCurrency": "null"], .familyShared),
      (["isFamilyShare": "true"], nil),
    ] as [([String: String], SetAsideReason?)])
  func leftOut(members: [String: String], reason: SetAsideReason?) async throws {
    let found = try await measure(webhook("non_renewing_purchase", members))
    #expect(found.setAside == (reason.map { [$0: 1] } ?? [:]))
  }

  @Test("Values that the documentation does not have are counted and change nothing")
  func unknownValues() async throws {
    let odd = ["periodType": "\"WEEKEND\"", "store": "\"GALAXY\"", "cancelReason": "\"MOOD\""]
    let found = try await measure(webhook("renewal", odd))
    #expect(found.cents[0] == 999)
    for value in ["periodType=WEEKEND", "store=GALAXY", "cancelReason=MOOD"] {
      #expect(found.noticed["unknown_value \(value)"] == 1)
    }
  }

  // MARK: - Beside another feed

  @Test("A charge and its refund told by Superwall and by the App Store are one of each")
  func besideTheStore() async throws {
    let sold = StoreNotification(
      "SUBSCRIBED", "INITIAL_BUY", ["transactionId": "\"t1\"", "originalTransactionId": "\"t1\""])
    var back = StoreNotification(
      "REFUND", nil, ["transactionId": "\"t1\"", "originalTransactionId": "\"t1\""], id: "n2")
    back.payload["signedDate"] = "1772545600000"
    var world = SourceWorld("app-store-notifications", [sold.decoded, back.decoded])
    let refund = ["priceInPurchasedCurrency": "-9.99", "ts": "1772545600000", "id": "\"e2\""]
    world.add("superwall-webhooks", [webhook("initial_purchase"), webhook("cancellation", refund)])
    for _ in 0..<2 {
      let found = try await world.measure()
      #expect(found.cents == [999, 0, 0, 1, 1])
      #expect(found.setAside == [.duplicate: 2])
      world.logs.reverse()
    }
  }

  @Test("Random values never crash, and every row is accounted for")
  func randomValues() async throws {
    var dice = Dice(seed: 5)
    let values = [
      "null", "[]", "{}", "[[[]]]", "\"\"", "\"x\"", "-1", "1e999", "99999999999999999999", "-9223372036854775808",
      "true", "\"\\u0000\"", "[\"a\",\"\\\"]\"]", "{\"a\":[{}]}", "[1,2", "\"", "-0", "9223372036854.775807",
    ]
    let lines = (0..<600).map { _ in
      let members = SuperwallWebhooks.Member.allCases.filter { _ in dice.chance(0.25) }.map {
        ($0.name, dice.pick(values))
      }
      return webhook(dice.pick(SuperwallEventKind.allCases.map(\.rawValue)), Dictionary(uniqueKeysWithValues: members))
    }
    let found = try await SourceWorld("superwall-webhooks", lines, "user: a.b").measure()
    // A member of brackets that do not match may make two objects of its line.
    #expect((found.accounts.last?.rows ?? 0) >= 600)
  }
}
