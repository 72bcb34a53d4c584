import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement

/// Comparisons stratified by an attribute.
struct StratificationTests {
  private var metric: MeasuredMetric {
    var metric = HandMade.conversion
    metric.request.stratify = .attribute("country")
    return metric
  }

  /// Conversions of so many users, by country.
  private func group(_ id: Identifier, _ countries: [(Identifier, Int128, of: Int128)]) -> GroupMeasurement {
    let segments = countries.map { country, converted, users in
      SegmentMeasurement(
        id: country, users: Int(users), metrics: [HandMade.proportion(converted, of: users)])
    }
    let users = countries.reduce(0) { $0 + $1.of }
    let everybody = SegmentMeasurement(
      id: "all", users: Int(users), metrics: [HandMade.proportion(countries.reduce(0) { $0 + $1.1 }, of: users)])
    return GroupMeasurement(
      id: id, assignedUsers: Int(users), measuredUsers: Int(users), segments: [everybody] + segments)
  }

  private func night(_ groups: GroupMeasurement...) throws -> NightResult {
    var offering = HandMade.offering()
    offering.groups = groups
    offering.assignedUsers = groups.reduce(0) { $0 + $1.assignedUsers }
    return try HandMade.night(offering, metrics: [metric])
  }

  @Test("Chance differences in mix are taken out of the effect")
  func chanceDifferencesMix() throws {
    // Both countries convert alike in both groups; only the mix differs.
    let night = try night(
      group("control", [("country=DE", 40, of: 400), ("country=US", 300, of: 600)]),
      group("group_a", [("country=DE", 60, of: 600), ("country=US", 200, of: 400)]))
    let row = try night.comparison("group_a", metric)
    #expect(abs(try #require(row.baselineValue) - 0.3) < 1e-12)
    #expect(abs(try #require(row.difference)) < 1e-12)
    #expect(try #require(row.pValue) > 0.999)
    #expect(try night.groupMetrics.filter { $0.key.segment == "all" }.map { try #require($0.value) } == [0.34, 0.26])
  }

  @Test("The error is that of the strata, weighted by their share of all users")
  func errorStrataWeighted() throws {
    let row = try night(
      group("control", [("country=DE", 40, of: 400), ("country=US", 300, of: 600)]),
      group("group_a", [("country=DE", 60, of: 400), ("country=US", 320, of: 600)])
    ).comparison("group_a", metric)
    // Σ wₛ²·p(1 − p)/(nₛ − 1) over both groups and countries, wₛ = 0.4 and 0.6.
    func part(_ w: Double, _ p: Double, _ n: Double) -> Double { w * w * p * (1 - p) / (n - 1) }
    let variance =
      part(0.4, 0.1, 400) + part(0.4, 0.15, 400) + part(0.6, 0.5, 600) + part(0.6, 320.0 / 600, 600)
    let interval = try #require(row.differenceInterval)
    #expect(abs((interval.high - interval.low) / 2 - 1.9610 * variance.squareRoot()) < 2e-5)
  }

  @Test("Segments themselves are compared plainly")
  func segmentsThemselvesCompared() throws {
    let night = try night(
      group("control", [("country=DE", 40, of: 400), ("country=US", 300, of: 600)]),
      group("group_a", [("country=DE", 60, of: 600), ("country=US", 200, of: 400)]))
    #expect(night.comparisons.filter { $0.key.segment != "all" }.map(\.value) == [0.1, 0.5])
  }

  @Test("A stratum that lacks a group's users leaves nothing to compute, and a check says so")
  func stratumLacksGroup() throws {
    let night = try night(
      group("control", [("country=DE", 40, of: 400), ("country=US", 300, of: 600)]),
      group("group_a", [("country=DE", 60, of: 400)]))
    let row = try night.comparison("group_a", metric)
    #expect(row.notComputable == .emptyStratum)
    #expect(row.pValue == nil)
    #expect(row.value == nil)
    let check = try #require(night.checks(named: "not_computable").first)
    #expect(check.status == .warn)
    #expect(check.message.contains("a stratum has no mature user of a group"))
  }

  @Test("A stratum with a single user has no error")
  func stratumSingleUser() throws {
    let row = try night(
      group("control", [("country=DE", 40, of: 400), ("country=US", 1, of: 1)]),
      group("group_a", [("country=DE", 60, of: 400), ("country=US", 20, of: 40)])
    ).comparison("group_a", metric)
    #expect(row.notComputable == .thinStratum)
    #expect(row.difference != nil)
    #expect(row.pValue == nil)
  }
}
