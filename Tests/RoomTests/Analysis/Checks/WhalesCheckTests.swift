import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// `whales`: ten users who make half of a group's money.
struct WhalesCheckTests {
  private func checks(_ largest: [Int128], _ total: Int128) throws -> [Check] {
    func group(_ id: Identifier, _ values: [Int128], _ sum: Int128) -> GroupMeasurement {
      var metric = MetricMeasurement(
        statistics: SufficientStatistics(n: 1_000, sumY: sum, sumYY: sum * 1_000_000_000))
      metric.largest = values
      return HandMade.group(id, users: 1_000, metric)
    }
    let offering = HandMade.offering(group("control", [1_000_000], 90_000_000), group("b", largest, total))
    return try HandMade.night(offering, metrics: [HandMade.revenue]).checks(named: "whales")
  }

  @Test("Half of a group's sum warns, and names the group and what to write")
  func half() throws {
    let check = try #require(try checks(Array(repeating: 5_000_000, count: 10), 100_000_000).first)
    #expect(check.status == .warn && check.observed == 0.5 && check.subject == "metric revenue_net_30d")
    #expect(check.message.hasPrefix("revenue_net_30d: ten users make 50 % of b's sum. Who "))
    #expect(check.message.contains("cap:"))
  }

  @Test("Less passes, and a metric of which the largest are not kept has no row")
  func less() throws {
    #expect(try checks(Array(repeating: 4_900_000, count: 10), 100_000_000).map(\.status) == [.pass])
    var offering = HandMade.offering(
      HandMade.group("control", users: 1_000, HandMade.money(50, paying: 10, of: 1_000)),
      HandMade.group("b", users: 1_000, HandMade.money(60, paying: 10, of: 1_000)))
    offering.assignedUsers = 2_000
    #expect(try HandMade.night(offering, metrics: [HandMade.revenue]).checks(named: "whales").isEmpty)
  }
}
