import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

@Suite("One customer of many ids")
struct ManyIDsTests {
  private static let token = "7a1c0de0-0000-4000-8000-0000000000a1"
  private static let other = "7a1c0de0-0000-4000-8000-0000000000b2"

  // MARK: - RevenueCat's webhooks

  private func webhook(_ type: String, _ day: Int, user: String, _ members: [String: String] = [:]) -> String {
    let time = 1_772_323_200_000 + Int64(day) * 86_400_000
    var all = [
      "type": "\"\(type)\"", "id": "\"\(type)-\(day)-\(user)\"", "app_user_id": "\"\(user)\"",
      "event_timestamp_ms": "\(time)", "purchased_at_ms": "\(time)", "product_id": "\"p\"",
      "transaction_id": "\"t\(day)\"", "price_in_purchased_currency": "9.99", "currency": "\"USD\"",
      "period_type": "\"NORMAL\"", "environment": "\"PRODUCTION\"", "store": "\"APP_STORE\"",
    ]
    all.merge(members) { $1 }
    return "{\"event\":{\(all.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}}"
  }

  @Test(
    "What an id bought is the customer's whom any event names beside it",
    arguments: [
      ["original_app_user_id": "\"$RCAnonymousID:1\""], ["aliases": "[\"$RCAnonymousID:1\"]"],
      ["aliases": "[\"x\", \"\\u0024RCAnonymousID:1\", \"u1\"]"],
    ])
  func webhookAliases(members: [String: String]) async throws {
    let bought = webhook("INITIAL_PURCHASE", 2, user: "$RCAnonymousID:1")
    for line in [
      webhook("RENEWAL", 9, user: "u1", members), webhook("SUBSCRIBER_ALIAS", 9, user: "u1", members),
      webhook("PRODUCT_CHANGE", 9, user: "u1", members),
    ] {
      let charges: Int128 = line.contains("RENEWAL") ? 2 : 1
      for lines in [[bought, line], [line, bought]] {
        try await SourceWorld("revenuecat-webhooks", lines).everyWay().forEach { found, way in
          #expect(found.money[3] == charges, way)
          #expect(found.setAside[.unassigned] == nil, way)
        }
      }
    }
  }

  @Test("Aliases of aliases are one customer's, over files and events")
  func chainOfAliases() async throws {
    var world = SourceWorld(
      "revenuecat-webhooks",
      [webhook("INITIAL_PURCHASE", 2, user: "a"), webhook("SUBSCRIBER_ALIAS", 3, user: "a", ["aliases": "[\"b\"]"])])
    world.add("revenuecat-webhooks", [webhook("SUBSCRIBER_ALIAS", 4, user: "c", ["original_app_user_id": "\"b\""])])
    world.add("revenuecat-webhooks", [webhook("RENEWAL", 5, user: "u1", ["aliases": "[\"c\"]"])])
    try await world.everyWay().forEach { found, way in
      #expect(found.money[3] == 2, way)
      #expect(found.used == 4, way)
    }
  }

  @Test("What is told at or after the cut-off, or by a test store, joins nobody")
  func untold() async throws {
    let bought = webhook("INITIAL_PURCHASE", 2, user: "a")
    for line in [
      webhook("SUBSCRIBER_ALIAS", 31, user: "u1", ["aliases": "[\"a\"]"]),
      webhook("SUBSCRIBER_ALIAS", 3, user: "u1", ["aliases": "[\"a\"]", "environment": "\"SANDBOX\""]),
    ] {
      try await SourceWorld("revenuecat-webhooks", [bought, line]).everyWay().forEach { found, way in
        #expect(found.money[3] == 0, way)
        #expect(found.setAside[.unassigned] == 1, way)
      }
    }
  }

  @Test("A transfer of one of a customer's ids moves all of them")
  func transferOfAliases() async throws {
    let lines = [
      webhook("INITIAL_PURCHASE", 2, user: "a", ["aliases": "[\"b\"]"]),
      "{\"event\":{\"type\":\"TRANSFER\",\"event_timestamp_ms\":1773360000000,\"transferred_from\":[\"b\"],"
        + "\"transferred_to\":[\"u1\"]}}",
    ]
    try await SourceWorld("revenuecat-webhooks", lines).everyWay().forEach { found, way in
      #expect(found.money[3] == 1, way)
    }
  }

