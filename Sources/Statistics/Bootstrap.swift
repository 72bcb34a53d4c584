import Foundation

/// Bootstrap intervals of the difference of two means and of the lift, for values too skewed for a t interval.
///
/// Bias-corrected and accelerated (Efron 1987; Efron & Tibshirani 1993, chapter 14). A resample draws users
/// with replacement, that is a multinomial of the value counts, so the rows are not needed. The same counts
/// and seed give the same intervals.
public struct Bootstrap: Sendable, Hashable {
  /// The interval of d = m_B − m_A.
  public let absInterval: Interval?
  /// The interval of r = m_B/m_A − 1; `nil` where the baseline's mean, or a resample's, is not positive.
  public let relInterval: Interval?

  /// Resamples two groups; `nil` when one has fewer than two users.
  ///
  /// Complexity: O(draws · distinct values).
  public init?(
    baseline: ValueCounts,
    other: ValueCounts,
    alpha: Double = 0.05,
    draws: Int = 10_000,
    seed: UInt64 = 1
  ) {
    guard baseline.total > 1, other.total > 1, draws > 1, let meanA = baseline.mean, let meanB = other.mean
    else { return nil }
    var random = RandomSource(seed: seed)
    let resampler = (a: Resampler(baseline), b: Resampler(other))
    var (differences, lifts): ([Double], [Double]) = ([], [])
    differences.reserveCapacity(draws)
    lifts.reserveCapacity(draws)
    var isPositive = meanA > 0
    for _ in 0..<draws {
      let (a, b) = (resampler.a.mean(&random), resampler.b.mean(&random))
      differences.append(b - a)
      isPositive = isPositive && a > 0
      lifts.append(isPositive ? (b - a) / a : 0)
    }
    let ofDifference = Acceleration(baseline, other) { $1 - $0 }
    absInterval = BCa.interval(differences, meanB - meanA, ofDifference.value, alpha)
    let ofLift = Acceleration(baseline, other) { $1 / $0 - 1 }
    relInterval = isPositive ? BCa.interval(lifts, (meanB - meanA) / meanA, ofLift.value, alpha) : nil
  }
}

/// Draws means of resamples of one group.
private struct Resampler {
  /// Up to this many users a value's users are drawn one by one: cheaper than a binomial number.
  private static let fewUsers = 16

  /// Values of many users and their counts, the commonest first, so that little is left to share out early.
  private let values: [Double]
  private let counts: [Int]
  /// Every user with a rare value.
  private let individuals: [Double]
  private let total: Int

  init(_ sample: ValueCounts) {
    let isFew = sample.counts.map { $0 <= Self.fewUsers }
    let order = sample.counts.indices.sorted { (-sample.counts[$0], $0) < (-sample.counts[$1], $1) }
    values = order.filter { !isFew[$0] }.map { sample.values[$0] }
    counts = order.filter { !isFew[$0] }.map { sample.counts[$0] }
    individuals = order.filter { isFew[$0] }.flatMap {
      repeatElement(sample.values[$0], count: sample.counts[$0])
    }
    total = sample.total
  }

  /// The mean of a multinomial resample, value by value: each takes a binomial share of the draws left.
  func mean(_ random: inout RandomSource) -> Double {
    var (drawsLeft, usersLeft, sum) = (total, total, 0.0)
    for index in values.indices where drawsLeft > 0 {
      let count = counts[index]
      let drawn =
        count == usersLeft ? drawsLeft : random.binomial(drawsLeft, Double(count) / Double(usersLeft))
      sum += values[index] * Double(drawn)
      drawsLeft -= drawn
      usersLeft -= count
    }
    if !individuals.isEmpty {
      for _ in 0..<drawsLeft { sum += individuals[random.index(below: individuals.count)] }
    }
    return sum / Double(total)
  }
}

/// The acceleration a of a statistic of two means, by the jackknife over every user of both groups.
struct Acceleration {
  let value: Double

  /// a = Σ (l/n)³/(6·(Σ (l/n)²)^{3/2}) with l = (n − 1)(θ̄₍.₎ − θ₍ᵢ₎) in each group of n (Efron & Tibshirani
  /// 1993, eq. 14.15, over two samples as SciPy does).
  init(_ a: ValueCounts, _ b: ValueCounts, _ statistic: (Double, Double) -> Double) {
    let (meanA, meanB) = (a.mean ?? 0, b.mean ?? 0)
    let ofA = Self.powers(a, meanA) { statistic($0, meanB) }
    let ofB = Self.powers(b, meanB) { statistic(meanA, $0) }
    let squares = ofA.squares + ofB.squares
    let ratio = (ofA.cubes + ofB.cubes) / (6 * squares * squares.squareRoot())
    value = ratio.isFinite ? ratio : 0
  }

  private static func powers(
    _ sample: ValueCounts,
    _ mean: Double,
    _ statistic: (Double) -> Double
  ) -> (squares: Double, cubes: Double) {
    let n = Double(sample.total)
    let left = sample.values.map { statistic(mean + (mean - $0) / (n - 1)) }
    let center = zip(left, sample.counts).reduce(0) { $0 + $1.0 * Double($1.1) } / n
    var (squares, cubes) = (0.0, 0.0)
    for (theta, count) in zip(left, sample.counts) {
      let influence = (n - 1) * (center - theta) / n
      squares += Double(count) * influence * influence
      cubes += Double(count) * influence * influence * influence
    }
    return (squares, cubes)
  }
}

/// The bias-corrected and accelerated interval of a set of draws.
enum BCa {
  /// `nil` when all draws are equal: nothing was learned of the spread.
  ///
  /// Percentiles Φ(z₀ + (z₀ ± z)/(1 − a(z₀ ± z))), z₀ from the share of draws below the observed value.
  static func interval(
    _ draws: [Double],
    _ observed: Double,
    _ acceleration: Double,
    _ alpha: Double
  ) -> Interval? {
    let sorted = draws.sorted()
    guard let first = sorted.first, let last = sorted.last, first.isFinite, last.isFinite, first < last,
      let z = Normal.upperQuantile(alpha / 2)
    else { return nil }
    let below = sorted.reduce(0.0) { $0 + ($1 < observed ? 1 : $1 == observed ? 0.5 : 0) }
    guard let bias = Normal.quantile(below / Double(sorted.count)) else { return nil }
    func percentile(_ z: Double) -> Double {
      let shifted = bias + z
      return quantile(sorted, Normal.lower(bias + shifted / (1 - acceleration * shifted)))
    }
    return Interval(percentile(-z), percentile(z))
  }

  /// The quantile of sorted values, linear between neighbours (Hyndman & Fan 1996, type 7).
  private static func quantile(_ sorted: [Double], _ q: Double) -> Double {
    let position = min(max(q, 0), 1) * Double(sorted.count - 1)
    let index = min(Int(position), sorted.count - 1)
    let next = min(index + 1, sorted.count - 1)
    return sorted[index] + (position - Double(index)) * (sorted[next] - sorted[index])
  }
}
