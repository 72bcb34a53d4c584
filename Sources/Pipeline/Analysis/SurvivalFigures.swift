import Statistics

/// A survival metric's figures: from how many subscribers ended, or were last seen, after how many days.
enum SurvivalFigures {
  /// The counts by day, ascending; users who never began are in none.
  static func counts(_ measured: MetricMeasurement) -> [SurvivalCount] {
    var byDay: [Int: SurvivalCount] = [:]
    for value in measured.values {
      guard let isEnded = Survival.isEnded(value) else { continue }
      let day = Int(value.y)
      var count = byDay[day] ?? SurvivalCount(time: day, ended: 0, censored: 0)
      if isEnded { count.ended += value.users } else { count.censored += value.users }
      byDay[day] = count
    }
    return byDay.values.sorted { $0.time < $1.time }
  }

  /// The share that stays beyond a day, with its error; nil where nobody has been watched for that long.
  static func share(_ counts: [SurvivalCount], at day: Int, alpha: Double) -> SurvivalShare? {
    guard let curve = SurvivalCurve(counts, alpha: alpha), let last = curve.points.last else { return nil }
    guard let point = curve.point(at: day) else { return SurvivalShare(value: 1, standardError: 0) }
    guard day <= last.time || point.survival == 0 else { return nil }
    return SurvivalShare(
      value: point.survival, standardError: point.variance?.squareRoot(), interval: point.interval)
  }

  /// The estimates of one metric by group; a group without one has none.
  static func frames(of set: MetricSamples, alpha: Double) -> ComparisonFrames {
    let frames = set.samples.map { sample in
      sample.survival.flatMap { share($0, at: set.metric.request.day, alpha: alpha)?.frame(of: $0) }
    }
    return ComparisonFrames(method: .survival, frames: set.byGroup(frames))
  }
}

/// A curve read at one day.
struct SurvivalShare: Sendable {
  /// S, the share that stays beyond the day.
  var value: Double
  /// Greenwood's; nil once nobody is left.
  var standardError: Double?
  /// On the scale of ln(−ln S); nil while nobody has left, and once nobody is left.
  var interval: Interval?

  /// The share as a mean of known variance over all who began.
  func frame(of counts: [SurvivalCount]) -> MeanFrame? {
    MeanFrame(
      n: Double(counts.subjects), mean: value, squaredError: standardError.map { $0 * $0 },
      degreesOfFreedom: .infinity)
  }
}

extension [SurvivalCount] {
  /// All who began.
  var subjects: Int { reduce(0) { $0 + $1.ended + $1.censored } }
  /// Those who ended up to a day.
  func ended(by day: Int) -> Int { reduce(0) { $0 + ($1.time <= day ? $1.ended : 0) } }
  /// Those who were still there when a day was over, or when it had come and T was before its end.
  func stayed(until day: Int) -> Int {
    reduce(0) { $0 + ($1.time > day ? $1.ended + $1.censored : $1.time == day ? $1.censored : 0) }
  }
  /// Those whose end is known.
  var ended: Int { reduce(0) { $0 + $1.ended } }
}