  @Test("Ids that lead to one another by transfers, and are one customer's, lead round in no circle")
  func transfersWithinACustomer() async throws {
    func transfer(_ from: String, _ to: String) -> String {
      "{\"event\":{\"type\":\"TRANSFER\",\"event_timestamp_ms\":1773360000000,\"transferred_from\":[\"\(from)\"],"
        + "\"transferred_to\":[\"\(to)\"]}}"
    }
    let lines = [
      webhook("INITIAL_PURCHASE", 2, user: "a", ["aliases": "[\"u1\"]"]), transfer("a", "b"), transfer("b", "u1"),
      webhook("RENEWAL", 9, user: "b", ["aliases": "[\"c\"]"]),
    ]
    try await SourceWorld("revenuecat-webhooks", lines).everyWay().forEach { found, way in
      #expect(found.money[3] == 2, way)
      #expect(found.setAside[.unassigned] == nil, way)
    }
  }

  @Test("An enrolment puts its customer into the group at its time, bought or not")
  func enrolments() async throws {
    let lines = (0..<6).map { number in
      webhook(
        "EXPERIMENT_ENROLLMENT", 1, user: "user\(number)",
        ["experiment_id": "\"test\"", "experiment_variant": "\"\(number < 3 ? "control" : "b")\""])
    }
    var world = SourceWorld("revenuecat-webhooks", lines + [webhook("INITIAL_PURCHASE", 2, user: "user1")])
    world.world.job = "population: logged"
    world.world.isLogged = true
    try await world.everyWay().forEach { found, way in
      #expect(["control", "b"].map { found.sums(0, group: $0)?.n } == [3, 3], way)
      #expect(found.money[3] == 1, way)
      #expect(found.setAside == [:], way)
    }
  }

  // MARK: - RevenueCat's exports

  private func exported(_ rows: [(original: String, last: String, transaction: String)], keys: String = "")
    -> SourceWorld
  {
    let header =
      "rc_original_app_user_id,rc_last_seen_app_user_id_alias,product_identifier,start_time,store_transaction_id,"
      + "renewal_number,is_trial_period,is_auto_renewable,purchased_currency,purchase_price_in_purchased_currency,"
      + "price_in_purchased_currency"
    let lines = rows.map {
      "\($0.original),\($0.last),p,2026-03-05 10:00:00,\($0.transaction),1,false,true,USD,9.99,9.99"
    }
    return SourceWorld("revenuecat-export", [header] + lines, keys)
  }

  @Test(
    "An export's two ids are one customer's, whichever of them the job lets name the user",
    arguments: ["", "user: rc_last_seen_app_user_id_alias", "user: rc_original_app_user_id"])
  func exportAliases(keys: String) async throws {
    let rows = [("$RCAnonymousID:1", "u1", "1"), ("u1", "$RCAnonymousID:2", "2"), ("$RCAnonymousID:1", "", "3")]
    // A row without the id that names the user is a fault of its own.
    let used = keys.contains("last_seen") ? rows.dropLast() : rows[...]
    try await exported(Array(used), keys: keys).everyWay().forEach { found, way in
      #expect(found.money[3] == Int128(used.count), way)
      #expect(found.setAside == [:], way)
    }
  }

  // MARK: - Apple's notifications

  private func notification(
    _ type: String, chain: String, transaction: String, token: String?, _ more: String = ""
  ) -> String {
    let token = token.map { "\"appAccountToken\":\"\($0)\"," } ?? ""
    return
      "{\"notificationType\":\"\(type)\",\"notificationUUID\":\"\(type)-\(transaction)\",\"signedDate\":1772900000000,"
      + "\"data\":{\"environment\":\"Production\",\"transactionInfo\":{\"transactionId\":\"\(transaction)\","
      + "\"originalTransactionId\":\"\(chain)\",\(token)\"productId\":\"p\",\"purchaseDate\":1772800000000,"
      + "\"price\":9990,\"currency\":\"USD\",\"inAppOwnershipType\":\"PURCHASED\",\"environment\":\"Production\"\(more)}}}"
  }

  private func appleWorld(_ lines: [String]) -> SourceWorld {
    var world = SourceWorld("app-store-notifications", lines)
    world.world.assignments = ["\(Self.token),test,control,2026-03-01T00:00:00Z"]
    return world
  }

