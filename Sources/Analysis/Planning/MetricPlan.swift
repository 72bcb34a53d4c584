import Domain
import Jobs
import Measurement
import Statistics

/// One metric's plan, or why there is none.
struct MetricPlan: Sendable {
  var metric: MeasuredMetric
  /// Nil where nothing can be planned.
  var plan: TestPlan?
  /// The baseline's value.
  var value: Double?
  /// Why nothing can be planned.
  var obstacle: String?

  /// The metric's id.
  var name: String { metric.request.id }

  /// Plans one metric from its samples over everybody.
  ///
  /// - Parameters:
  ///   - sets: the offering's samples, those of all metrics and segments.
  ///   - lift: the lift to find; nil is the metric's margin, else 10 %, in the direction of its goal.
  init(
    _ metric: MeasuredMetric, in sets: [MetricSamples], _ offering: OfferingMeasurement, _ rate: ArrivalRate,
    rules: TestPlan.Rules, lift: Double?
  ) {
    self.metric = metric
    let set = sets.first { $0.segment == CellKey.everybody && $0.metric.request.id == metric.request.id }
    guard metric.quantile == nil else {
      obstacle = "a quantile's need depends on how dense values lie about it; plan on the metric it is taken of."
      return
    }
    guard !metric.isSurvival else {
      obstacle = "a curve's need depends on how many end by then; plan on renewal_rate."
      return
    }
    guard let set, let sample = set.baselineSample, let value = sample.moments.value,
      let baseline = Self.baseline(set, sample)
    else {
      obstacle =
        "nothing to plan from yet: the baseline needs two users whose window has ended, "
        + "and a value above 0 that varies."
      return
    }
    let usual = (metric.request.margin ?? Self.usualLift) * (metric.request.goal == .increase ? 1 : -1)
    let crowd = Self.crowd(metric, set, sample, offering, rate)
    plan = TestPlan(baseline: baseline, lift: lift ?? usual, rules: rules, crowd: crowd)
    self.value = value
  }

  /// The lift planned for where nobody says which: 10 %.
  static let usualLift = 0.1

  private static func baseline(_ set: MetricSamples, _ sample: MetricSamples.Sample) -> Power.Baseline? {
    let moments = sample.moments
    guard moments.count >= 2, let value = moments.value, let variance = moments.variance, variance > 0, value > 0
    else { return nil }
    // A covariate saves its share of the variance, so that a share of users is planned as a mean then.
    if set.metric.request.covariateMilliseconds != nil,
      let saved = CovariateAdjustment(groups: set.samples.map(\.moments))?.varianceSaved, saved < 1
    {
      return .mean(value, standardDeviation: (variance * (1 - saved)).squareRoot())
    }
    return moments.kind == .proportion ? .proportion(value) : .mean(value, standardDeviation: variance.squareRoot())
  }

  /// The smallest other group decides; without another group the baseline stands for it.
  private static func crowd(
    _ metric: MeasuredMetric, _ set: MetricSamples, _ sample: MetricSamples.Sample, _ offering: OfferingMeasurement,
    _ rate: ArrivalRate
  ) -> TestPlan.Crowd {
    let baselineUsers = sample.moments.n
    let others = set.samples.filter { $0.group != set.baseline }.map(\.moments.n)
    let all = baselineUsers + (others.isEmpty ? baselineUsers : others.reduce(0, +))
    var crowd = TestPlan.Crowd()
    crowd.baselineUsers = baselineUsers
    crowd.ratio = max(others.min() ?? baselineUsers, 1) / baselineUsers
    crowd.usersPerBaselineUser = all / baselineUsers
    crowd.usersPerDay = rate.usersPerDay
    let windowDays = metric.request.includesImmature ? 0 : metric.request.windowDays ?? 0
    crowd.daysUntilFirst = max(0, windowDays - (rate.days ?? 0))
    let immature = Double(offering.groups.reduce(0) { $0 + $1.measuredUsers }) - all
    crowd.usersToCome = rate.usersToJoin.map { $0 + max(0, immature) }
    return crowd
  }
}
