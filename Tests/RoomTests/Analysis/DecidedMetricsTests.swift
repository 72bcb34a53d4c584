import Statistics
import Testing

@testable import Analysis
@testable import Domain
@testable import Engine
@testable import Jobs
@testable import Measurement

/// Ratios over what users did after their assignment: decided by their numerator over all users.
struct DecidedMetricsTests {
  private func trials(primary: Bool = true) -> MeasuredMetric {
    var metric = HandMade.metric("trial_to_paid", .ratio, primary: primary)
    metric.perUser = .init(
      kind: .proportion,
      wording: MetricWording("Users who pay after a trial", "wins", fewer: "users who pay after a trial")
        .seen("{} of {users} paid after a trial"),
      ofThose: "of those whose trial is over")
    return metric
  }

  /// So many of `n` users began a trial, and so many of these paid.
  private func trials(_ paid: Int128, of began: Int128, users n: Int128) -> MetricMeasurement {
    MetricMeasurement(
      statistics: SufficientStatistics(n: n, sumY: paid, sumYY: paid, sumX: began, sumXX: began, sumXY: paid))
  }

  private func night(_ metrics: [MeasuredMetric], _ a: [MetricMeasurement], _ b: [MetricMeasurement]) throws
    -> NightResult
  {
    func group(_ id: Identifier, _ measured: [MetricMeasurement]) -> GroupMeasurement {
      var group = HandMade.group(id, users: 4000)
      group.segments[0].metrics = measured
      return group
    }
    return try HandMade.night(HandMade.offering(group("control", a), group("group_a", b)), metrics: metrics)
  }

  /// control: 600 of 4,000 begin a trial and 396 of them (66 %) pay; group_a: 1,208 begin and 604 (50 %) pay. The ratio
  /// falls by a quarter while half as many users again pay.
  @Test("A group that wins curious trials is not dropped for turning fewer of them into subscriptions")
  func curiousTrials() throws {
    let metric = trials()
    let night = try night(
      [metric], [trials(396, of: 600, users: 4000)], [trials(604, of: 1208, users: 4000)])
    let ratio = try night.comparison("group_a", metric)
    #expect(ratio.decision == .worse && ratio.isDescriptive && !ratio.primary)
    let perUser = try #require(night.comparisons.first { $0.key.metric == "trial_to_paid_per_user" })
    #expect(perUser.decision == .better && perUser.primary && perUser.kind == .proportion && perUser.test == "score")
    #expect(abs(try #require(perUser.value) - 0.151) < 1e-15)
    // The score test of 604 and 396 of 4,000 each: z = 208/√(1000·0.875) with the pooled share of 12.5 %.
    #expect(abs(try #require(perUser.pValue) / 2.0405641464826183e-12 - 1) < 1e-6)
    let verdict = try #require(night.verdicts.first)
    #expect(verdict.groups[0].call == .ship)
    #expect(
      verdict.calls[0].details.contains("Of those whose trial is over: 50.0 % instead of 66.0 %."))
    #expect(verdict.calls[0].reason.contains("15.1 % of users paid after a trial instead of 9.9 % ("))
    #expect(night.plans.map(\.metric) == ["trial_to_paid_per_user"])
  }

  @Test("The sums are told once, and the group's values for both")
  func tables() throws {
    let metric = trials()
    let night = try night([metric], [trials(396, of: 600, users: 4000)], [trials(604, of: 1208, users: 4000)])
    #expect(Set(night.statistics.map(\.key.metric)) == ["trial_to_paid"])
    let values = night.groupMetrics.filter { $0.key.group == "control" }
    #expect(values.map(\.key.metric) == ["trial_to_paid_per_user", "trial_to_paid"])
    #expect(values.map(\.denominator) == [4000, 600])
  }

  @Test("Payers halved at twice the money each: nothing to ship")
  func perPayer() throws {
    var metric = HandMade.metric("revenue_net_per_payer", .ratio, scale: 1_000_000, primary: true)
    metric.perUser = .init(
      kind: .mean, wording: MetricWording("Net revenue per user", "earns", less: "per user"), ofThose: "per paying user"
    )
    func paid(_ payers: Int128, _ units: Int128) -> MetricMeasurement {
      let micros = units * 1_000_000
      return MetricMeasurement(
        statistics: SufficientStatistics(
          n: 4000, sumY: payers * micros, sumYY: payers * micros * micros, sumX: payers, sumXX: payers,
          sumXY: payers * micros))
    }
    let verdict = try #require(try night([metric], [paid(400, 10)], [paid(180, 20)]).verdicts.first)
    #expect(verdict.groups[0].call == .keep)
    #expect(verdict.lead == "revenue_net_per_payer_per_user")
  }

  @Test("A ratio that is neither primary nor first is described, and one that is a guardrail is held to its margin")
  func others() throws {
    var refunds = HandMade.metric("refund_rate", .ratio, goal: .decrease)
    let measured = [HandMade.proportion(400, of: 4000), trials(396, of: 600, users: 4000)]
    let other = [HandMade.proportion(400, of: 4000), trials(604, of: 1208, users: 4000)]
    let described = try night([HandMade.conversion, refunds], measured, other)
    #expect(try described.comparison("group_a", refunds).isDescriptive)
    #expect(described.comparisons.count == 2)
    (refunds.request.guardrail, refunds.request.margin) = (true, 0.1)
    let held = try night([HandMade.conversion, refunds], measured, other)
    #expect(try held.comparison("group_a", refunds).decision == .notWorse)
  }

  @Test("Without primary metrics a first ratio is decided per user")
  func firstRatio() throws {
    let night = try night(
      [trials(primary: false)], [trials(396, of: 600, users: 4000)], [trials(604, of: 1208, users: 4000)])
    let perUser = try #require(night.comparisons.first { $0.key.metric == "trial_to_paid_per_user" })
    #expect(!perUser.isDescriptive && !perUser.primary && perUser.decision == .better)
    #expect(try #require(night.verdicts.first).lead == "trial_to_paid_per_user")
  }

  @Test("An id that is taken gets another end")
  func acceptedID() {
    var other = HandMade.conversion
    other.request.id = "trial_to_paid_per_user"
    let decided = DecidedMetrics([other, trials()])
    #expect(
      decided.metrics.map(\.request.id) == ["trial_to_paid_per_user", "trial_to_paid_per_user_", "trial_to_paid"])
    #expect(decided.speaking == ["trial_to_paid_per_user", "trial_to_paid_per_user_"])
  }
}
