import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement
@testable import Publishing

/// Means and ratios are decided once their sums rest on enough events, and not before.
struct EffectiveEventsTests {
  private let perPayer = HandMade.metric("revenue_net_per_payer_30d", .ratio, scale: 1_000_000, primary: true)
  private let revenue = HandMade.metric("revenue_net_30d", .mean, scale: 1_000_000, primary: true)

  /// Sums of `n` users of whom `payers` paid `units` each, and one more `whale`, if any.
  private func money(
    _ payers: Int128, paying units: Int128, whale: Int128 = 0, of n: Int128, denominators: Int128? = nil
  ) -> MetricMeasurement {
    let (micros, large) = (units * 1_000_000, whale * 1_000_000)
    var sums = SufficientStatistics(n: n)
    (sums.sumY, sums.sumYY) = (payers * micros + large, payers * micros * micros + large * large)
    let x = denominators ?? payers
    (sums.sumX, sums.sumXX, sums.sumXY) = (x, x, payers * micros)
    return MetricMeasurement(statistics: sums)
  }

  private func row(
    _ metric: MeasuredMetric, _ control: MetricMeasurement, _ other: MetricMeasurement,
    users: (Int, Int) = (9000, 1000), decideBy: String = "sequential"
  ) throws -> ComparisonRow {
    var offering = HandMade.offering(
      HandMade.group("control", users: users.0, control), HandMade.group("group_a", users: users.1, other))
    offering.weights = ["control": Double(users.0), "group_a": Double(users.1)]
    return try HandMade.night(offering, metrics: [metric], job: HandMade.job { $0.decideBy = decideBy })
      .comparison("group_a", metric)
  }

  @Test(
    "A mean of 29 payers in a group is too early, however clear it looks", arguments: ["sequential", "fixed"])
  func mean29Payers(decideBy: String) throws {
    let control = money(3000, paying: 10, of: 9000)
    let early = try row(revenue, control, money(29, paying: 10, of: 1000), decideBy: decideBy)
    #expect(early.decision == .tooEarly)
    #expect(early.scarcity == .effectiveEvents(29, needed: 30))
    #expect(try #require(early.adjustedPValue) < 0.001)
    #expect(try row(revenue, control, money(30, paying: 10, of: 1000), decideBy: decideBy).decision == .worse)
  }

  @Test("The larger group needs them as well")
  func largerGroupNeeds() throws {
    let many = money(600, paying: 10, of: 1000)
    #expect(try row(revenue, money(29, paying: 10, of: 9000), many).decision == .tooEarly)
    #expect(try row(revenue, money(31, paying: 10, of: 9000), many).decision == .better)
  }

  @Test("A whale among fifty payers leaves hardly any")
  func whaleAmongFifty() throws {
    let early = try row(revenue, money(3000, paying: 10, of: 9000), money(50, paying: 1, whale: 500, of: 1000))
    #expect(early.decision == .tooEarly)
  }

  @Test("A ratio needs a hundred denominators and thirty effective events above and below")
  func ratioNeedsHundred() throws {
    let control = money(3000, paying: 10, of: 9000)
    func scarcity(_ other: MetricMeasurement) throws -> Scarcity? { try row(perPayer, control, other).scarcity }
    #expect(try scarcity(money(99, paying: 10, of: 1000)) == .denominators(99))
    #expect(try scarcity(money(100, paying: 10, of: 1000)) == nil)
    #expect(try scarcity(money(29, paying: 10, of: 1000, denominators: 150)) == .effectiveEvents(29, needed: 30))
    var lumpy = money(200, paying: 10, of: 1000)
    lumpy.statistics.sumXX = 200 * 200 / 29
    #expect(try scarcity(lumpy) != nil)
  }

