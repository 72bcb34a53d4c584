import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// Whether groups were alike before the test.
struct BalanceCheckTests {
  /// 1,000 users of whom so many converted before, and 100 after.
  private func group(_ id: Identifier, before: Int128) -> GroupMeasurement {
    let sums = SufficientStatistics(
      n: 1000, sumY: 100, sumYY: 100, sumC: before, sumCC: before, sumYC: 50)
    return HandMade.group(id, users: 1000, MetricMeasurement(statistics: sums))
  }

  private func checks(_ others: Int128...) throws -> [Check] {
    var metric = HandMade.metric("charges_7d", .mean)
    metric.request.covariateMilliseconds = Instant.millisecondsPerDay
    var offering = HandMade.offering(group("control", before: 100))
    for (index, before) in others.enumerated() {
      offering.groups.append(group(Identifier("group_\(index)"), before: before))
    }
    return try HandMade.night(offering, metrics: [metric]).checks(named: "pre_period_balance")
  }

  @Test("Groups that were alike pass, one that was not warns and keeps the figures")
  func groupsAlikePass() throws {
    let checks = try checks(110, 160)
    #expect(checks.map(\.status) == [.pass, .warn])
    #expect(checks.map(\.subject) == ["metric charges_7d, group group_0", "metric charges_7d, group group_1"])
    #expect(try #require(checks[1].pValue) < 0.001)
    #expect(checks[1].message.contains("differed before the test began"))
  }

  @Test("Metrics without a covariate have no such check")
  func metricsWithoutCovariate() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 500, HandMade.proportion(20, of: 500)),
      HandMade.group("group_a", users: 500, HandMade.proportion(20, of: 500)))
    let night = try HandMade.night(offering, metrics: [HandMade.conversion])
    #expect(night.checks(named: "pre_period_balance").isEmpty)
  }
}
