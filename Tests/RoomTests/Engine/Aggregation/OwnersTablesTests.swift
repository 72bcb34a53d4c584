import Foundation
import Testing

@testable import Analysis
@testable import Application
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Simulation

/// Receipts, days of trials and displayed prices: what owners ask beside the metrics, counted by hand.
@Suite("Tables that owners ask for")
struct OwnersTablesTests {
  // MARK: - Receipts

  private func call(_ user: Int, _ time: String, _ response: String, _ members: String = "") -> String {
    """
    {"userId": "u\(user)", "occurredAt": "\(time)", "endpoint": "/api/subscription/upgrade", \
    "response": {\(response)}\(members)}
    """
  }

  private func failed(_ code: String, _ receipt: String) -> String {
    #""success": false, "error_code": \#(code), "receipt_id": "\#(receipt)""#
  }

  @Test("Failures are a share of the distinct receipts that were sent, and sandbox receipts are named")
  func receipts() async throws {
    let lines = [
      call(1, march(2, "10:00:00"), failed("21003", "a")), call(1, march(2, "10:00:05"), failed("21003", "a")),
      call(1, march(2, "10:01:00"), #""success": true, "transaction_id": "a""#),
      call(1, march(3), #""success": true, "transaction_id": "b""#),
      call(1, march(4), failed("21003", "c")), call(2, march(2), #""success": true, "transaction_id": "a""#),
      call(2, march(3), #""success": true"#), call(2, march(4), failed("21007", "d")),
      call(2, march(5), failed("21007", "e"), #", "environment": "Sandbox""#),
      call(2, "2026-02-20T10:00:00Z", failed("21003", "f")),
    ]
    var world = SourceWorld("api-log", lines)
    world.world.assignments = (1...3).map { "u\($0),test,control,2026-03-01T00:00:00Z" }
    let found = try await world.measure()
    #expect(found.setAside == [.sandbox: 2])
    #expect(found.used == 8)
    let offering = try #require(found.offering)
    let rows = GroupRows(of: offering).failures
    #expect(
      rows.map { "\($0.failure.event) \($0.failure.code)" } == ["sandbox_receipt 21007", "validation_failed 21003"])
    // a, b and c of the first user; a, one without a name, and d of the second.
    #expect(rows.map(\.receipts) == [6, 6])
    #expect(rows.map(\.failure.counts.transactions) == [1, 2])
    let rates: [Double?] = [1.0 / 6, 2.0 / 6]
    #expect(rows.map(\.rate) == rates)
  }

  @Test("What is no receipt has no share")
  func noReceipts() async throws {
    var world = World()
    world.events = [event("purchase_failed", march(2), ["errorCode": "E7"])]
    world.job = "event_types: [purchase_failed]"
    let offering = try #require(try await world.measure().offering)
    let row = try #require(GroupRows(of: offering).failures.first)
    #expect(row.receipts == nil && row.rate == nil && row.failure.counts.transactions == 1)
  }

  @Test("Who was served and who saw a paywall are told apart where both are known")
  func shown() async throws {
    var world = SourceWorld(
      "api-log",
      [1, 2].map { user in
        call(user, march(2), #""Success": 1, "Body": {}"#).replacing(
          "/api/subscription/upgrade", with: "/v1/getSubscriptionOffering")
      })
    world.world.assignments = (1...4).map { "u\($0),test,control,2026-03-01T00:00:00Z" }
    func message() async throws -> String {
      try await world.checks().first { $0.name == "never_shown" }?.message ?? ""
    }
    #expect(
      try await message()
        == "2 of 4 measured users (50 %) were never shown a paywall nor served an offering; they count all the same.")
    world.add(
      "events", [event("paywall_view", march(3), ["userId": "u2"]), event("paywall_view", march(3), ["userId": "u3"])])
    #expect(
      try await message() == """
        1 of 4 measured users (25 %) were never shown a paywall nor served an offering; they count all the same. \
        2 (50 %) were served the offering, and 2 (50 %) are known to have seen a paywall: to be served one is not to \
        see it.
        """)
  }

  // MARK: - Days of the trial

  private func trialDays(_ events: [String], users: Int, asOf: String) async throws -> [[Int]] {
    var world = Life(events: events, asOf: asOf).world("name: exposure, window: none")
    world.assignments = (1...users).map { "u\($0),test,control,2026-03-01" }
    func rows() async throws -> [[Int]] {
      let offering = try #require(try await world.measure().offering)
      return GroupRows(of: offering).trialDays.map { [$0.day, $0.trials, $0.paid] }
    }
    let found = try await rows()
    world.events.reverse()
    #expect(try await rows() == found)
    return found
  }

  private func of(_ user: Int, _ event: String) -> String {
    event.replacing("\"userId\":\"u1\"", with: "\"userId\":\"u\(user)\"")
  }

  @Test("The day of the trial on which users first paid, of those for whom that day is over")
  func days() async throws {
    let trial = event("trial_start", march(2), ["productId": "monthly"])
    let events = [
      of(1, trial), of(1, charge("monthly", march(3), "renewal")), of(1, charge("monthly", march(9), "renewal")),
      of(2, trial), of(2, charge("monthly", march(3, "11:59:59.999"))),
      of(3, trial), of(3, charge("pass", march(4), "one_time_purchase")),
      of(3, charge("weekly", march(5), "purchase", ["price": "0"])), of(3, charge("weekly", march(6))),
      of(4, event("trial_start", march(8), ["productId": "monthly"])), of(4, charge("monthly", march(9))),
      of(5, event("trial_start", "2026-02-28T23:00:00Z")), of(5, charge("monthly", march(2))),
    ]
    // The last trial's second day is not over.
    #expect(try await trialDays(events, users: 6, asOf: march(9, "12:00:01")) == [[1, 4, 1], [2, 3, 1], [5, 3, 1]])
    #expect(try await trialDays(events, users: 6, asOf: march(10)) == [[1, 4, 1], [2, 4, 2], [5, 3, 1]])
  }

  // MARK: - Displayed prices

  @Test(
    "A price is displayed in the currency its sign or letters tell, and a number alone in the job's",
    arguments: [
      ("$7.99", "USD", "USD 7990000"), ("$7.99", "CAD", "CAD 7990000"), ("$7.99", "EUR", "USD 7990000"),
      ("£50.00", "USD", "GBP 50000000"), ("7,99 €", "USD", "EUR 7990000"), ("¥1,200", "USD", "JPY 1200000000"),
      ("￥8", "CNY", "CNY 8000000"), ("CHF 9.90", "USD", "CHF 9900000"), ("9.90 usd", "USD", ""),
      ("7.99", "USD", "USD 7990000"),
      ("7.99", "EUR", "EUR 7990000"), ("7,99", "EUR", "EUR 7990000"), ("7.9900", "USD", "USD 7990000"),
      ("8", "USD", "USD 8000000"),
      ("1,299", "JPY", "JPY 1299000000"), ("1.999,5", "EUR", "EUR 1999500000"), ("2.500", "KWD", "KWD 2500000"),
      (" 7.99 ", "USD", "USD 7990000"), ("7.99/week", "USD", ""), ("", "USD", ""), (".", "USD", ""),
      ("-7.99", "USD", ""),
      ("12 kr", "SEK", ""), ("AU$3", "USD", "AUD 3000000"), ("free", "USD", ""),
    ])
  func currency(text: String, reporting: String, expected: String) throws {
    let currency = try #require(Currency(Array(reporting.utf8)))
    let amount = DisplayPrice.amount(text, reporting: currency)
    let shown = amount.map { "\($0.currency.text) \($0.micros)" }
    #expect((shown ?? "") == expected)
  }

  @Test("Charges that differ from the price displayed are counted by group and product, like with like")
  func displayed() async throws {
    let folder = try TemporaryFolder()
    try folder.write("offerings.csv", "id,offering_id\n1,test\n")
    try folder.write("groups.csv", "id,subscription_offering_id,group_name\n1,1,control\n2,1,group_a\n")
    try folder.write(
      "sold.csv",
      "offering_group_id,product_id,fallback_display_price\n1,p,$10.00\n2,p,$12.00\n1,q,\n")
    var world = World()
    world.assignments = ["u1,test,control,2026-03-01", "u2,test,group_a,2026-03-01"]
    world.rates = ["2026-03-01,EUR,1.1"]
    world.events = [
      event("purchase", march(2), ["transactionId": "1"]), event("renewal", march(3), ["price": "10.000000"]),
      event("renewal", march(4), ["price": "9.99"]), event("renewal", march(5), ["price": "9.5"]),
      event("renewal", march(6), ["currency": "EUR"]), event("renewal", march(7), ["productId": "q"]),
      event("purchase", "2026-02-28T00:00:00Z", ["price": "1"]), event("purchase", march(2), ["userId": "u2"]),
    ]
    world.job = "catalog: {offerings: offerings.csv, groups: groups.csv, products: sold.csv}"
    let path = try world.write(to: folder)
    let job = try JobReader.read(path)
    let measured = try await World.measure(path, asOf: world.asOf, threads: 1)
    let offering = try #require(measured.offering)
    let rows = offering.groups.flatMap { group in group.tables.displayPrices.map { (group.id, $0) } }
    #expect(rows.map { "\($0) \($1.product)" } == ["control p", "group_a p"])
    #expect(
      rows.map(\.1.counts) == [
        DisplayedCharges.Counts(charges: 5, compared: 4, differing: 2, example: 9_500_000),
        DisplayedCharges.Counts(charges: 1, compared: 1, differing: 1, example: 10_000_000),
      ])
    let check = try #require(
      DisplayPriceCheck().checks(of: HandMade.checked(offering, job: job)).first)
    #expect(check.status == .warn && check.observed == 0.6)
    #expect(
      check.message == """
        3 of 5 charges (60 %) in the displayed price's currency were not at that price; most of p in control, 2 of 4: \
        9.5 USD for one, where 10 USD is displayed. 1 charge in other currencies could not be compared.
        """)
  }

  // MARK: - Outside

  @Test("Users in no offering are counted by what their events were logged with, beside the groups")
  func outside() async throws {
    func old(_ user: String, _ type: String, _ time: String, _ fields: [String: String] = [:]) -> String {
      event(type, time, ["userId": user].merging(fields) { $1 })
    }
    var world = World()
    world.events = [
      event("purchase", march(2), ["transactionId": "1"]), event("purchase", "2026-02-20T00:00:00Z"),
      old("o1", "paywall_view", march(2), ["testGroupId": "VAR2"]),
      old("o1", "purchase", march(3), ["transactionId": "1", "testGroupId": "VAR1"]),
      old("o1", "purchase", march(3), ["transactionId": "1", "testGroupId": "VAR1"]),
      old("o1", "refund", march(4), ["transactionId": "1", "price": "4"]),
      old("o2", "paywall_view", march(2), ["testGroupId": "VAR2"]),
      old("o3", "purchase", "2026-01-02T00:00:00Z", ["testGroupId": "VAR1", "price": "0"]),
      old("o4", "purchase", march(9)), old("o5", "purchase", march(9), ["environment": "Sandbox"]),
      old("o6", "purchase", "2026-04-01T00:00:00Z"),
    ]
    func rows(_ job: String) async throws -> [OutsideRow] {
      world.job = job
      let measured = try await world.measure(threads: 3)
      #expect(measured.setAside[.unassigned] == 7)
      return OutsideRow.rows(of: measured)
    }
    #expect(try await rows("").isEmpty)
    let found = try await rows("outside: true")
    world.events.reverse()
    let words = found.map { row in
      let sales = row.sales
      let name = "\(row.position.rawValue) \(row.offering?.text ?? "-") \(row.group?.text ?? "-")"
      return "\(name): \([sales.users, sales.payers, sales.charges]) \(sales.gross) \(sales.net) \(sales.proceeds)"
    }
    #expect(
      words == [
        "group test control: [1, 1, 1] 10000000 10000000 7000000", "outside - -: [1, 1, 1] 10000000 10000000 7000000",
        "outside - VAR1: [1, 0, 1] 0 0 0", "outside - VAR2: [2, 1, 1] 10000000 6000000 4200000",
      ])
    let again = try await rows("outside: true")
    #expect(again.map(\.sales) == found.map(\.sales))
    #expect(found[3].conversion == 0.5 && found[3].netPerUser == 3)
  }
}