  @Test("A ratio without a denominator is nothing yet, never inconclusive")
  func ratioWithoutDenominator() throws {
    let row = try row(perPayer, money(3000, paying: 10, of: 9000), money(0, paying: 10, of: 1000))
    #expect(row.decision == .tooEarly)
    #expect(row.decidedLiftInterval == nil)
    let night = try HandMade.night(
      HandMade.offering(
        HandMade.group("control", users: 5000, money(300, paying: 10, of: 5000)),
        HandMade.group("group_a", users: 5000, money(0, paying: 10, of: 5000))), metrics: [perPayer])
    #expect(
      night.verdicts[0].sentence
        == "Wait for group_a. Too early: one group is still at 0.")
    #expect(try Report.html(of: NightStory(of: night)).contains("nothing yet"))
  }

  @Test("Guardrails, covariates and strata are no way around")
  func guardrailsCovariatesStrata() throws {
    let (control, other) = (money(3000, paying: 10, of: 9000), money(20, paying: 10, of: 1000))
    var guardrail = revenue
    (guardrail.request.guardrail, guardrail.request.margin) = (true, 0.5)
    #expect(try row(guardrail, control, other).decision == .tooEarly)
    var adjusted = (revenue, control, other)
    adjusted.0.request.covariateMilliseconds = Instant.millisecondsPerDay
    adjusted.1.statistics.sumC = 100
    adjusted.1.statistics.sumCC = 100
    #expect(try row(adjusted.0, adjusted.1, adjusted.2).decision == .tooEarly)
    var robust = revenue
    robust.request.robust = true
    #expect(try row(robust, control, other).decision == .tooEarly)
  }

  @Test("An early look of unequal groups takes more events, and one of equal groups as many as a late one")
  func earlyLooks() throws {
    func lack(_ a: MetricMeasurement, _ b: MetricMeasurement, share: Double, level: Double) throws -> Scarcity? {
      let moments = try [a, b].map {
        try SampleMoments($0.statistics, kind: .mean, scale: SumScale(y: 1_000_000, c: 1))
      }
      return try #require(EffectiveEvents(moments[0], moments[1], of: .mean))
        .scarcity(shareOfAlpha: share, level: level, alpha: 0.05)
    }
    func needed(_ users: (Int128, Int128), share: Double, level: Double) throws -> Double? {
      // Thirty payers in the smaller group.
      let payers = 30 * users.0 / users.1
      return try lack(
        money(payers, paying: 10, of: users.0), money(30, paying: 10, of: users.1), share: share, level: level)?
        .counts.needed
    }
    // (ln 0.0025/ln 0.05)³ = 2³; two to one: 240·(1/9)/(2·3/9) over (8²)/(9·10).
    let nineToOne = try #require(try needed((9000, 1000), share: 1, level: 0.0025))
    let twoToOne = try #require(try needed((6000, 3000), share: 1, level: 0.0025))
    #expect(abs(nineToOne - 240) < 1e-9 && abs(twoToOne - 56.25) < 1e-9)
    #expect(try needed((5000, 5000), share: 1, level: 0.0025) == nil)
    // Many comparisons take as many in groups of any size.
    let many = try #require(try needed((5000, 5000), share: 0.05, level: 0.0025))
    #expect(abs(many - 240) < 1e-9)
    // The larger group has met a giant that the smaller has not: a tenth of what both rest on.
    let met = try lack(
      money(8991, paying: 10, whale: 10_000, of: 90_000), money(1000, paying: 10, of: 10_000), share: 1, level: 0.04)
    let both = 109_910.0 * 109_910 / (999_100 + 1e8)
    let events = try #require(met).counts.observed
    #expect(abs(events - both / 10) < 1e-9)
  }

  @Test("A small spread of the smaller group counts for no more than both groups' spread allows")
  func evenSpread() throws {
    // 28,000 users of whom three whales came where 252,000 have had 70: as spread as those, they differ by less.
    func group(_ payers: Int128, whales: Int128, of n: Int128) -> MetricMeasurement {
      let (small, large) = (Int128(20_000_000), Int128(1_000_000_000))
      var sums = SufficientStatistics(n: n)
      sums.sumY = payers * small + whales * large
      sums.sumYY = payers * small * small + whales * large * large
      return MetricMeasurement(statistics: sums)
    }
    let (control, few) = (group(12_600, whales: 70, of: 252_000), group(1400, whales: 3, of: 28_000))
    let scarce = try row(revenue, control, few, users: (252_000, 28_000), decideBy: "fixed")
    let pValue = try #require(scarce.adjustedPValue)
    #expect(pValue < 0.05 && scarce.decision == .tooEarly)
    let (m, n) = (322_000.0 / 252_000, 31_000.0 / 28_000)
    let (v, w) = (
      (12_600 * 400 + 70 * 1e6 - 252_000 * m * m) / 251_999, (1400 * 400 + 3 * 1e6 - 28_000 * n * n) / 27_999
    )
    let variation = (251_999 * v / (m * m) + 27_999 * w / (n * n)) / 279_998
    let even = (variation * (m * m / 252_000 + n * n / 28_000)).squareRoot()
    let (observed, needed) = try #require(scarce.lack)
    #expect(abs(observed - (m - n) / even) < 1e-9 && abs(needed - 1.96) < 0.001)
    // Half the price spreads half as wide, and that is no chance; nor is it that more pay.
    let cheap = money(1500, paying: 10, of: 30_000)
    let row = try row(revenue, money(13_500, paying: 20, of: 270_000), cheap, users: (270_000, 30_000))
    let factor = try #require(row.evenSpread).factor
    #expect(row.decision == .worse && factor < 1.01)
    let (fewer, more) = (money(12_600, paying: 20, of: 252_000), money(2800, paying: 20, of: 28_000))
    let better = try self.row(revenue, fewer, more, users: (252_000, 28_000))
    #expect(better.decision == .better && better.evenSpread?.factor == 1)
  }

  @Test("A proportion keeps its own rule: five expected on a side")
  func proportionRetainsOwn() throws {
    let control = HandMade.proportion(900, of: 9000)
    #expect(try row(HandMade.conversion, control, HandMade.proportion(10, of: 1000)).decision == .worse)
  }

  @Test("A share of those it is about is too early where hardly anybody of them fails")
  func shareThoseAbout() throws {
    let renewals = HandMade.metric("renewal_rate", .ratio, primary: true)
    func rate(_ y: Int128, of x: Int128, _ n: Int128) -> MetricMeasurement {
      MetricMeasurement(statistics: SufficientStatistics(n: n, sumY: y, sumYY: y, sumX: x, sumXX: x, sumXY: y))
    }
    let control = rate(873, of: 900, 9000)
    #expect(try row(renewals, control, rate(100, of: 100, 1000)).scarcity == .expectedCell(2.7))
    #expect(try row(renewals, rate(840, of: 900, 9000), rate(100, of: 100, 1000)).scarcity == nil)
  }

  @Test("A curve on which hardly anybody has ended is as early as a share is")
  func curveHardlyAnybody() {
    var metric = HandMade.metric("retention", .mean)
    metric.isSurvival = true
    metric.request.reading = .day(30)
    func sample(_ group: Identifier, _ ended: Int, _ stayed: Int) throws -> MetricSamples.Sample {
      let moments = try SampleMoments(SufficientStatistics(n: Int128(ended + stayed)), kind: .mean)
      var sample = MetricSamples.Sample(group: group, moments: moments, matureUsers: moments.count)
      sample.survival = SurvivalCounts(byDay: [
        SurvivalCount(time: 10, ended: ended, censored: 0), SurvivalCount(time: 40, ended: 0, censored: stayed),
      ])
      return sample
    }
    #expect(throws: Never.self) {
      let few = try [sample("control", 45, 855), sample("group_a", 0, 100)]
      #expect(Scarcity(few, of: metric, baseline: "control") == .expectedCell(4.5))
      let thin = try [sample("control", 50, 850), sample("group_a", 0, 100)]
      #expect(Scarcity(thin, of: metric, baseline: "control") == .expectedEnds(5))
      let enough = try [sample("control", 100, 800), sample("group_a", 0, 100)]
      #expect(Scarcity(enough, of: metric, baseline: "control") == nil)
    }
  }

  @Test("From typed-in sums the rule is the same, decimals and all")
  func typedSumsRule() throws {
    func decision(_ squares: String) throws -> Decision {
      let text = """
        test_group_id,metric,kind,n,sum_y,sum_yy
        a,revenue,mean,9000,8000.5,30000.25
        b,revenue,mean,1000,120.0,\(squares)
        """
      let table = try AnalyzeTable(Array(text.utf8), arguments: AnalyzeArguments(name: "sums.csv"))
      return table.comparisons[0].decision
    }
    #expect(try decision("480.0") == .worse)
    #expect(try decision("480.01") == .tooEarly)
  }
}
