import Foundation
import Testing

@testable import Domain
@testable import Simulation

/// One user's life: products of every kind, an assignment on 1 March 2026, and a cut-off.
struct Life {
  var events: [String]
  var asOf = "2026-06-01"
  var assignedAt = "2026-03-01T00:00:00Z"

  static let products = [
    "monthly,auto_renewable,P1M,P14D,,basic,30", "weekly,auto_renewable,P1W,,P6D,basic,7",
    "yearly,auto_renewable,P1Y,,,gold,400", "odd,auto_renewable,,,,,", "pass,non_renewing,P3D,,,,",
    "pass?,non_renewing,,,,,", "coins,consumable,,,,,5", "lamp,non_consumable,,,,,",
  ]

  func world(_ metric: String) -> World {
    var world = World()
    world.assignments = ["u1,test,control,\(assignedAt)"]
    world.events = events
    world.metrics = ["{\(metric)}"]
    world.productColumns = "product_id,kind,period,trial,grace,tier,credits"
    world.products = Self.products
    world.asOf = asOf
    return world
  }

  /// Σy and Σx of a metric over the one user, whatever the order of the lines.
  func sums(_ metric: String) async throws -> [Int128] {
    var world = world(metric)
    let found = try #require(try await world.measure().sums(0))
    world.events.reverse()
    let again = try #require(try await world.measure().sums(0))
    #expect([found.sumY, found.sumX] == [again.sumY, again.sumX], "another order of lines")
    return [found.sumY, found.sumX]
  }
}

/// A charge of a product; money is 10 unless `fields` say otherwise.
func charge(_ product: String, _ time: String, _ type: String = "purchase", _ fields: [String: String] = [:]) -> String
{
  event(type, time, ["productId": product].merging(fields) { $1 })
}

@Suite("What follows a trial, a one-time purchase, a first charge")
struct FollowingMetricTests {
  private let trial = event("trial_start", "2026-03-02T12:00:00Z", ["productId": "monthly"])

  @Test("A trial counts as no subscription until it is paid")
  func trialIsNoSubscription() async throws {
    let life = Life(events: [trial])
    #expect(try await life.sums("name: trial_to_paid, window: 7d") == [0, 1])
    #expect(try await life.sums("name: subscription_conversion, window: none") == [0, 0])
    #expect(try await life.sums("name: active_subscription") == [0, 0])
    #expect(try await life.sums("name: retention") == [0, 0])
    let paid = Life(events: [trial, charge("monthly", "2026-03-16T12:00:00Z", "renewal")])
    #expect(try await paid.sums("name: trial_to_paid, window: 7d") == [1, 1])
  }

  @Test(
    "A trial is paid by a charge after it and within its time, to the millisecond",
    arguments: [
      ("2026-03-02T12:00:00Z", 0), ("2026-03-02T12:00:00.001Z", 1), ("2026-03-18T12:00:00Z", 1),
      ("2026-03-18T12:00:00.001Z", 0), ("2026-03-01T12:00:00Z", 0),
    ])
  func within(time: String, expected: Int128) async throws {
    let life = Life(events: [trial, charge("weekly", time, "renewal")])
    #expect(try await life.sums("name: trial_to_paid, window: 7d") == [expected, 1])
    let free = Life(events: [trial, charge("weekly", time, "renewal", ["price": "0"])])
    #expect(try await free.sums("name: trial_to_paid, window: 7d") == [0, 1])
  }

  @Test("Immature trials are left out: one counts from the night its time is over")
  func immature() async throws {
    func at(_ asOf: String) async throws -> [Int128] {
      let paid = charge("monthly", "2026-03-16T12:00:00Z", "renewal")
      return try await Life(events: [trial, paid], asOf: asOf).sums("name: trial_to_paid, window: 7d")
    }
    #expect(try await at("2026-03-18T11:59:59.999Z") == [0, 0])
    #expect(try await at("2026-03-18T12:00:00Z") == [1, 1])
  }

