/// The Mann–Whitney test: whether values of one sample tend to be larger than those of another.
///
/// U counts the pairs in which B's value is larger, ties half; its variance allows for ties, and the normal
/// approximation has the continuity correction (Mann & Whitney 1947; Lehmann 1975, section 1.4; SciPy's
/// `mannwhitneyu(method="asymptotic")`). All sums are exact.
public struct RankSum: Sendable, Hashable {
  /// U of the other sample.
  public let statistic: Double
  /// The two-sided p-value; `nil` when all values are equal.
  public let pValue: Double?

  /// Compares two samples; `nil` when one of them is empty, or when their units differ.
  ///
  /// Complexity: O(distinct values).
  public init?(baseline: ValueCounts, other: ValueCounts) {
    guard baseline.total > 0, other.total > 0, baseline.unit == other.unit else { return nil }
    let (sizeA, sizeB) = (Int128(baseline.total), Int128(other.total))
    let (doubledU, ties) = Self.walk(baseline, other)
    let (n, pairs) = (sizeA + sizeB, sizeA * sizeB)
    statistic = ExactInteger.small(doubledU).double / 2
    // n_A·n_B/12·(n + 1 − Σ(t³ − t)/(n(n − 1))), over one denominator.
    let spread = ExactInteger.small(n * n * n - n - ties) * .small(pairs)
    let variance = ExactInteger.ratio(spread, .small(12 * n * (n - 1)))
    let distance = ExactInteger.small(max(0, (doubledU - pairs).magnitudeAsSigned - 1)).double / 2
    guard let variance, variance > 0 else {
      pValue = nil
      return
    }
    pValue = min(1, 2 * Normal.upper(distance / variance.squareRoot()))
  }

  /// Walks both samples upwards: 2U of B, and Σ(t³ − t) over values shared by t users.
  private static func walk(_ a: ValueCounts, _ b: ValueCounts) -> (doubledU: Int128, ties: Int128) {
    var (i, j) = (0, 0)
    var (below, doubledU, ties): (Int128, Int128, Int128) = (0, 0, 0)
    while i < a.keys.count || j < b.keys.count {
      let next = min(i < a.keys.count ? a.keys[i] : .max, j < b.keys.count ? b.keys[j] : .max)
      var (countA, countB): (Int128, Int128) = (0, 0)
      if i < a.keys.count, a.keys[i] == next {
        countA = Int128(a.counts[i])
        i += 1
      }
      if j < b.keys.count, b.keys[j] == next {
        countB = Int128(b.counts[j])
        j += 1
      }
      doubledU += countB * (2 * below + countA)
      below += countA
      let tied = countA + countB
      ties += tied * tied * tied - tied
    }
    return (doubledU, ties)
  }
}

extension Int128 {
  fileprivate var magnitudeAsSigned: Int128 { self < 0 ? -self : self }
}
