import Testing

@testable import Domain
@testable import Engine
@testable import Measurement

/// Transactions that stand alone, as the App Store's server answers with them.
@Suite("Transactions alone")
struct TransactionStateTests: SignedNotification {
  private static let statuses = ["1", "2", "3", "4", "5"]

  /// A transaction of a day in March 2026, and its renewal, signed on another.
  private func sold(
    _ day: Int, _ members: [String: String] = [:], renewal: [String: String]? = nil, signed: Int? = nil
  ) -> StoreNotification {
    var all = [
      "transactionId": "\"t\(day)\"", "webOrderLineItemId": "\"w\(day)\"", "productId": "\"monthly\"",
      "purchaseDate": "\(milliseconds(day))", "expiresDate": "\(milliseconds(day + 10))",
      "signedDate": "\(milliseconds(signed ?? day, 5))", "transactionReason": "\"PURCHASE\"",
    ]
    all.merge(members) { $1 }
    let renewing = renewal.map { ["signedDate": "\(milliseconds(signed ?? day, 5))"].merging($0) { $1 } }
    return StoreNotification("", nil, all, renewal: renewing)
  }

  private func history(_ transactions: [StoreNotification], layer: (String) -> String = { $0 }) -> String {
    let list = transactions.map { layer($0.transactionJSON) }.joined(separator: ",")
    return
      #"{"revision":"1_1","bundleId":"com.example","environment":"Production","hasMore":false,"signedTransactions":["#
      + list + "]}"
  }

