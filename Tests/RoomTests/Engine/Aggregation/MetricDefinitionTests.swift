import Foundation
import Statistics
import Testing

@testable import Engine
@testable import Measurement

@Suite("Metrics")
struct MetricDefinitionTests {
  /// The sums of one metric over users u1, u2 … of one group.
  private func sums(_ metric: String, _ events: [String], users: Int = 3, _ change: (inout World) -> Void = { _ in })
    async throws
    -> SufficientStatistics
  {
    try await metricOf(metric, events, users: users, change).statistics
  }

  private func metricOf(
    _ metric: String, _ events: [String], users: Int = 3, _ change: (inout World) -> Void = { _ in }
  ) async throws -> MetricMeasurement {
    var world = World()
    world.assignments = (1...users).map { "u\($0),test,control,2026-03-01T00:00:00Z" }
    world.events = events
    world.metrics = ["{\(metric)}"]
    world.job = "event_types: [scan]"
    change(&world)
    return try #require(try await world.measure().metric(0))
  }

  private func of(_ user: Int, _ type: String, _ fields: [String: String] = [:], at time: String = march(2)) -> String {
    event(type, time, ["userId": "u\(user)"].merging(fields) { $1 })
  }

  /// What several kinds of users did: u1 everything, u2 free things only, u3 nothing.
  private var events: [String] {
    [
      of(1, "paywall_view"), of(1, "paywall_view", at: march(3)), of(1, "trial_start"),
      of(1, "purchase", ["transactionId": "1"]),
      of(1, "renewal", ["transactionId": "2", "price": "5"], at: march(9)),
      of(1, "one_time_purchase", ["productId": "q", "price": "3"]),
      of(1, "refund", ["transactionId": "1"], at: march(10)), of(1, "scan"), of(1, "scan", at: march(3)),
      of(1, "cancel"),
      of(2, "trial_start"), of(2, "purchase", ["price": "0", "transactionId": "3"]), of(2, "scan"),
    ]
  }

  @Test(
    "Each metric takes its quantity of every user",
    arguments: [
      // n, Σy, Σy², Σx, Σx², Σxy; money in millionths.
      ("name: exposure", [3, 1, 1, 0, 0, 0]), ("name: initial_conversion", [3, 2, 2, 0, 0, 0]),
      ("name: paying_conversion", [3, 1, 1, 0, 0, 0]), ("name: paying_conversion, kept: true", [3, 1, 1, 0, 0, 0]),
      ("name: subscription_conversion", [3, 1, 1, 0, 0, 0]), ("name: one_time_conversion", [3, 1, 1, 0, 0, 0]),
      ("name: trial_start_rate", [3, 2, 2, 0, 0, 0]),
      ("name: revenue_gross", [3, 18_000_000, 324_000_000_000_000, 0, 0, 0]),
      ("name: revenue_net", [3, 8_000_000, 64_000_000_000_000, 0, 0, 0]),
      ("name: proceeds", [3, 5_600_000, 31_360_000_000_000, 0, 0, 0]), ("name: charges", [3, 4, 10, 0, 0, 0]),
      ("name: revenue_gross_per_payer", [3, 18_000_000, 324_000_000_000_000, 1, 1, 18_000_000]),
      ("name: revenue_net_per_payer", [3, 8_000_000, 64_000_000_000_000, 1, 1, 8_000_000]),
      ("name: proceeds_per_payer", [3, 5_600_000, 31_360_000_000_000, 1, 1, 5_600_000]),
      ("name: refund_rate", [3, 1, 1, 4, 10, 3]), ("name: event_rate, event: scan", [3, 2, 2, 0, 0, 0]),
      ("name: event_count, event: scan", [3, 3, 5, 0, 0, 0]), ("name: event_count, event: refund", [3, 1, 1, 0, 0, 0]),
      ("name: event_rate, event: purchase", [3, 2, 2, 0, 0, 0]),
      ("name: event_rate, event: cancel", [3, 1, 1, 0, 0, 0]),
      ("name: count_ratio, numerator: purchase, denominator: scan", [3, 2, 2, 3, 5, 3]),
    ] as [(String, [Int128])])
  func quantities(metric: String, expected: [Int128]) async throws {
    let found = try await sums(metric, events)
    #expect([found.n, found.sumY, found.sumYY, found.sumX, found.sumXX, found.sumXY] == expected)
    let windowed = try await sums(metric + ", window: 30d", events)
    #expect(windowed == found)
  }

  @Test("Kept conversion asks that some of the money stayed")
  func retained() async throws {
    let charge = of(1, "purchase", ["transactionId": "1"])
    let refund = of(1, "refund", ["transactionId": "1"], at: march(3))
    let part = of(1, "refund", ["transactionId": "1", "price": "9.999999"], at: march(3))
    #expect(try await sums("name: paying_conversion", [charge, refund]).sumY == 1)
    #expect(try await sums("name: paying_conversion, kept: true", [charge, refund]).sumY == 0)
    #expect(try await sums("name: paying_conversion, kept: true", [charge, part]).sumY == 1)
  }

  @Test("A window is half open: a charge at its start counts, one at its end does not")
  func window() async throws {
    let times = [
      "2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00Z", "2026-03-07T23:59:59.999Z", "2026-03-08T00:00:00Z",
    ]
    let events = times.map { of(1, "purchase", at: $0) }
    #expect(try await sums("name: charges, window: 7d", events).sumY == 2)
    #expect(try await sums("name: charges, window: 168h", events).sumY == 2)
    #expect(try await sums("name: charges, window: none", events).sumY == 3)
  }

