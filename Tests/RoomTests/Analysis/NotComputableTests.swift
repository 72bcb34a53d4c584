import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Each reason why figures are empty, of hand-made users of whom its sentence is true.
@Suite("Why figures are empty")
struct NotComputableTests {
  /// One metric of two groups, held against each other.
  private func row(
    _ baseline: MetricMeasurement, _ other: MetricMeasurement, _ metric: MeasuredMetric, job: Job = HandMade.job()
  ) throws -> ComparisonRow {
    try night(baseline, other, metric, job: job).comparison("group_a", metric)
  }

  private func night(
    _ baseline: MetricMeasurement, _ other: MetricMeasurement, _ metric: MeasuredMetric, job: Job = HandMade.job()
  ) throws -> NightResult {
    let users = [baseline, other].map { Int($0.statistics.n) }
    return try HandMade.night(
      HandMade.offering(
        HandMade.group("control", users: users[0], baseline), HandMade.group("group_a", users: users[1], other)),
      metrics: [metric], job: job)
  }

  /// So many users with each amount, in hundredths of the currency's unit.
  private func paid(_ users: [(cents: Int128, count: Int128)]) -> MetricMeasurement {
    var sums = SufficientStatistics()
    for user in users {
      let added = sums.add(y: user.cents * 10_000, count: user.count)
      #expect(added)
    }
    return MetricMeasurement(statistics: sums)
  }

  /// Payers of one price each, among users who pay nothing: revenue per payer.
  private func perPayer(_ cents: Int128, payers: Int128, of users: Int128) -> MetricMeasurement {
    var sums = SufficientStatistics()
    let added = [
      sums.add(y: cents * 10_000, x: 1, count: payers), sums.add(y: 0, x: 0, count: users - payers),
    ]
    #expect(added == [true, true])
    return MetricMeasurement(statistics: sums)
  }

  private let ratio = HandMade.metric("revenue_net_per_payer", .ratio, scale: 1_000_000)

