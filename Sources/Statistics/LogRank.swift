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

  /// How many of the baseline, and of the other group, would have ended at the pace of both together.
  public static func expectedEnds(
    baseline: [SurvivalCount], other: [SurvivalCount], by time: Int
  ) -> (baseline: Double, other: Double)? {
    guard let steps = steps(baseline, other) else { return nil }
    return steps.filter { $0.time <= time }.reduce((0, 0)) { sum, step in
      let pace = step.ended / (step.atRiskA + step.atRiskB)
      return (sum.0 + pace * step.atRiskA, sum.1 + pace * step.atRiskB)
    }
  }

  /// Compares two groups; `nil` for negative counts, or where nobody ended while both were at risk.
  public init?(baseline: [SurvivalCount], other: [SurvivalCount]) {
    guard let steps = Self.steps(baseline, other) else { return nil }
    var (observed, expected, variance) = (0.0, 0.0, 0.0)
    for step in steps {
      let (nA, nB, d) = (step.atRiskA, step.atRiskB, step.ended)
      let n = nA + nB
      observed += step.endedB
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

  /// A time at which somebody ended.
  struct Step {
    let time: Int
    let atRiskA: Double
    let atRiskB: Double
    /// Of both groups.
    let ended: Double
    let endedB: Double
  }

  /// The times at which anybody ended, ascending; `nil` for negative counts.
  static func steps(_ baseline: [SurvivalCount], _ other: [SurvivalCount]) -> [Step]? {
    guard let a = SurvivalCurve.merged(baseline), let b = SurvivalCurve.merged(other) else { return nil }
    var groupA = AtRisk(a)
    var groupB = AtRisk(b)
    return Set(a.map(\.time) + b.map(\.time)).sorted().compactMap { time in
      let (nA, nB) = (groupA.size, groupB.size)
      let (endedA, endedB) = (groupA.pass(time), groupB.pass(time))
      guard endedA + endedB > 0 else { return nil }
      return Step(time: time, atRiskA: nA, atRiskB: nB, ended: endedA + endedB, endedB: endedB)
    }
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