  @Test("A refund counts for the window of its charge, however late it comes")
  func lateRefund() async throws {
    let events = [of(1, "purchase", ["transactionId": "1"]), of(1, "refund", ["transactionId": "1"], at: march(30))]
    #expect(try await sums("name: revenue_net, window: 7d", events).sumY == 0)
    #expect(try await sums("name: refund_rate, window: 7d", events).sumY == 1)
  }

  @Test("A user whose window has not ended at the cut-off is left out, unless the metric includes it")
  func maturity() async throws {
    func at(_ asOf: String, _ more: String = "") async throws -> [Int128] {
      let found = try await metricOf("name: charges, window: 7d\(more)", [of(1, "purchase")]) { $0.asOf = asOf }
      return [found.statistics.n, found.statistics.sumY, Int128(found.immature)]
    }
    #expect(try await at("2026-03-08T00:00:00Z") == [3, 1, 0])
    #expect(try await at("2026-03-07T23:59:59.999Z") == [0, 0, 3])
    #expect(try await at("2026-03-07T23:59:59.999Z", ", immature: include").prefix(2) == [3, 1])
    #expect(try await at("2026-03-02T12:00:00Z", ", immature: include").prefix(2) == [3, 0])
  }

  @Test("where lets through what all its lists name")
  func filters() async throws {
    let events = [
      of(1, "purchase", ["productId": "a", "price": "1"]), of(1, "purchase", ["productId": "b", "price": "2"]),
      of(1, "one_time_purchase", ["productId": "c", "price": "4"]),
      of(1, "one_time_purchase", ["productId": "d", "price": "8"]),
    ]
    func units(_ filter: String) async throws -> Int128 {
      let found = try await sums("name: revenue_gross, where: {\(filter)}", events) { world in
        world.products = ["a,auto_renewable,gold,,", "b,auto_renewable,,,", "c,consumable,gold,,"]
      }
      return found.sumY / 1_000_000
    }
    #expect(try await units("products: [a, c]") == 5)
    #expect(try await units("kinds: [auto_renewable]") == 3)
    #expect(try await units("kinds: [consumable, non_renewing]") == 12)
    #expect(try await units("tiers: [gold]") == 5)
    #expect(try await units("tiers: [gold], kinds: [consumable]") == 4)
    #expect(try await units("products: [a, b], tiers: [gold]") == 1)
    #expect(try await units("products: [zzz]") == 0)
  }

  @Test("A value cap cuts each user's quantity")
  func valueCap() async throws {
    let events = [of(1, "purchase"), of(1, "purchase"), of(2, "purchase", ["price": "7.5"])]
    #expect(try await sums("name: revenue_gross, cap: {value: 12.5}", events).sumY == 20_000_000)
    #expect(try await sums("name: revenue_gross, cap: {value: 12.5}", events).sumYY == 212_500_000_000_000)
    #expect(try await sums("name: charges, cap: {value: 1}", events).sumY == 2)
    let ratio = try await sums("name: revenue_gross_per_payer, cap: {value: 12.5}", events)
    #expect([ratio.sumY, ratio.sumX, ratio.sumXY] == [20_000_000, 2, 20_000_000])
  }

  @Test("A percentile cap is the nearest rank among users with a value above 0, over all groups")
  func percentileCap() async throws {
    func capped(_ percentile: String) async throws -> [Int128] {
      var world = World()
      world.assignments = (1...14).map { "u\($0),test,\($0 % 2 == 0 ? "control" : "a"),2026-03-01" }
      // u1 to u10 pay 1 to 10; u11 to u14 nothing.
      world.events = (1...10).map { of($0, "purchase", ["price": "\($0)"]) } + [of(11, "purchase", ["price": "0"])]
      world.metrics = ["{name: revenue_gross, window: none, cap: {percentile: \(percentile)}}"]
      let found = try await world.measure()
      let both = [found.sums(0, group: "a"), found.sums(0, group: "control")].compactMap(\.self)
      #expect(both.map(\.n) == [7, 7])
      return both.map { $0.sumY / 1_000_000 }
    }
    #expect(try await capped("100") == [25, 30])
    #expect(try await capped("90") == [25, 29])
    #expect(try await capped("90.000001") == [25, 30])
    #expect(try await capped("50") == [19, 21])
    #expect(try await capped("0.000001") == [5, 5])
  }

  @Test("Ranks are counted exactly")
  func nearestRank() {
    let users: [Int128: Int] = [10: 3, 20: 1, 5: 6]
    for (percent, expected) in [(1, 5), (60, 5), (61, 10), (90, 10), (91, 20), (100, 20)] as [(Int128, Int128)] {
      #expect(MeasurementBuilder.nearestRank(users, numerator: percent, denominator: 100) == expected, "\(percent)")
    }
    #expect(MeasurementBuilder.nearestRank([:], numerator: 1, denominator: 2) == nil)
  }

  @Test("Every metric of the catalog has a name of its own and is found by it")
  func catalog() {
    #expect(Set(MetricCatalog.all.map(\.name)).count == MetricCatalog.all.count)
    for metric in MetricCatalog.all { #expect(MetricCatalog.metric(named: metric.name)?.name == metric.name) }
    #expect(MetricCatalog.metric(named: "nothing") == nil)
  }
}
