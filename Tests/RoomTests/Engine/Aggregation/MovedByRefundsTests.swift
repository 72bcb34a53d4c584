import Statistics
import Testing

@testable import Engine
@testable import Jobs
@testable import Measurement

@Suite("Metrics that no refund moves")
struct MovedByRefundsTests {
  /// Metrics whose users are not followed beyond their windows when money goes back.
  private static let unmoved = [
    "name: exposure", "name: initial_conversion", "name: paying_conversion", "name: subscription_conversion",
    "name: one_time_conversion", "name: trial_start_rate", "name: charges", "name: event_rate, event: refund",
    "name: event_count, event: purchase", "name: count_ratio, numerator: purchase, denominator: paywall_view",
  ]
  private static let moved = ["name: paying_conversion, kept: true", "name: revenue_net", "name: refund_rate"]

  private func sums(_ metric: String, isRefunded: Bool) async throws -> SufficientStatistics {
    var world = World()
    world.metrics = ["{\(metric), window: 7d, id: m}"]
    world.events = [
      event("paywall_view", march(1)), event("trial_start", march(1)),
      event("purchase", march(2), ["transactionId": "1"]),
    ]
    if isRefunded { world.events.append(event("refund", march(20), ["transactionId": "1", "price": ""])) }
    return try #require(try await world.measure().metric(0)).statistics
  }

  @Test("Come to the same whether a charge is taken back after the window or not", arguments: unmoved)
  func same(metric: String) async throws {
    let retained = try await sums(metric, isRefunded: false)
    #expect(retained.n == 1)
    #expect(try await sums(metric, isRefunded: true) == retained)
  }

  @Test("Others do not", arguments: moved)
  func others(metric: String) async throws {
    #expect(try await sums(metric, isRefunded: true) != (try await sums(metric, isRefunded: false)))
  }

  @Test("Those and no others say so")
  func said() {
    let names = Set(Self.unmoved.map { $0.split(separator: ",")[0].dropFirst("name: ".count) })
    for definition in MetricCatalog.all {
      let request = MetricRequest(name: definition.name, id: definition.name, line: 1)
      #expect(definition.isMovedByRefunds(request) == !names.contains(Substring(definition.name)), "\(definition.name)")
    }
  }
}
