/// The log-rank test: whether two groups end at the same pace (Mantel 1966; Peto & Peto 1972).
///
/// At every time the ended ones of both groups are shared out in proportion to those at risk; O − E is
/// compared with its hypergeometric variance Σ d·(n_A/n)(n_B/n)(n − d)/(n − 1).
public struct LogRank: Sendable, Hashable {
  /// How many of the other group ended.
  public let observed: Double
  /// How many would have, at the pace of both groups together.
  public let expected: Double
  /// (O − E)²/V, χ² with one degree of freedom.
  public let chiSquare: Double
  /// The probability of a χ² at least as large.
  public let pValue: Double

  /// Compares two groups; `nil` for negative counts, or where nobody ended while both were at risk.
  public init?(baseline: [SurvivalCount], other: [SurvivalCount]) {
    guard let a = SurvivalCurve.merged(baseline), let b = SurvivalCurve.merged(other) else { return nil }
    var groupA = AtRisk(a)
    var groupB = AtRisk(b)
    var (observed, expected, variance) = (0.0, 0.0, 0.0)
    for time in Set(a.map(\.time) + b.map(\.time)).sorted() {
      let (nA, nB) = (groupA.size, groupB.size)
      let (endedA, endedB) = (groupA.pass(time), groupB.pass(time))
      let (n, d) = (nA + nB, endedA + endedB)
      guard d > 0 else { continue }
      observed += endedB
      expected += d * nB / n
      if n > 1 { variance += d * (nA / n) * (nB / n) * (n - d) / (n - 1) }
    }
    let chiSquare = (observed - expected) * (observed - expected) / variance
    guard variance > 0, let pValue = ChiSquared(degreesOfFreedom: 1)?.sf(chiSquare) else { return nil }
    self.observed = observed
    self.expected = expected
    self.chiSquare = chiSquare
    self.pValue = pValue
  }

  /// A group's users still at risk, while time passes.
  private struct AtRisk {
    var size: Double
    private var rows: ArraySlice<SurvivalCount>

    init(_ rows: [SurvivalCount]) {
      self.rows = rows[...]
      size = rows.reduce(0) { $0 + Double($1.ended) + Double($1.censored) }
    }

    /// Takes away those who leave at `time`, and returns how many ended.
    mutating func pass(_ time: Int) -> Double {
      guard let row = rows.first, row.time == time else { return 0 }
      rows.removeFirst()
      size -= Double(row.ended) + Double(row.censored)
      return Double(row.ended)
    }
  }
}