  @Test("A subscription is one customer's, with its token, without one, and with another")
  func chain() async throws {
    let lines = [
      notification("SUBSCRIBED", chain: "1", transaction: "1", token: nil),
      notification("DID_RENEW", chain: "1", transaction: "2", token: Self.token),
      notification("DID_RENEW", chain: "1", transaction: "3", token: Self.other),
      notification("DID_RENEW", chain: "9", transaction: "9", token: Self.other),
      notification("REFUND", chain: "1", transaction: "2", token: nil, ",\"revocationDate\":1772850000000"),
    ]
    for lines in [lines, lines.reversed()] {
      try await appleWorld(lines).everyWay().forEach { found, way in
        #expect(found.cents == [3996, 2997, 2097, 4, 1], way)
        #expect(found.setAside == [:], way)
      }
    }
  }

  @Test(
    "A token of zeros or blanks is none: it does not make one customer of all who have it",
    arguments: ["00000000-0000-0000-0000-000000000000", "  "])
  func zeros(zeros: String) async throws {
    let lines = [
      notification("SUBSCRIBED", chain: "1", transaction: "1", token: zeros),
      notification("DID_RENEW", chain: "1", transaction: "2", token: Self.token),
      notification("SUBSCRIBED", chain: "5", transaction: "5", token: zeros),
    ]
    try await appleWorld(lines).everyWay().forEach { found, way in
      #expect(found.money[3] == 2, way)
      #expect(found.setAside == [.unassigned: 1], way)
    }
  }

  @Test("Where subscriptions name the users, tokens join none of them")
  func byChain() async throws {
    var world = SourceWorld(
      "app-store-notifications",
      [
        notification("SUBSCRIBED", chain: "u1", transaction: "1", token: Self.token),
        notification("SUBSCRIBED", chain: "u2", transaction: "2", token: Self.token),
      ], "user: originalTransactionId")
    world.world.assignments += ["u2,test,b,2026-03-01T00:00:00Z"]
    try await world.everyWay().forEach { found, way in
      #expect(["control", "b"].map { found.sums(3, group: $0)?.sumY } == [1, 1], way)
    }
  }

  // MARK: - UUIDs

  @Test("A UUID is one id in capitals and in small letters, in every input; no other id is folded")
  func letterCase() async throws {
    let id = "7A1C0DE0-0000-4000-8000-0000000000A1"
    let lower = id.lowercased()
    for (assigned, bought) in [(id, lower), (lower, id), (id, id)] {
      var world = SourceWorld("events", [event("purchase", march(2), ["userId": bought, "transactionId": "1"])])
      world.world.assignments = ["\(assigned),test,control,2026-03-01"]
      try await world.everyWay().forEach { found, way in #expect(found.money[3] == 1, way) }
    }
    for (assigned, bought) in [("U1", "u1"), ("\(id)0", "\(lower)0"), ("{\(id)}", "{\(lower)}")] {
      var world = SourceWorld("events", [event("purchase", march(2), ["userId": bought, "transactionId": "1"])])
      world.world.assignments = ["\(assigned),test,control,2026-03-01"]
      try await world.everyWay().forEach { found, way in #expect(found.money[3] == 0, way) }
    }
  }

  @Test("In the table of identities, too")
  func identitiesTable() async throws {
    let id = "7A1C0DE0-0000-4000-8000-0000000000A1"
    var world = SourceWorld("events", [event("purchase", march(2), ["userId": id.lowercased()])])
    world.world.job = "identities: identities.csv"
    let folder = try TemporaryFolder()
    let path = try world.write(to: folder)
    try folder.write("identities.csv", "alias,user\n\(id),u1\n")
    try await EveryWay(folder: folder, path: path).forEach { found, way in #expect(found.money[3] == 1, way) }
  }

  @Test("Copies of an event whose id or transaction is a UUID are one, in whatever letters")
  func keys() async throws {
    let id = "7A1C0DE0-0000-4000-8000-0000000000A1"
    let events = [id, id.lowercased()].flatMap { id in
      [
        event("purchase", march(2), ["transactionId": id, "eventId": "x\(id)"]),
        event("paywall_view", march(1), ["eventId": id]),
      ]
    }
    try await SourceWorld("events", events).everyWay().forEach { found, way in
      #expect(found.money[3] == 1, way)
      #expect(found.setAside == [.duplicate: 2], way)
    }
  }
}
