import Testing

@testable import Domain
@testable import Engine
@testable import Jobs

@Suite("Metrics that need a charge")
struct NeedsChargeTests {
  /// Every metric that can be asked for without tables of the offerings, by the words that ask for it.
  private var metrics: [String] {
    let options = [
      "tier_up": "tiers: [low, high]", "event_rate": "event: trial_start", "event_count": "event: trial_start",
      "count_ratio": "numerator: trial_start, denominator: paywall_view", "credits_balance": "spent_by: paywall_view",
    ]
    return MetricCatalog.all.filter { $0.name != "default_uptake" }.map { metric in
      (["name: \(metric.name)"] + [options[metric.name]].compactMap(\.self)).joined(separator: ", ")
    }
  }

  @Test("Take nothing of a user who did everything but pay, and others take something")
  func everythingButPay() async throws {
    let folder = try TemporaryFolder()
    var world = World()
    world.metrics = metrics.map { "{\($0)}" }
    let path = try world.write(to: folder)
    let plan = try await RunInParts(JobReader.read(path), cutoff: try Instant(world.asOf, timezone: .gmt)).plan
    let start = try Instant("2026-03-01", timezone: .gmt).milliseconds
    let history = UserHistory(facts: plan.history.facts, cutoff: plan.cutoff)
    let types = EventType.builtIn.indices.map { EventType(code: UInt16($0)) }.filter { !$0.isCharge }
    for (hours, type) in zip(1..., types + types) {
      let time = start + Int64(hours) * 3_600_000
      history.append(UserHistory.Event(time: time, type: type, product: Interner.none, kind: nil))
    }
    let group = GroupKey(offering: 0, group: 0)
    var moved: [String] = []
    for metric in plan.metrics {
      let window = try #require(metric.window(from: start))
      let quantity = metric.quantity(of: UserInGroup(history: history, group: group), in: window)
      if metric.needsCharge { #expect(quantity == metric.idleQuantity, "\(metric.measured.request.name)") }
      if quantity != metric.idleQuantity { moved.append(metric.measured.request.name) }
    }
    #expect(moved.contains("exposure") && moved.contains("initial_conversion"))
    #expect(plan.metrics.count(where: \.needsCharge) > 15)
  }
}
