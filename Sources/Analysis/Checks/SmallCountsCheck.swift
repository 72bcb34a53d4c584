import Domain
import Statistics

/// `small_counts`: is there enough behind a metric's figures, to decide and to trust their intervals?
///
/// What is too little to decide is `too_early` too. With more than that, but still little, decisions hold and intervals
/// of a single look do not: that of a group's own value, and of the difference from a group of another size, rest on
/// fewer than a hundred effective events and miss the truth more often than they say.
enum SmallCountsCheck {
  /// Below so many effective events intervals are rough: at 100 of skewed revenue 95 % intervals hold 94 times in 100,
  /// at 25 they hold 92 times.
  static let fewestEvents = 100.0
  /// Groups that differ in size by more do not cancel each other's skewness.
  static let mostUnequal = 2.0

  /// One row for each metric over everybody.
  static func checks(of sets: [MetricSamples]) -> [Check] {
    sets.filter { $0.segment == CellKey.everybody }.map(check)
  }

  private static func check(of set: MetricSamples) -> Check {
    let id = set.metric.request.id
    var check = Check(offering: set.offering, name: "small_counts", subject: "metric \(id)", status: .warn, message: "")
    if let scarcity = Scarcity(set.samples, of: set.metric, baseline: set.baseline) {
      (check.observed, check.expected) = scarcity.counts
      check.message = "\(id): \(scarcity.sentence)."
    } else if let roughness = Roughness(set) {
      (check.observed, check.expected) = (roughness.observed, roughness.needed)
      check.message = "\(id): \(roughness.sentence)."
    } else {
      let users = set.samples.map(\.matureUsers).min() ?? 0
      (check.status, check.observed, check.expected) = (.pass, Double(users), Double(Scarcity.fewestUsers))
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
      let rarer = set.samples.map { min($0.moments.totalY, $0.moments.n - $0.moments.totalY) }.min() ?? 0
      guard rarer < Scarcity.fewestExpected else { return nil }
      (observed, needed) = (rarer, Scarcity.fewestExpected)
      sentence =
        "a group has only \(Phrase.decimal(rarer, decimals: 0)) users on the rarer side (converted or not); below 5 "
        + "the interval of its own value is rough"
    case .mean, .ratio:
      // Users who count once each are not skewed as sums of money are: what is enough to decide is enough for them.
      let uneven = set.samples.map(\.moments).filter { $0.effectiveY != $0.totalY }
      let events = uneven.map(\.effectiveEvents).min() ?? .infinity
      guard events < SmallCountsCheck.fewestEvents else { return nil }
      (observed, needed) = (events, SmallCountsCheck.fewestEvents)
      let differences =
        Self.isUnequal(set)
        ? "s of its own value and of its difference from a larger group are" : " of its own value is"
      sentence =
        "a group's figure rests on only \(Phrase.decimal(events, decimals: 1)) effective events (as many equal ones "
        + "would weigh as much): enough to decide, but below 100 the interval\(differences) rough"
    case .quantile, .survival: return nil
    }
  }

  private static func isUnequal(_ set: MetricSamples) -> Bool {
    let users = set.samples.map(\.moments.n)
    return (users.max() ?? 0) > SmallCountsCheck.mostUnequal * (users.min() ?? 0)
  }
}
