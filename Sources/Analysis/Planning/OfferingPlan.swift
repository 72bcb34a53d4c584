import Domain
import Engine
import Jobs
import Statistics

/// The plan of one offering's test, metric by metric.
struct OfferingPlan: Sendable {
  var job: Job
  var offering: OfferingMeasurement
  /// The cut-off.
  var cutoff: Instant
  var rules: TestPlan.Rules
  /// Why it is for these metrics.
  var note: String?
  var usersPerDay: Double?
  /// The job measures no other offering.
  var isOnly = true
  var metrics: [MetricPlan] = []

  /// Sentences first, then the table.
  var paragraphs: [[String]] {
    let rows = metrics.flatMap { metric in (metric.words?.rows ?? []).map { [metric.name] + $0 } }
    let table = rows.isEmpty ? [] : TextTable.lines([["metric"] + PlanWords.heading] + rows, leftColumns: 2)
    let words = metrics.map { [$0.sentences.first.map { place + $0 }].compactMap(\.self) + $0.sentences.dropFirst() }
    return words + [table, [heading, note, PowerReport.sharing(rules)].compactMap(\.self)]
  }

  /// The offering's name in front of a sentence, where there are other offerings.
  private var place: String { isOnly ? "" : "\(offering.id), " }

  private var heading: String {
    let night = Night.name(endingAt: cutoff, timezone: job.timezone)
    let users = offering.groups.reduce(0) { $0 + $1.measuredUsers }
    let rate = usersPerDay.map { ", \(Phrase.decimal($0, decimals: $0 < 10 ? 1 : 0)) a day" } ?? ""
    return "Measured: \(offering.id) by the night of \(night), \(Phrase.count(users, "user")) in "
      + "\(Phrase.count(offering.groups.count, "group"))\(rate)."
  }
}

/// One metric's plan, or why there is none.
struct MetricPlan: Sendable {
  /// The metric's id.
  var name: String
  /// Nil where nothing can be planned.
  var words: PlanWords?
  /// Why not.
  var obstacle: String?

  var sentences: [String] {
    let said = words?.sentences ?? [obstacle].compactMap(\.self)
    return said.isEmpty ? [] : ["\(name): \(said[0])"] + said.dropFirst()
  }

  /// Plans one metric from its samples over everybody.
  ///
  /// - Parameter lift: the lift to find; nil is the metric's margin, else 10 %, in the direction of its goal.
  init(
    _ metric: MeasuredMetric, _ set: MetricSamples?, _ offering: OfferingMeasurement, _ arrivals: Arrivals,
    rules: TestPlan.Rules, lift: Double?, currency: String
  ) {
    name = metric.request.id
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
    let crowd = Self.crowd(metric, set, sample, offering, arrivals)
    let plan = TestPlan(baseline: baseline, lift: lift ?? usual, rules: rules, crowd: crowd)
    let isShare = metric.kind == .proportion
    words = PlanWords(
      plan: plan, value: Phrase.value(value, isShare: isShare, currency: metric.isMoney ? currency : nil))
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
    _ arrivals: Arrivals
  ) -> TestPlan.Crowd {
    let baselineUsers = sample.moments.n
    let others = set.samples.filter { $0.group != set.baseline }.map(\.moments.n)
    let all = baselineUsers + (others.isEmpty ? baselineUsers : others.reduce(0, +))
    var crowd = TestPlan.Crowd()
    crowd.baselineUsers = baselineUsers
    crowd.ratio = max(others.min() ?? baselineUsers, 1) / baselineUsers
    crowd.usersPerBaselineUser = all / baselineUsers
    crowd.usersPerDay = arrivals.usersPerDay
    let windowDays = metric.request.includesImmature ? 0 : metric.request.windowDays ?? 0
    crowd.daysUntilFirst = max(0, windowDays - (arrivals.days ?? 0))
    let immature = Double(offering.groups.reduce(0) { $0 + $1.measuredUsers }) - all
    crowd.usersToCome = arrivals.usersToJoin.map { $0 + max(0, immature) }
    return crowd
  }
}
