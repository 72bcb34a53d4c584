import Domain
import Jobs
import Statistics

/// `small_counts`: is there enough behind a metric's figures, to decide and to trust their intervals?
///
/// What is too little to decide is `too_early` too. With more than that, but still little, decisions hold and intervals
/// of a single look do not: that of a group's own value, and of the difference from a group of another size, rest on
/// fewer than a hundred effective events and miss the truth more often than they say.
struct SmallCountsCheck: HealthCheck {
  let terms = CheckTerms(
    "small_counts",
    "too little to decide (`too_early`), for an interval (below 100 effective events) or for the bootstrap (below 100 payers): warns"
  )
  let isRemark = true

  /// Below so many effective events intervals are rough: at 100 of skewed revenue 95 % intervals hold 94 times in 100,
  /// at 25 they hold 92 times.
  static let minimumEvents = 100.0
  /// Below so many payers in a group a bootstrap is not advised: what nobody has paid yet it cannot draw.
  static let minimumPayers = 100
  /// Groups that differ in size by more do not cancel each other's skewness.
  static let largestSizeRatio = 2.0

  /// One row for each metric over everybody.
  func checks(of metric: CheckedMetric) -> [Check] { checks(of: [metric.everybody].compactMap(\.self)) }

  func checks(of sets: [MetricSamples]) -> [Check] { sets.filter { $0.segment == CellKey.everybody }.map(check) }

  /// One row for each metric with `robust: true`: are there enough users with a value to draw from?
  func checks(of comparisons: CheckedComparisons) -> [Check] {
    let payers = Robustness.leastPayers(of: comparisons.offering, metrics: comparisons.metrics)
    return payers.map { metric, payers in
      let isEnough = payers >= Self.minimumPayers
      let outcome = isEnough ? "enough for the bootstrap" : "below 100 the bootstrap's intervals are not advised"
      return Check(
        offering: comparisons.offering.id, name: name, subject: "metric \(metric), bootstrap",
        status: isEnough ? .pass : .warn, observed: Double(payers), expected: Double(Self.minimumPayers),
        message: "\(metric): the group with the fewest has \(Phrase.count(payers, "user")) with a value: \(outcome).")
    }
  }

  private func check(of set: MetricSamples) -> Check {
    let id = set.metric.request.id
    var check = Check(offering: set.offering, name: name, subject: "metric \(id)", status: .warn, message: "")
    if let scarcity = Scarcity(set.samples, of: set.metric, baseline: set.baseline) {
      (check.observed, check.expected) = scarcity.counts
      check.message = "\(id): \(scarcity.sentence)."
    } else if let roughness = Roughness(set) {
      (check.observed, check.expected) = (roughness.observed, roughness.needed)
      check.message = "\(id): \(roughness.sentence)."
    } else {
      let users = set.samples.map(\.matureUsers).min() ?? 0
      (check.status, check.observed, check.expected) = (.pass, Double(users), Double(Scarcity.minimumUsers))
      check.message = "\(id): every group has enough users and events; the smallest has \(Phrase.count(users))."
    }
    return check
  }
}

/// What is enough for a decision, and too little for the intervals of a single look.
private struct Roughness {
  let observed: Double
  let needed: Double
  let sentence: String

  init?(_ set: MetricSamples) {
    switch set.metric.resultKind {
    case .proportion:
      guard let rarer = Self.rarer(set, of: \.n) else { return nil }
      (observed, needed, sentence) = (rarer, Scarcity.minimumExpected, Self.rareness(rarer))
    // A ratio of zeros and ones is a share of the users it is about.
    case .ratio where set.samples.allSatisfy(\.moments.isShareOfUsers):
      guard let rarer = Self.rarer(set, of: \.totalX) else { return nil }
      (observed, needed, sentence) = (rarer, Scarcity.minimumExpected, Self.rareness(rarer))
    case .mean, .ratio:
      // Users who count once each are not skewed as sums of money are: what is enough to decide is enough for them.
      let uneven = set.samples.map(\.moments).filter { $0.effectiveY != $0.totalY }
      let events = uneven.map(\.effectiveEvents).min() ?? .infinity
      guard events < SmallCountsCheck.minimumEvents else { return nil }
      (observed, needed) = (events, SmallCountsCheck.minimumEvents)
      let differences =
        Self.isUnequal(set)
        ? "s of its own value and of its difference from a larger group are" : " of its own value is"
      sentence =
        "one group's sum rests on only \(Phrase.decimal(events, decimals: 1)) equal payments. That is enough to decide, but "
        + "below 100 the interval\(differences) rough"
    case .quantile, .survival: return nil
    }
  }

  /// The fewest of a group who did, or did not, where those are too few.
  private static func rarer(_ set: MetricSamples, of users: KeyPath<SampleMoments, Double>) -> Double? {
    let rarer = set.samples.map { min($0.moments.totalY, $0.moments[keyPath: users] - $0.moments.totalY) }.min() ?? 0
    return rarer < Scarcity.minimumExpected ? rarer : nil
  }

  private static func rareness(_ rarer: Double) -> String {
    "a group has only \(Phrase.decimal(rarer, decimals: 0)) users on the rarer side (converted or not); below 5 "
      + "the interval of its own value is rough"
  }

  private static func isUnequal(_ set: MetricSamples) -> Bool {
    let users = set.samples.map(\.moments.n)
    return (users.max() ?? 0) > SmallCountsCheck.largestSizeRatio * (users.min() ?? 0)
  }
}