  @Test("Of several trials a mature one makes the user count, and any paid one makes it paid")
  func several() async throws {
    let second = event("trial_start", "2026-03-20T12:00:00Z", ["productId": "weekly"])
    let paid = charge("weekly", "2026-03-21T12:00:00Z", "renewal")
    #expect(
      try await Life(events: [trial, second, paid], asOf: "2026-03-30").sums("name: trial_to_paid, window: none")
        == [0, 1])
    #expect(
      try await Life(events: [trial, second, paid], asOf: "2026-04-30").sums("name: trial_to_paid, window: none")
        == [1, 1])
    #expect(
      try await Life(events: [trial, second, paid], asOf: "2026-04-30").sums(
        "name: trial_to_paid, window: none, where: {products: [monthly]}") == [0, 1])
    // The trial lies in the window, its payment beyond.
    #expect(
      try await Life(events: [trial, charge("monthly", "2026-03-17T12:00:00Z", "renewal")]).sums(
        "name: trial_to_paid, window: 2d") == [1, 1])
    #expect(try await Life(events: [second, paid]).sums("name: trial_to_paid, window: 7d") == [0, 0])
  }

  @Test("One-time access counts as no subscription, and what follows the first one does")
  func oneTime() async throws {
    let pass = charge("pass", march(2), "one_time_purchase")
    let metric = "name: one_time_to_subscription, window: 7d"
    #expect(try await Life(events: [pass]).sums(metric) == [0, 1])
    #expect(try await Life(events: [pass]).sums("name: active_subscription") == [0, 0])
    #expect(try await Life(events: [pass]).sums("name: subscription_conversion, window: none") == [0, 0])
    let early = charge("monthly", march(1, "10:00:00"))
    let onTime = charge("monthly", "2026-04-01T12:00:00Z")
    let late = charge("monthly", "2026-04-01T12:00:00.001Z")
    #expect(try await Life(events: [pass, onTime]).sums(metric) == [1, 1])
    #expect(try await Life(events: [pass, late]).sums(metric) == [0, 1])
    #expect(try await Life(events: [pass, early]).sums(metric) == [0, 1])
    #expect(try await Life(events: [pass, onTime]).sums(metric + ", within: 14d") == [0, 1])
    #expect(try await Life(events: [pass], asOf: "2026-04-01T11:59:59.999Z").sums(metric) == [0, 0])
    #expect(try await Life(events: [pass], asOf: "2026-04-01T12:00:00Z").sums(metric) == [0, 1])
    // A second pass is not what the wait begins with.
    let second = charge("pass", march(6), "one_time_purchase", ["transactionId": "2"])
    let after = charge("monthly", "2026-04-02T12:00:00Z")
    #expect(try await Life(events: [pass, second, after]).sums(metric) == [0, 1])
  }

  @Test("A first charge is renewed by the end of its period and its grace")
  func renewal() async throws {
    // 31 January and a month are the 28th of February, and 16 days of grace the 16th of March.
    let first = charge("monthly", "2026-01-31T10:00:00Z")
    func renewed(_ time: String, _ type: String = "renewal", _ option: String = "", asOf: String = "2026-06-01")
      async throws -> [Int128]
    {
      try await Life(events: [first, charge("monthly", time, type)], asOf: asOf, assignedAt: "2026-01-01")
        .sums("name: renewal_rate, window: 60d\(option)")
    }
    #expect(try await renewed("2026-03-16T10:00:00Z") == [1, 1])
    #expect(try await renewed("2026-03-16T10:00:00.001Z") == [0, 1])
    #expect(try await renewed("2026-03-01T10:00:00Z", "purchase") == [1, 1])
    #expect(try await renewed("2026-03-01T10:00:00Z", asOf: "2026-03-16T09:59:59.999Z") == [0, 0])
    #expect(try await renewed("2026-03-01T10:00:00Z", asOf: "2026-03-16T10:00:00Z") == [1, 1])
    #expect(try await renewed("2026-03-03T10:00:00Z", "renewal", ", grace: 3d") == [1, 1])
    #expect(try await renewed("2026-03-03T10:00:00.001Z", "renewal", ", grace: 3d") == [0, 1])
    #expect(try await renewed("2026-02-28T10:00:00.001Z", "renewal", ", grace: 0d") == [0, 1])
    let upgrade = Life(events: [first, charge("yearly", "2026-02-10T00:00:00Z")], assignedAt: "2026-01-01")
    #expect(try await upgrade.sums("name: renewal_rate, window: 60d") == [1, 1])
    #expect(try await upgrade.sums("name: renewal_rate, window: 60d, where: {products: [monthly]}") == [0, 1])
  }

  @Test("Renewals of an older subscription make no first charge, and a length nobody tells cannot be due")
  func renewalOfWhat() async throws {
    let old = charge("weekly", "2026-02-20T00:00:00Z")
    let renewals = [charge("weekly", march(1, "00:00:00"), "renewal"), charge("weekly", march(8), "renewal")]
    // The first paid charge inside the window is a renewal of an older subscription; it is the one that is due.
    #expect(try await Life(events: [old] + renewals).sums("name: renewal_rate, window: 30d") == [1, 1])
    #expect(try await Life(events: [old]).sums("name: renewal_rate, window: 30d") == [0, 0])
    let free = charge("weekly", march(2), "purchase", ["price": "0"])
    #expect(try await Life(events: [free]).sums("name: renewal_rate, window: 30d") == [0, 0])
    #expect(try await Life(events: [charge("odd", march(2))]).sums("name: renewal_rate, window: 30d") == [0, 0])
    let reported = charge("odd", march(2), "purchase", ["expiresDate": march(9)])
    let next = charge("odd", march(25), "renewal")
    #expect(try await Life(events: [reported, next]).sums("name: renewal_rate, window: 30d") == [1, 1])
    #expect(try await Life(events: [reported, next]).sums("name: renewal_rate, window: 30d, grace: 15d") == [0, 1])
  }

  @Test("A purchase before the assignment is not the test's, but an older subscription may follow a trial")
  func beforeAssignment() async throws {
    let before = [charge("pass", "2026-02-27T00:00:00Z", "one_time_purchase"), charge("monthly", march(3))]
    #expect(try await Life(events: before).sums("name: one_time_to_subscription, window: none") == [0, 0])
    let early = event("trial_start", "2026-02-28T23:59:59.999Z", ["productId": "monthly"])
    #expect(
      try await Life(events: [early, charge("monthly", march(3), "renewal")]).sums(
        "name: trial_to_paid, window: none") == [0, 0])
    #expect(try await Life(events: [charge("monthly", "2026-02-28T00:00:00Z")]).sums("name: retention") == [0, 0])
  }
}

