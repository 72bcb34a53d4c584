import Statistics
import Testing

@testable import Analysis
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// Metrics that are quantiles of users' values.
struct QuantileMetricTests {
  private func metric(zeros: Bool = false, q: Double = 0.5) -> MeasuredMetric {
    var metric = HandMade.metric("revenue_p50", .mean, scale: 1_000_000, primary: true)
    metric.request.quantile = MetricRequest.Quantile(of: "revenue_net", q: q, includesZeros: zeros)
    metric.quantile = metric.request.quantile
    return metric
  }

  /// Users by what each paid, in units of the currency.
  private func measured(_ users: [Int128: Int]) -> MetricMeasurement {
    var measured = MetricMeasurement()
    for (units, count) in users {
      let added = measured.statistics.add(y: units * 1_000_000, count: Int128(count))
      #expect(added)
      measured.values.append(ValueCount(y: units * 1_000_000, x: 0, users: count))
    }
    return measured
  }

  /// 200 users who paid 0, and as many as there are steps who paid 1, 2, 3 … times `unit`.
  private func ladder(_ steps: Int128, unit: Int128) -> MetricMeasurement {
    measured(Dictionary(uniqueKeysWithValues: [(0, 200)] + (1...steps).map { ($0 * unit, 1) }))
  }

  private func night(_ a: MetricMeasurement, _ b: MetricMeasurement, _ metric: MeasuredMetric) throws -> NightResult {
    try HandMade.night(
      HandMade.offering(HandMade.group("control", users: 600, a), HandMade.group("group_a", users: 600, b)),
      metrics: [metric])
  }

  @Test("The median of those who paid, with its interval from ranks")
  func medianThosePaid() throws {
    let night = try night(ladder(400, unit: 1), ladder(400, unit: 2), metric())
    let row = night.groupMetrics[0]
    #expect(row.kind == .quantile)
    #expect(row.users == 400)
    #expect(row.value == 200)
    // Ranks 200 ± 1.95996·√(400/4) are 180.4 and 219.6: the 181st and the 220th.
    #expect(row.interval == Interval(181, 220))
    #expect(abs(try #require(row.standardError) - 39 / (2 * 1.959963984540054)) < 1e-9)
  }

  @Test("With zeros everybody is ranked")
  func zerosEverybodyRanked() throws {
    let night = try night(ladder(400, unit: 1), ladder(400, unit: 2), metric(zeros: true))
    #expect(night.groupMetrics.map(\.users) == [600, 600])
    #expect(night.groupMetrics.map(\.value) == [100, 200])
  }

  @Test("Quantiles are held apart by the intervals their ranks imply")
  func quantilesComparedErrors() throws {
    let night = try night(ladder(400, unit: 1), ladder(400, unit: 2), metric())
    let row = try night.comparison("group_a", metric())
    #expect(row.test == "quantile")
    #expect(row.lift == 1)
    #expect(row.decision == .better)
    // SciPy: 4·min over w of max(binom.sf(w − 1, 400, ½), binom.cdf(w // 2, 400, ½)).
    #expect(abs(try #require(row.pValue) / 3.8286342324916085e-11 - 1) < 1e-10)
    #expect(night.verdicts[0].decision == .better)
  }

  @Test("Fewer than 100 ranked users decide nothing")
  func fewer100Ranked() throws {
    let night = try night(ladder(400, unit: 1), ladder(99, unit: 8), metric())
    #expect(try night.comparison("group_a", metric()).decision == .tooEarly)
    #expect(night.checks(named: "small_counts")[0].observed == 99)
    #expect(night.checks(named: "maturity")[0].message.hasPrefix("revenue_p50: the window of 0 of 899 users"))
  }

  @Test("What ranks cannot tell is empty and a check says why")
  func ranksCannotTell() throws {
    func notComputable(_ a: MetricMeasurement, _ b: MetricMeasurement, q: Double = 0.5) throws -> NotComputable? {
      try night(a, b, metric(q: q)).comparison("group_a", metric()).notComputable
    }
    #expect(try notComputable(measured([0: 500]), ladder(100, unit: 1)) == .nothingRanked)
    #expect(try notComputable(ladder(10, unit: 1), ladder(100, unit: 1), q: 0.999) == .fewRanks)
    #expect(try notComputable(measured([8: 500]), measured([8: 300])) == .noSpread)
    #expect(try notComputable(measured([8: 500]), ladder(500, unit: 1)) == nil)
  }

  @Test("A table of sums has no line for a quantile")
  func tableSumsLine() throws {
    let night = try night(ladder(400, unit: 1), ladder(400, unit: 2), metric())
    #expect(night.statistics.isEmpty)
    #expect(
      String(decoding: CSVExporter.bytes(of: GroupMetricsTable().table(of: night)), as: UTF8.self)
        .contains(",revenue_p50,quantile,7,400,0,80200.000000,400,200,"))
  }

  @Test("Revenue per user, not its quantile, leads where prices differ")
  func revenuePerUser() throws {
    var offering = HandMade.offering(
      HandMade.group("control", users: 600, ladder(400, unit: 1), HandMade.money(200, paying: 9, of: 600)),
      HandMade.group("group_a", users: 600, ladder(400, unit: 2), HandMade.money(200, paying: 9, of: 600)))
    offering.priceDifference = .displayed
    let night = try HandMade.night(offering, metrics: [metric(), HandMade.revenue])
    #expect(night.verdicts[0].decision == .inconclusive)
  }
}
