import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Measurement
@testable import Publishing

/// Comparisons adjusted by what users did before (CUPED).
struct CovariateTests {
  /// Users by (before, after), as their sums; units of the currency.
  private func sums(_ users: [(c: Int128, y: Int128, count: Int128)]) -> MetricMeasurement {
    var sums = SufficientStatistics()
    for user in users {
      let added = sums.add(y: user.y * 1_000_000, c: user.c * 1_000_000, count: user.count)
      #expect(added)
    }
    return MetricMeasurement(statistics: sums)
  }

  private var metric: MeasuredMetric {
    var metric = HandMade.revenue
    metric.request.covariateMilliseconds = 30 * Instant.millisecondsPerDay
    return metric
  }

  /// The past foretells most of what is paid; group_a pays a little more than its past says.
  private var night: NightResult {
    get throws {
      try HandMade.night(
        HandMade.offering(
          HandMade.group(
            "control", users: 400, sums([(0, 0, 200), (10, 10, 100), (10, 12, 50), (20, 21, 50)])),
          HandMade.group(
            "group_a", users: 400, sums([(0, 0, 195), (10, 11, 105), (10, 13, 45), (20, 22, 55)]))),
        metrics: [metric])
    }
  }

  @Test("Means are adjusted by one theta over all groups, and the group's own value is not")
  func meansAdjustedOne() throws {
    let row = try night.comparison("group_a", metric)
    // numpy: theta = cov(y, c)/var(c) over the 800 users; means less theta·(group's c̄ − c̄ of all).
    let theta = try #require(row.cupedTheta)
    #expect(abs(theta - 1.0864197530864197) < 1e-12)
    #expect(abs(try #require(row.baselineValue) - (6.625 + theta * 0.125)) < 1e-12)
    #expect(abs(try #require(row.value) - (7.375 - theta * 0.125)) < 1e-12)
    #expect(try night.groupMetrics.map { try #require($0.value) } == [6.625, 7.375])
  }

  @Test("An adjusted comparison finds what a plain one misses")
  func adjustedComparisonFinds() throws {
    var plain = metric
    plain.request.covariateMilliseconds = nil
    let adjusted = try #require(try night.comparison("group_a", metric).pValue)
    #expect(adjusted < 1e-6)
    let check = try #require(try night.checks(named: "cuped").first)
    #expect(check.status == .pass)
    #expect(try #require(check.observed) > 0.95)
    #expect(check.message.hasPrefix("revenue_net_30d: adjusting by what users did in the 30 days before takes 9"))
  }

  @Test("A past that is the same for everybody leaves the plain comparison, and says so")
  func pastSameEverybody() throws {
    let offering = HandMade.offering(
      HandMade.group("control", users: 400, HandMade.money(100, paying: 10, of: 400)),
      HandMade.group("group_a", users: 400, HandMade.money(120, paying: 10, of: 400)))
    let night = try HandMade.night(offering, metrics: [metric])
    let row = try night.comparison("group_a", metric)
    #expect(row.cupedTheta == nil)
    #expect(row.value == 3)
    #expect(night.checks(named: "cuped").map(\.status) == [.warn])
  }

  @Test("Ratios are adjusted through their linearised quantity")
  func ratiosAdjustedThrough() throws {
    var ratio = HandMade.metric("refund_rate_7d", .ratio)
    ratio.request.covariateMilliseconds = Instant.millisecondsPerDay
    func group(_ id: Identifier, _ refunded: Int128) -> GroupMeasurement {
      var sums = SufficientStatistics()
      for (y, x, c, count) in [(0, 1, 0, 300), (1, 2, 1, refunded), (2, 2, 2, refunded)]
        as [(Int128, Int128, Int128, Int128)]
      {
        let added = sums.add(y: y, x: x, c: c, count: count)
        #expect(added)
      }
      return HandMade.group(id, users: 400, MetricMeasurement(statistics: sums))
    }
    let night = try HandMade.night(
      HandMade.offering(group("control", 50), group("group_a", 60)), metrics: [ratio])
    let row = try night.comparison("group_a", ratio)
    #expect(row.cupedTheta != nil)
    #expect(try #require(night.checks(named: "cuped").first?.observed) > 0.5)
  }

  @Test("A proportion with small counts keeps its exact test")
  func proportionSmallCounts() throws {
    var metric = HandMade.conversion
    metric.request.covariateMilliseconds = Instant.millisecondsPerDay
    func group(_ id: Identifier, _ converted: Int128) -> GroupMeasurement {
      let sums = SufficientStatistics(
        n: 500, sumY: converted, sumYY: converted, sumC: 20, sumCC: 20, sumYC: 1)
      return HandMade.group(id, users: 500, MetricMeasurement(statistics: sums))
    }
    let night = try HandMade.night(
      HandMade.offering(group("control", 1), group("group_a", 4)), metrics: [metric])
    let row = try night.comparison("group_a", metric)
    #expect(row.test == "fisher")
    #expect(row.cupedTheta == nil)
    #expect(row.value == 0.008)
  }

  @Test("A table with the covariate's sums is adjusted as the run was")
  func tableCovariateSums() throws {
    let sums = CSVExporter.bytes(of: SufficientStatisticsTable().table(of: try night))
    var arguments = AnalyzeArguments(name: "sums.csv")
    arguments.decideBy = "fixed"
    let analyzed = try AnalyzeTable(sums, arguments: arguments)
    #expect(analyzed.comparisons.first?.pValue == (try night.comparison("group_a", metric).pValue))
    #expect(analyzed.comparisons.first?.cupedTheta == (try night.comparison("group_a", metric).cupedTheta))
    #expect(analyzed.checks.map(\.name) == ["small_counts", "pre_period_balance", "cuped"])
  }
}