  @Test("A group without a user, without a denominator, with a single user")
  func nobody() throws {
    #expect(try row(paid([(999, 500)]), paid([]), HandMade.revenue).notComputable == .noUsers)
    #expect(
      try row(perPayer(999, payers: 50, of: 500), perPayer(999, payers: 0, of: 500), ratio).notComputable
        == .noDenominator)
    #expect(try row(paid([(999, 5), (0, 500)]), paid([(999, 1)]), HandMade.revenue).notComputable == .oneUser)
  }

  @Test("The same value is said of users who have one, in both groups")
  func sameValue() throws {
    #expect(try row(paid([(999, 500)]), paid([(999, 400)]), HandMade.revenue).notComputable == .noVariation)
    #expect(NotComputable.noVariation.sentence.contains("all users of both groups have the same value"))
  }

  @Test("Of 9.99 against 17.99 it is said that each group has one value")
  func oneValueEach() throws {
    let night = try night(paid([(999, 500)]), paid([(1799, 400)]), HandMade.revenue)
    let row = try night.comparison("group_a", HandMade.revenue)
    #expect(row.notComputable == .noVariationWithin)
    #expect(abs(try #require(row.difference) - 8) < 1e-12)
    let message = try #require(night.checks(named: "not_computable").first).message
    #expect(message.contains("within each group all users have one value"))
    #expect(!message.contains("the same value"))
  }

  @Test("Of a ratio it is said that its ratio is the same, not that all users' values are")
  func oneRatio() throws {
    let one = perPayer(999, payers: 50, of: 500)
    #expect(try row(one, perPayer(999, payers: 40, of: 500), ratio).notComputable == .oneRatio)
    let other = try row(one, perPayer(1799, payers: 40, of: 500), ratio)
    #expect(other.notComputable == .oneRatioWithin)
    #expect(try #require(other.notComputable).sentence.contains("within each group the ratio is the same"))
  }

  @Test("Where nobody converts and everybody does, an exact test's p may be there, and the sentence leaves it out")
  func everybodyAlike() throws {
    for (a, b) in [(Int128(0), Int128(0)), (500, 500)] {
      let row = try row(HandMade.proportion(a, of: 500), HandMade.proportion(b, of: 500), HandMade.conversion)
      #expect(row.notComputable == .everybodyAlike)
      #expect(row.outcome(by: "sequential")?.pValue == nil)
      #expect(try #require(row.notComputable).sentence.contains("all p-values but an exact test's"))
    }
  }

  @Test("Of a covariate that foretells all it is said that it does")
  func foretold() throws {
    var metric = HandMade.revenue
    metric.request.covariateMilliseconds = 30 * Instant.millisecondsPerDay
    func sums(_ users: [(Int128, Int128)]) -> MetricMeasurement {
      var sums = SufficientStatistics()
      for (value, count) in users {
        let added = sums.add(y: value * 1_000_000, c: value * 1_000_000, count: count)
        #expect(added)
      }
      return MetricMeasurement(statistics: sums)
    }
    let row = try row(sums([(0, 400), (8, 100)]), sums([(0, 380), (8, 120)]), metric)
    #expect(row.notComputable == .foretold)
    #expect(try #require(row.notComputable).sentence.contains("the covariate foretells every user's value exactly"))
  }

  @Test("Where all users of a stratum have one value, groups may differ all the same")
  func alikeInStrata() throws {
    var metric = HandMade.revenue
    metric.request.stratify = .attribute("country")
    func group(_ id: Identifier, _ cents: Int128) -> GroupMeasurement {
      let parts = [("country=DE", paid([(cents, 300)])), ("country=US", paid([(2 * cents, 200)]))]
      let segments = parts.map { SegmentMeasurement(id: Identifier($0.0), users: 300, metrics: [$0.1]) }
      let all = SegmentMeasurement(id: "all", users: 500, metrics: [paid([(cents, 300), (2 * cents, 200)])])
      return GroupMeasurement(id: id, assignedUsers: 500, measuredUsers: 500, segments: [all] + segments)
    }
    var offering = HandMade.offering()
    offering.groups = [group("control", 999), group("group_a", 1799)]
    let row = try HandMade.night(offering, metrics: [metric]).comparison("group_a", metric)
    #expect(row.notComputable == .alikeInStrata)
  }

  @Test("An exact test compares plain values, so that it is not said that a stratum keeps them from being computed")
  func exactBesideStrata() throws {
    var metric = HandMade.conversion
    metric.request.stratify = .attribute("country")
    let row = try row(HandMade.proportion(2, of: 300), HandMade.proportion(1, of: 300), metric)
    #expect(row.exactPValue != nil && row.value != nil)
    #expect(row.notComputable != .emptyStratum)
  }

  @Test("A baseline of nothing, one near nothing, and one below nothing")
  func baselines() throws {
    let some = paid([(0, 400), (999, 50), (1799, 50)])
    #expect(try row(paid([(0, 500)]), some, HandMade.revenue).notComputable == .zeroBaseline)
    #expect(try row(paid([(0, 4998), (1000, 2)]), some, HandMade.revenue).notComputable == .unboundedLift)
    #expect(try row(paid([(0, 400), (-999, 100)]), some, HandMade.revenue).notComputable == .negativeBaseline)
    #expect(try row(some, paid([(0, 500)]), HandMade.revenue).notComputable == .noSpread)
    let log = HandMade.job { $0.liftInterval = .log }
    #expect(try row(some, paid([(0, 400), (-999, 100)]), HandMade.revenue, job: log).notComputable == .noLogarithm)
  }

  @Test("A baseline that is told from nothing once may not be told so at every look")
  func unboundedSequential() throws {
    // 8 payers of 5,000: their mean lies 2.83 standard errors above 0, more than 1.96 and less than a sequence asks.
    let row = try row(
      paid([(0, 4992), (1000, 8)]), paid([(0, 4900), (1000, 100)]), HandMade.revenue)
    #expect(row.notComputable == Sequential().unboundedLift)
  }

  @Test("Every sentence is of its own, says what is empty, and is no two sentences")
  func sentences() {
    let sentences = NotComputable.all(by: .product).map(\.sentence)
    #expect(Set(sentences).count == sentences.count)
    for sentence in sentences {
      let isInformative = ["empty", "unbounded", "nothing can be computed"].contains(where: sentence.contains)
      #expect(isInformative, "\(sentence)")
      #expect(!sentence.hasSuffix("."))
    }
  }
}