@Suite("Churn, credits, defaults")
struct CountingMetricTests {
  @Test(
    "Churn is involuntary where the expiry follows a failed renewal that nothing recovered",
    arguments: [
      (["billing_retry 10", "expire 20"], 1), (["expire 20"], 0), (["cancel 10", "expire 20"], 0),
      (["billing_retry 10", "billing_recovery 12", "expire 20"], 0),
      (["billing_retry 10", "billing_recovery 20", "expire 20"], 0),
      (["billing_retry 10", "billing_recovery 10", "expire 20"], 1),
      (["billing_retry 10", "billing_recovery 21", "expire 20"], 1),
      (["billing_retry 20", "expire 20"], 1), (["billing_retry 21", "expire 20"], 0),
      (["billing_retry 8", "billing_recovery 9", "billing_retry 10", "expire 20"], 1),
      (["billing_retry 8", "expire 9", "billing_recovery 10", "expire 20"], 1),
      (["billing_retry 10", "expire 35"], 1), (["billing_retry 30", "expire 92"], 1),
      (["billing_retry 31", "expire 35"], 0),
      (["billing_retry 10", "renewal 12", "expire 20"], 0), (["billing_retry 10", "renewal 20", "expire 20"], 0),
      (["billing_retry 10", "renewal 21", "expire 20"], 1),
    ] as [([String], Int128)])
  func involuntary(story: [String], expected: Int128) async throws {
    let events = story.map { Self.step($0) }
    let life = Life(events: events + [charge("weekly", march(2))])
    #expect(try await life.sums("name: involuntary_churn, window: 30d") == [expected, 1], "\(story)")
  }

  @Test("An expiry of another product is not what a failed renewal led to")
  func otherExpiries() async throws {
    let first = charge("weekly", march(2))
    func churn(_ steps: [String]) async throws -> [Int128] {
      try await Life(events: [first] + steps.map { Self.step($0) }).sums("name: involuntary_churn, window: 30d")
    }
    #expect(try await churn(["billing_retry 10", "expire 12 pass"]) == [0, 1])
    #expect(try await churn(["billing_retry 10", "expire 12 pass", "expire 13"]) == [1, 1])
    #expect(try await churn(["billing_retry 10", "expire 12 none"]) == [1, 1])
    #expect(try await churn(["billing_retry 10 none", "expire 12 pass"]) == [1, 1])
    let noSubscriber = ["billing_retry 10", "expire 12"].map { Self.step($0) }
    #expect(try await Life(events: noSubscriber).sums("name: involuntary_churn, window: 30d") == [0, 0])
  }

  @Test(
    "A failed renewal is settled by what comes first: recovered, expired, or 60 days old",
    arguments: [
      (["billing_retry 10"], "2026-05-08T23:59:59.999Z", [0, 0]), (["billing_retry 10"], "2026-05-09", [0, 1]),
      (["billing_retry 10", "billing_recovery 12"], "2026-03-13", [1, 1]),
      (["billing_retry 10", "renewal 12"], "2026-03-13", [1, 1]),
      (["billing_retry 10", "billing_recovery 10"], "2026-03-13", [1, 1]),
      (["billing_retry 10", "expire 12"], "2026-03-13", [0, 1]),
      (["billing_retry 10", "expire 12", "purchase 14"], "2026-06-13", [0, 1]),
      (["billing_retry 10", "expire 12 pass", "renewal 14"], "2026-06-13", [1, 1]),
      (["billing_retry 10", "renewal 70"], "2026-06-13", [1, 1]),
      (["billing_retry 10", "renewal 71"], "2026-06-13", [0, 1]),
      (["billing_retry 10", "expire 12", "billing_retry 20"], "2026-03-25", [0, 1]),
      (["billing_retry 10", "expire 12", "billing_retry 20", "renewal 22"], "2026-03-25", [1, 1]),
      (["billing_retry 31", "renewal 32"], "2026-06-13", [0, 0]), (["renewal 12"], "2026-06-13", [0, 0]),
    ] as [([String], String, [Int128])])
  func recovery(story: [String], asOf: String, expected: [Int128]) async throws {
    let life = Life(events: story.map { Self.step($0) }, asOf: asOf)
    #expect(try await life.sums("name: recovery_rate, window: 30d, immature: include") == expected, "\(story)")
  }

