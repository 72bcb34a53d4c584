import Jobs
import Measurement
import Statistics

/// A survival metric's figures: from how many subscribers ended, or were last seen, and when.
enum SurvivalFigures {
  /// The counts of a measured metric; users who never began are in none.
  static func counts(_ measured: MetricMeasurement) -> SurvivalCounts {
    var counts = SurvivalCounts()
    let users = measured.values.compactMap { value in Survival(value).map { ($0, value.users) } }
    counts.byDay = Self.counts(users, time: \.days, isEnded: \.isEnded)
    counts.byRenewals = Self.counts(
      users, time: { $0.isRenewalMissed ? $0.renewals + 1 : $0.renewals }, isEnded: \.isRenewalMissed)
    return counts
  }

  /// Ascending in time.
  private static func counts(
    _ users: [(Survival, Int)], time: (Survival) -> Int64, isEnded: (Survival) -> Bool
  ) -> [SurvivalCount] {
    var byTime: [Int: SurvivalCount] = [:]
    for (survival, users) in users {
      let time = Int(time(survival))
      var count = byTime[time] ?? SurvivalCount(time: time, ended: 0, censored: 0)
      if isEnded(survival) { count.ended += users } else { count.censored += users }
      byTime[time] = count
    }
    return byTime.values.sorted { $0.time < $1.time }
  }

  /// The share that stays where the metric is read, with its error; nil where nobody has been watched for that long.
  static func share(
    _ counts: SurvivalCounts, at reading: SurvivalReading, alpha: Double
  ) -> SurvivalShare? {
    switch reading {
    case .day(let day): share(counts.byDay, at: day, alpha: alpha)
    case .renewals(let renewals): share(counts.byRenewals, at: renewals, alpha: alpha)
    }
  }

  private static func share(_ counts: [SurvivalCount], at time: Int, alpha: Double) -> SurvivalShare? {
    guard let curve = SurvivalCurve(counts, alpha: alpha), let last = curve.points.last else { return nil }
    guard let point = curve.point(at: time) else { return SurvivalShare(value: 1, standardError: 0) }
    guard time <= last.time || point.survival == 0 else { return nil }
    return SurvivalShare(
      value: point.survival, standardError: point.variance?.squareRoot(), interval: point.interval)
  }

  /// The share of all users who began and stay, p·S, with the delta method's error; nil where nobody has been watched for
  /// that long.
  ///
  /// - Parameter users: the users of the group, who began and who did not: the mean is p.
  static func share(
    _ counts: SurvivalCounts, of users: SampleMoments, at reading: SurvivalReading, alpha: Double
  ) -> SurvivalShare? {
    guard let stay = share(counts, at: reading, alpha: alpha), let began = users.value else { return nil }
    let value = began * stay.value
    let error = stay.standardError.map { error in
      (stay.value * stay.value * began * (1 - began) / users.n + began * began * error * error).squareRoot()
    }
    let interval = error.flatMap { error in
      Normal.upperQuantile(alpha / 2).flatMap { Interval(max(0, value - $0 * error), min(1, value + $0 * error)) }
    }
    return SurvivalShare(value: value, standardError: error, interval: interval)
  }

  /// Two groups' shares held against each other; nil where nobody of a group has been watched for that long.
  ///
  /// - Parameter users: the users of each group where the shares are those of all users; nil: of those who began.
  static func comparison(
    _ baseline: SurvivalCounts, _ other: SurvivalCounts, of users: (baseline: Double, other: Double)?,
    at reading: SurvivalReading, _ options: ComparisonOptions
  ) -> Comparison? {
    guard let a = share(baseline, at: reading, alpha: options.alpha),
      let b = share(other, at: reading, alpha: options.alpha)
    else { return nil }
    if let users {
      return Comparison(
        shares: (a.value, b.value), users: users, baseline: baseline.compared(reading),
        other: other.compared(reading), at: reading.time, options: options)
    }
    return Comparison(
      shares: (a.value, b.value), baseline: baseline.compared(reading), other: other.compared(reading),
      at: reading.time, options: options)
  }
}

/// How many subscribers ended, or were last seen, when: by days since their first payment, and by renewals that were
/// due. Both count the same users.
package struct SurvivalCounts: Sendable {
  var byDay: [SurvivalCount] = []
  /// Time k is the k-th renewal: due and missed, or the last one that was paid. Whose renewal is not due yet was last
  /// seen at the one before.
  var byRenewals: [SurvivalCount] = []

  /// Those that a metric which is read so compares: by renewals, users who had one due.
  package func compared(_ reading: SurvivalReading) -> [SurvivalCount] {
    if case .day = reading { byDay } else { byRenewals.filter { $0.time > 0 } }
  }
}

/// A curve read at one time.
struct SurvivalShare: Sendable {
  /// S, the share that stays beyond it.
  var value: Double
  /// Greenwood's; nil once nobody is left.
  var standardError: Double?
  /// On the scale of ln(−ln S); nil while nobody has left, and once nobody is left.
  var interval: Interval?
}

extension [SurvivalCount] {
  /// All who began.
  var subjects: Int { reduce(0) { $0 + $1.ended + $1.censored } }
  /// Those who ended up to a day.
  func ended(by day: Int) -> Int { reduce(0) { $0 + ($1.time <= day ? $1.ended : 0) } }
  /// Those who were still there when a day was over, or when it had come and the cut-off was before its end.
  func stayed(until day: Int) -> Int {
    reduce(0) { $0 + ($1.time > day ? $1.ended + $1.censored : $1.time == day ? $1.censored : 0) }
  }
  /// Those whose end is known.
  var ended: Int { reduce(0) { $0 + $1.ended } }
}