  private func status(_ transaction: StoreNotification, _ status: String, layer: (String) -> String = { $0 }) -> String
  {
    let renewal = transaction.renewalJSON.map { #","signedRenewalInfo":"# + layer($0) } ?? ""
    return
      #"{"environment":"Production","bundleId":"com.example","data":[{"subscriptionGroupIdentifier":"1","lastTransactions":[{"#
      + #""originalTransactionId":"o1","status":\#(status),"signedTransactionInfo":"#
      + layer(transaction.transactionJSON) + renewal + "}]}]}"
  }

  // MARK: - What was bought

  @Test(
    "Its kind, offer and reason say what was bought",
    arguments: [
      ([:], "purchase"), (["transactionReason": "\"RENEWAL\""], "renewal"), (["transactionReason": ""], "renewal"),
      (["transactionReason": "", "originalTransactionId": "\"t2\""], "purchase"), (["price": "0"], "trial_start"),
      (["transactionReason": "\"RENEWAL\"", "offerDiscountType": "\"FREE_TRIAL\""], "trial_start"),
      (["type": "\"Non-Consumable\""], "one_time_purchase"),
      (["type": "\"Consumable\"", "price": "0"], "one_time_purchase"),
      (["type": "\"Non-Renewing Subscription\""], "one_time_purchase"), (["type": ""], "one_time_purchase"),
      (["type": "", "subscriptionGroupIdentifier": "\"1\""], "purchase"),
    ] as [([String: String], String)])
  func kinds(members: [String: String], type: String) throws {
    let transaction = sold(2, members)
    let lone = #"{"signedTransactionInfo":\#(transaction.transactionJSON)}"#
    for line in [history([transaction]), status(transaction, "1"), lone] {
      let log = try StoreLog([line])
      #expect(log.events.map(\.type) == [type] && log.events[0].time == milliseconds(2), "\(line)")
      #expect(log.events[0].micros == (type == "trial_start" ? nil : members["price"] == nil ? 9_990_000 : 0))
    }
  }

  @Test("A page's transactions are a row each, and a fault is its own transaction's")
  func pages() throws {
    let broken = sold(3, ["price": "\"x\""])
    let log = try StoreLog([history([sold(2), broken, sold(4)]), history([]), #"{"signedTransactions":[7]}"#])
    #expect(log.events.map(\.time) == [milliseconds(2), milliseconds(4)])
    #expect(log.reading.account.rows == 5 && log.reading.account.isBalanced)
    #expect(log.notes == ["not_measured empty page": 1])
    #expect(log.faults.count == 2 && log.faults[0].hasPrefix("bad_price: signedTransactions[1]: price"))
    #expect(
      log.faults[1] == "malformed: signedTransactions[0]: signedTransactionInfo is neither a signed text nor an object")
  }

  @Test(
    "An answer that is none is malformed, and never anything else",
    arguments: [
      #"{"signedTransactions":{}}"#, #"{"data":[7]}"#, #"{"data":[{"lastTransactions":{}}]}"#,
      #"{"data":[{"lastTransactions":[7]}]}"#, #"{"signedTransactionInfo":true}"#,
      #"{"signedTransactionInfo":"a.b.c"}"#,
    ])
  func malformed(line: String) throws {
    let log = try StoreLog([line])
    #expect(log.events.isEmpty && log.reading.rejects.all.map(\.reason) == [.malformed])
  }

  @Test("Test environments and families are left out")
  func leftOut() throws {
    let log = try StoreLog([
      history([
        sold(2, ["environment": "\"Sandbox\""]), sold(3, ["inAppOwnershipType": "\"FAMILY_SHARED\"", "price": ""]),
      ])
    ])
    #expect(log.events.map(\.isSandbox) == [true, false] && log.events.map(\.isFamilyShared) == [false, true])
  }

  // MARK: - Beside notifications

  @Test("The same transaction in a notification, a page and a status is one charge, one trial, one refund")
  func besideNotifications() async throws {
    var (bought, trial, back) = (sold(2), sold(2, ["price": "0"]), sold(2))
    (bought.type, bought.subtype, trial.type) = ("SUBSCRIBED", "INITIAL_BUY", "SUBSCRIBED")
    (back.type, back.payload["notificationUUID"]) = ("REFUND", "\"n2\"")
    back.transaction["revocationDate"] = "\(milliseconds(9))"
    back.payload["signedDate"] = "\(milliseconds(9, 1))"
    let refunded = sold(2, ["revocationDate": "\(milliseconds(9))"], renewal: [:], signed: 10)
    let lines = [bought.decoded, back.decoded, history([refunded]), history([refunded]), status(refunded, "5")]
    for lines in [lines, lines.reversed(), Array(lines[2...])] {
      let found = try await SourceWorld("app-store-notifications", lines).measure()
      #expect(found.cents == [999, 0, 0, 1, 1])
    }
    var world = SourceWorld("app-store-notifications", [trial.decoded, history([trial]), status(trial, "1")])
    world.world.metrics = ["{name: event_count, event: trial_start, window: none}"]
    #expect(try await world.measure().sums(0)?.sumY == 1)
  }

  @Test("Of a refund in part the later statement counts, whoever makes it")
  func parts() async throws {
    func page(_ percentage: String, signed day: Int) -> String {
      history([
        sold(2, ["revocationDate": "\(milliseconds(9))", "revocationPercentage": percentage], signed: day)
      ])
    }
    let lines = [page("40000", signed: 10), page("50000", signed: 12)]
    for lines in [lines, lines.reversed()] {
      #expect(try await SourceWorld("app-store-notifications", lines).measure().cents[1] == 499)
    }
  }

  // MARK: - How the subscription stands

  private func standing(_ lines: [String], at time: String) async throws -> StandingOfUser {
    let forward = try await StandingOfUser.of(lines, format: "app-store-notifications", at: time)
    let backward = try await StandingOfUser.of(lines.reversed(), format: "app-store-notifications", at: time)
    #expect(forward.state == backward.state && forward.monthly == backward.monthly)
    return forward
  }

  @Test(
    "Status and renewal say how the subscription stands",
    arguments: [
      ("1", ["autoRenewStatus": "1"], "2026-03-08", "subscribed"),
      ("1", ["autoRenewStatus": "0"], "2026-03-08", "set_to_expire"),
      ("1", ["autoRenewStatus": "0"], "2026-03-13", "expired"),
      ("2", ["autoRenewStatus": "0", "expirationIntent": "1"], "2026-03-20", "expired"),
      ("2", ["expirationIntent": "2"], "2026-03-20", "expired"),
      ("2", ["expirationIntent": "3"], "2026-03-20", "expired"),
      ("3", ["autoRenewStatus": "1"], "2026-03-20", "billing_retry"),
      ("4", ["gracePeriodExpiresDate": "\(milliseconds(25))"], "2026-03-20", "billing_retry"),
      ("9", ["autoRenewStatus": "1"], "2026-03-08", "subscribed"),
    ] as [(String, [String: String], String, String)])
  func states(status: String, renewal: [String: String], time: String, state: String) async throws {
    let line = self.status(sold(2, renewal: renewal, signed: status == "1" ? 5 : 13), status)
    let found = try await standing([line], at: time)
    #expect(found.state == state)
  }

  @Test("A grace is access, and a retry without one is none")
  func graces() async throws {
    let graced = status(sold(2, renewal: ["gracePeriodExpiresDate": "\(milliseconds(25))"], signed: 13), "4")
    #expect(try await standing([graced], at: "2026-03-20").active == 1)
    let tried = status(sold(2, renewal: ["autoRenewStatus": "1"], signed: 13), "3")
    #expect(try await standing([tried], at: "2026-03-20").active == 0)
  }

  @Test("The latest answer about a transaction counts, and what was signed after the cut-off has not been seen")
  func snapshots() async throws {
    let on = status(sold(2, renewal: ["autoRenewStatus": "1"], signed: 7), "1")
    let off = status(sold(2, renewal: ["autoRenewStatus": "0"], signed: 5), "1")
    let offAgain = status(sold(2, renewal: ["autoRenewStatus": "0"], signed: 9), "1")
    #expect(try await standing([off, on], at: "2026-03-08").state == "subscribed")
    #expect(try await standing([off, on], at: "2026-03-06").state == "set_to_expire")
    #expect(try await standing([off, on, offAgain], at: "2026-03-10").state == "set_to_expire")
    #expect(try await standing([off, on, offAgain], at: "2026-03-08").state == "subscribed")
  }

  @Test("A failure that the next transaction recovers is no end")
  func recovered() async throws {
    let failed = status(sold(2, renewal: ["expirationIntent": "2"], signed: 13), "2")
    let later = history([
      sold(2), sold(14, ["transactionReason": "\"RENEWAL\"", "expiresDate": "\(milliseconds(24))"]),
    ])
    var world = SourceWorld("app-store-notifications", [failed, later])
    world.world.metrics = ["billing_retry", "billing_recovery", "expire"].map {
      "{name: event_count, event: \($0), window: none, id: \($0)}"
    }
    let found = try await world.measure()
    #expect((0..<3).map { found.sums($0)?.sumY } == [1, 1, 0])
  }

  @Test("What statuses tell beside notifications is told a second time")
  func lifecycleBesideNotifications() async throws {
    var (bought, off) = (sold(2, renewal: [:]), sold(2, renewal: [:]))
    (bought.type, off.type, off.subtype) = ("SUBSCRIBED", "DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED")
    off.payload["notificationUUID"] = "\"n2\""
    off.payload["signedDate"] = "\(milliseconds(4))"
    let seen = status(sold(2, renewal: ["autoRenewStatus": "0"], signed: 7), "1")
    let over = status(sold(2, renewal: ["autoRenewStatus": "0", "expirationIntent": "1"], signed: 14), "2")
    var world = SourceWorld("app-store-notifications", [bought.decoded, off.decoded, seen, over])
    world.world.metrics = ["cancel", "expire"].map { "{name: event_count, event: \($0), window: none, id: \($0)}" }
    let found = try await world.measure()
    #expect(found.sums(0)?.sumY == 1 && found.sums(1)?.sumY == 1)
  }

  // MARK: - Signatures

  @Test("Every transaction's own signature is checked where the job asks for it")
  func signatures() throws {
    let (store, thief) = (try SignedStore(), try SignedStore())
    let signed = { (text: String) in (try? "\"\(store.sign(text))\"") ?? "" }
    let forged = { (text: String) in (try? "\"\(thief.sign(text))\"") ?? "" }
    let transaction = sold(2, renewal: [:])
    let page = history([transaction], layer: signed)
    #expect(try doubt(page, store) == nil)
    #expect(try doubt(page, store, options: "bundle_id: com.example, environment: Production") == nil)
    let other = try doubt(page, store, options: "bundle_id: com.other")
    #expect(other?.contains("the job wants \"com.other\"") == true)
    #expect(try doubt(history([transaction], layer: forged), store) != nil)
    #expect(try doubt(history([transaction]), store)?.contains("came decoded") == true)
    #expect(try store.read([status(transaction, "1", layer: signed)]).faults == [])
    var sandbox = transaction
    sandbox.renewal?["environment"] = "\"Sandbox\""
    let mixed = try doubt(status(sandbox, "1", layer: signed), store)
    #expect(mixed?.hasPrefix("data[0].lastTransactions[0]: environment") == true)
  }

  @Test("Where signatures are checked a state that none covers says nothing, and a renewal of another chain is refused")
  func unsignedState() throws {
    let store = try SignedStore()
    let signed = { (text: String) in (try? "\"\(store.sign(text))\"") ?? "" }
    let active = sold(2, renewal: ["autoRenewStatus": "1"])
    #expect(try store.read([status(active, "2", layer: signed)]).events.map(\.type) == ["purchase", "expire"])
    #expect(try store.read([status(active, "2", layer: signed)]).raw[1].isVoid)
    let over = sold(2, renewal: ["autoRenewStatus": "0", "expirationIntent": "1"], signed: 13)
    #expect(
      try store.read([status(over, "1", layer: signed)]).events.map(\.type) == ["purchase", "cancel", "expire"])
    let other = sold(2, renewal: ["originalTransactionId": "\"o9\""])
    let mixed = try doubt(status(other, "1", layer: signed), store)
    #expect(mixed?.contains("signedRenewalInfo is of ") == true)
  }

  @Test("Random values never crash, and every row is accounted for")
  func randomValues() async throws {
    var dice = Dice(seed: 5)
    let values = [
      "null", "[]", "{}", "\"\"", "\"x\"", "-1", "0", "1", "2", "1e999", "99999999999999999999", "9223372036854775807",
      "-9223372036854775808", "true", "[{\"a\":1}]",
    ]
    let transactionMembers = TransactionMember.allCases.filter {
      !"\($0)".hasSuffix("Periods") && "\($0)" != "billingPeriodNumber"
    }
    let lines = (0..<400).map { _ in
      let members = transactionMembers.filter { _ in dice.chance(0.2) }.map { ("\($0)", dice.pick(values)) }
      let renewal = RenewalMember.allCases.filter { _ in dice.chance(0.2) }.map { ("\($0)", dice.pick(values)) }
      let one = sold(
        2, Dictionary(uniqueKeysWithValues: members), renewal: Dictionary(uniqueKeysWithValues: renewal))
      return dice.chance(0.5) ? history([one, sold(3)]) : status(one, dice.pick(values))
    }
    let found = try await SourceWorld("app-store-notifications", lines).measure()
    #expect((found.accounts.last?.rows ?? 0) >= 400)
  }
}