  /// `expire 12 pass` is that event on the 12th day from 1 March, of the product `weekly` unless it says another, or
  /// `none`.
  private static func step(_ step: String) -> String {
    let words = step.split(separator: " ").map(String.init)
    let day = (Int64(words[1]) ?? 0) - 1
    let start: Int64 = 1_772_323_200_000  // 2026-03-01
    let product = words.count < 3 ? "weekly" : words[2] == "none" ? "" : words[2]
    return event(
      words[0], Instant(milliseconds: start + day * Instant.millisecondsPerDay).rfc3339, ["productId": product])
  }

  @Test("Credits are granted by every charge that stands, none by one refunded in part")
  func credits() async throws {
    let events = [
      charge("monthly", march(2), "purchase", ["transactionId": "1"]),
      charge("weekly", march(3), "purchase", ["transactionId": "2"]),
      charge("coins", march(4), "one_time_purchase"), charge("pass", march(4), "one_time_purchase"),
      charge("monthly", "2026-02-27T00:00:00Z"), charge("monthly", "2026-03-31T00:00:00Z"),
    ]
    let metric = "name: credits_granted, window: 30d"
    #expect(try await Life(events: events).sums(metric) == [42, 0])
    let refund = event("refund", march(20), ["transactionId": "1", "price": "0.01"])
    #expect(try await Life(events: events + [refund]).sums(metric) == [12, 0])
    let back = event("refund_reversal", march(21), ["transactionId": "1"])
    #expect(try await Life(events: events + [refund, back]).sums(metric) == [42, 0])
    #expect(try await Life(events: events).sums(metric + ", cap: {value: 40}") == [40, 0])
    #expect(try await Life(events: events).sums(metric + ", where: {tiers: [basic]}") == [37, 0])
  }

  @Test("No sale and no credit is counted twice when its receipt is retried")
  func retried() async throws {
    let sale = charge("monthly", march(2), "purchase", ["transactionId": "1"])
    let retry = charge("monthly", march(5), "purchase", ["transactionId": "1", "eventId": "again"])
    #expect(try await Life(events: [sale, retry]).sums("name: credits_granted, window: none") == [30, 0])
  }

  @Test("The first charge is held against what the group's paywall had preselected")
  func defaults() async throws {
    func uptake(_ events: [String], group: String = "control") async throws -> [Int128] {
      let folder = try TemporaryFolder()
      var world = Life(events: events).world("name: default_uptake, window: 7d")
      world.assignments = ["u1,test,\(group),2026-03-01"]
      world.job = "catalog: {offerings: o.csv, groups: g.csv, products: p.csv}"
      try world.write(to: folder)
      try folder.write("o.csv", "id,offering_id\n1,test\n2,other\n")
      try folder.write(
        "g.csv", "id,subscription_offering_id,group_name\n1,1,control\n2,1,a\n3,2,control\n4,1,b\n")
      try folder.write(
        "p.csv",
        "offering_group_id,product_id,type,is_default\n1,monthly,monthly,1\n1,weekly,weekly,0\n2,weekly,weekly,true\n"
          + "3,yearly,yearly,1\n2,nobody-bought-it,weekly,1\n")
      let sums = try await World.measure(folder.path("job.yml"), asOf: "2026-06-01", threads: 1)
        .sums(0, group: Identifier(group))
      return [try #require(sums).sumY, try #require(sums).sumX]
    }
    let monthlyFirst = [charge("monthly", march(2)), charge("weekly", march(3))]
    #expect(try await uptake(monthlyFirst) == [1, 1])
    #expect(try await uptake(monthlyFirst, group: "a") == [0, 1])
    #expect(try await uptake(monthlyFirst.reversed()) == [1, 1])
    #expect(try await uptake([charge("weekly", march(2))], group: "a") == [1, 1])
    #expect(try await uptake([charge("weekly", march(2))], group: "b") == [0, 1])
    #expect(try await uptake([charge("yearly", march(2))]) == [0, 1])
    #expect(try await uptake([charge("monthly", march(9))]) == [0, 0])
  }
}
