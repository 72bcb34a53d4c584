import Domain
import Measurement
import Statistics

/// What there is too little of for a decision.
///
/// Nightly decisions are right as the numbers grow, so they need some to begin with: users, for a proportion expected
/// conversions, for a mean or ratio effective events. Few payers make a mean's variance too small just when the mean is
/// low, and the smaller of unequal groups, or a group's payers alone, then seem to differ from the others.
enum Scarcity: Hashable, Sendable {
  /// The fewest users of a group whose window has ended.
  case users(Int128)
  /// The smallest cell of a 2 × 2 table that equal shares would lead one to expect.
  case expectedCell(Double)
  /// The smallest sum of a ratio's denominators.
  case denominators(Double)
  /// The smallest (Σy)²/Σy², or of a ratio's denominator (Σx)²/Σx², and how many it takes.
  case effectiveEvents(Double, needed: Double)
  /// How many standard errors the groups are apart where their values vary alike, and how many it takes.
  case evenSpread(Double, needed: Double)
  /// The fewest of a group that would have ended, at the pace of both groups, when a curve is read.
  case expectedEnds(Double)
  /// Whole days since the first assignment: fewer than a week, where a group would be called better.
  case days(Int)

  /// Below so many mature users in a group nothing is decided.
  static let minimumUsers: Int128 = 100
  /// Below so many expected successes or failures in a group nothing is decided about a share of users.
  static let minimumExpected = 5.0
  /// Below so many units of its denominator nothing is decided about a ratio.
  static let minimumDenominators = 100.0
  /// Below so many expected ends in a group nothing is decided about a curve.
  static let minimumEnds = 10.0

  /// The first that the groups of a metric lack; nil if there is enough.
  init?(_ samples: [MetricSamples.Sample], of metric: MeasuredMetric, baseline: Identifier) {
    let users = samples.map(\.matureUsers).min() ?? 0
    if users < Self.minimumUsers {
      self = .users(users)
    } else if let cell = ExpectedCell.smallest(samples, of: metric, baseline: baseline), cell < Self.minimumExpected {
      self = .expectedCell(cell)
    } else if let ends = ExpectedCell.ends(samples, of: metric, baseline: baseline), ends < Self.minimumEnds {
      self = .expectedEnds(ends)
    } else if let short = Self.shortSums(samples.map(\.moments), of: metric.resultKind) {
      self = short
    } else {
      return nil
    }
  }

  private static func shortSums(_ groups: [SampleMoments], of kind: ResultKind) -> Scarcity? {
    guard kind == .mean || kind == .ratio else { return nil }
    let denominators = groups.map(\.totalX).min() ?? 0
    if kind == .ratio, denominators < minimumDenominators { return .denominators(denominators) }
    if groups.allSatisfy({ $0.hasEffectiveEvents(atLeast: EffectiveEvents.minimum) }) { return nil }
    return .effectiveEvents(groups.map(\.effectiveEvents).min() ?? 0, needed: Double(EffectiveEvents.minimum))
  }

  /// How many there are, and how many it takes.
  var counts: (observed: Double, needed: Double) {
    switch self {
    case .users(let users): (Double(users), Double(Self.minimumUsers))
    case .expectedCell(let cell): (cell, Self.minimumExpected)
    case .denominators(let sum): (sum, Self.minimumDenominators)
    case .effectiveEvents(let events, let needed): (events, needed)
    case .evenSpread(let errors, let needed): (errors, needed)
    case .expectedEnds(let ends): (ends, Self.minimumEnds)
    case .days(let days): (Double(days), Double(WholeDays.needed))
    }
  }

  /// What is lacking, in a sentence without its metric.
  var sentence: String {
    switch self {
    case .users(let users):
      "the smallest group has \(Phrase.count(users, "user")) whose time is over; 100 are needed"
    case .expectedCell(let cell):
      "only about \(Phrase.decimal(cell, decimals: 1)) users a group convert (or do not); 5 are needed"
    case .denominators(let sum):
      "the smallest group's denominator is \(Phrase.decimal(sum, decimals: 1)); 100 are needed"
    case .effectiveEvents(let events, _) where events < 1:
      "one group is still at 0"
    case .effectiveEvents(let events, let needed):
      "one group's sum rests on as few as \(Phrase.count(Int(events), "equal payment")); "
        + "\(Phrase.count(Int(needed.rounded(.up)))) are needed\(Self.amongMany(needed))"
    case .evenSpread: "a few large values may be missing from one group by chance"
    case .expectedEnds(let ends):
      "only about \(Phrase.decimal(ends, decimals: 1)) subscribers of a group would have left by then; 10 are needed"
    case .days(let days): "\(days) of \(WholeDays.needed) days"
    }
  }
}

extension Scarcity {
  /// ` so early or among so many comparisons`; empty where 30 are enough.
  private static func amongMany(_ needed: Double) -> String {
    needed > Double(EffectiveEvents.minimum) ? " so early or among so many comparisons" : ""
  }
}

/// The 2 × 2 table of two groups' users: who converted, renewed or ended, and who did not.
enum ExpectedCell {
  /// The smallest count that equal shares would lead one to expect, of the baseline and any other group; nil for
  /// metrics that are no shares of users.
  static func smallest(
    _ samples: [MetricSamples.Sample], of metric: MeasuredMetric, baseline: Identifier
  ) -> Double? {
    guard let first = samples.first(where: { $0.group == baseline }) else { return nil }
    return samples.filter { $0.group != baseline }.compactMap { smallest(first, $0, of: metric) }.min()
  }

  /// How many of a group would have ended at the pace of both, when a curve is read: the fewest of the baseline and any
  /// other group; nil for metrics that are no curves.
  static func ends(
    _ samples: [MetricSamples.Sample], of metric: MeasuredMetric, baseline: Identifier
  ) -> Double? {
    let reading = metric.request.reading
    guard let first = samples.first(where: { $0.group == baseline })?.survival?.compared(reading) else { return nil }
    return samples.filter { $0.group != baseline }.compactMap { sample in
      guard let other = sample.survival?.compared(reading) else { return nil }
      return LogRank.expectedEnds(baseline: first, other: other, by: reading.time).map { min($0.baseline, $0.other) }
    }.min()
  }

  /// Of a curve those who ended by the time it is read at, and those who were still there then; a ratio of zeros and
  /// ones is a share of the users it is about.
  private static func smallest(
    _ a: MetricSamples.Sample, _ b: MetricSamples.Sample, of metric: MeasuredMetric
  ) -> Double? {
    let reading = metric.request.reading
    if let one = a.survival?.compared(reading), let other = b.survival?.compared(reading) {
      let ended = (one.ended(by: reading.time), other.ended(by: reading.time))
      let known = (ended.0 + one.stayed(until: reading.time), ended.1 + other.stayed(until: reading.time))
      return smallest(Double(ended.0 + ended.1), Double(known.0), Double(known.1))
    }
    let (one, other) = (a.moments, b.moments)
    switch metric.resultKind {
    case .proportion: return smallest(one.totalY + other.totalY, one.n, other.n)
    case .ratio where one.isShareOfUsers && other.isShareOfUsers:
      return smallest(one.totalY + other.totalY, one.totalX, other.totalX)
    case .ratio, .mean, .quantile, .survival: return nil
    }
  }

  /// Of so many successes among the users of two groups.
  static func smallest(_ successes: Double, _ a: Double, _ b: Double) -> Double? {
    guard a + b > 0 else { return nil }
    return min(successes, a + b - successes) * min(a, b) / (a + b)
  }
}
