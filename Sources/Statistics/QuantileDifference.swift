import Foundation

/// The same quantile of two samples, held apart by intervals that are right for any distribution.
///
/// Each group's quantile gets an interval at 1 − α/2, between two of its own values whose ranks the binomial distribution
/// gives, by the ``DecidingTest`` for a single look or for every look at once. Both hold with 1 − α, so the difference
/// lies between the ends' differences, and the groups differ where the intervals lie apart. Prices are few and tied, which
/// no standard error of a quantile survives.
struct QuantileDifference: GroupTest {
  private let a: ValueCounts
  private let b: ValueCounts
  private let q: Double

  var standardError: Double? { nil }
  var degreesOfFreedom: Double? { nil }

  /// - Parameter q: which quantile, between 0 and 1.
  init(_ baseline: ValueCounts, _ other: ValueCounts, q: Double) {
    (a, b, self.q) = (baseline, other, q)
  }

  func outcome(_ test: any DecidingTest, level: Double, _ options: ComparisonOptions) -> TestOutcome? {
    let ranks = ranks(test, options)
    let apart = min(
      separation(of: a, below: b, ratio: 1, ranks), separation(of: b, below: a, ratio: 1, ranks))
    var outcome = TestOutcome(pValue: min(1, 4 * apart))
    guard let low = ranks.interval(of: a, level: level / 2), let high = ranks.interval(of: b, level: level / 2) else {
      return outcome
    }
    outcome.absInterval = Interval(high.low - low.high, high.high - low.low)
    if low.low > 0, high.low >= 0 {
      outcome.relInterval = Interval((high.low - low.high) / low.high, (high.high - low.low) / low.low)
    }
    return outcome
  }

  func oneSided(
    _ test: any DecidingTest, ratio rho: Double, isAbove: Bool, _ options: ComparisonOptions
  ) -> Double? {
    let ranks = ranks(test, options)
    let apart =
      isAbove ? separation(of: a, below: b, ratio: rho, ranks) : separation(of: b, below: a, ratio: 1 / rho, ranks)
    return min(1, 4 * test.oneSidedShare * apart)
  }

  private func ranks(_ test: any DecidingTest, _ options: ComparisonOptions) -> RankTails {
    let users = Double(a.total + b.total)
    return RankTails(
      test: test, q: q, conditions: TestConditions(alpha: options.alpha, users: users, look: options.look))
  }

  /// Ranks have no noncentrality.
  func detectableLift(_ options: ComparisonOptions) -> Double? { nil }

  /// The least tail, the same on all four sides, at which the interval of ρ times the lower sample lies below the other's.
  ///
  /// The lower interval ends at one of its sample's values w; the more of that sample w leaves below it the smaller the
  /// one tail, the more of the other the larger the other.
  private func separation(
    of lower: ValueCounts, below upper: ValueCounts, ratio rho: Double, _ ranks: RankTails
  ) -> Double {
    var (first, last) = (0, lower.values.count)
    func tails(_ index: Int) -> (lower: Double, upper: Double) {
      let value = lower.values[index]
      return (
        ranks.atLeast(lower.cumulative(to: value), of: lower.total),
        ranks.atMost(upper.cumulative(to: rho * value), of: upper.total)
      )
    }
    while first < last {
      let middle = (first + last) / 2
      let found = tails(middle)
      if found.lower <= found.upper { last = middle } else { first = middle + 1 }
    }
    return [first - 1, first].filter(lower.values.indices.contains).map { index in
      let found = tails(index)
      return max(found.lower, found.upper)
    }.min() ?? 1
  }
}

/// How surprising it is that so many of a sample lie at or below its population's quantile.
private struct RankTails {
  let test: any DecidingTest
  let q: Double
  let conditions: TestConditions

  /// For k or more of n.
  func atLeast(_ k: Int, of n: Int) -> Double { tail(k, of: n, isBelow: true) }

  /// For k or fewer of n.
  func atMost(_ k: Int, of n: Int) -> Double { tail(n - k, of: n, isBelow: false) }

  private func tail(_ k: Int, of n: Int, isBelow: Bool) -> Double {
    k <= 0 ? 1 : test.rankTail(RankCount(k, of: n, quantile: q, isBelow: isBelow), conditions)
  }

  /// The interval of a sample's quantile, with half of the level beyond each end; `nil` where a rank is not one of the
  /// sample's.
  func interval(of sample: ValueCounts, level: Double) -> Interval? {
    let n = sample.total
    // The first rank that too few lie below, and the last.
    let low = Self.first(0...n) { atMost($0, of: n) >= level / 2 }
    let high = Self.first(0...n) { atLeast($0, of: n) < level / 2 }
    guard let low, let high, let first = sample.value(rank: Double(low)), let last = sample.value(rank: Double(high))
    else { return nil }
    return Interval(first, last)
  }

  /// The first of a range that has a property which all behind it have, too.
  private static func first(_ range: ClosedRange<Int>, _ holds: (Int) -> Bool) -> Int? {
    guard holds(range.upperBound) else { return nil }
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return high
  }
}

extension ValueCounts {
  /// How many have at most a value.
  fileprivate func cumulative(to value: Double) -> Int {
    zip(values, counts).reduce(0) { $1.0 <= value ? $0 + $1.1 : $0 }
  }
}
