import Foundation

/// How the interval of the relative lift is made, for a single look.
public enum LiftIntervalMethod: String, Sendable, Hashable, CaseIterable {
  /// That of the test of the difference, which excludes zero exactly when the test does: Fieller's of means and ratios,
  /// Koopman's of proportions.
  case fieller
  /// Lift ± c·√v with the delta method's variance.
  case delta
  /// exp(ln(m_B/m_A) ± z·√v) − 1 with the delta method's variance of the logarithm.
  case log

  /// The interval at 1 − α that starts from the delta method; `nil` where it cannot be computed, and for that of the test.
  func ownInterval(of means: MeanDifference?, alpha: Double) -> Interval? {
    switch self {
    case .fieller: nil
    case .delta: means?.deltaInterval(alpha: alpha)
    case .log: means?.logInterval(alpha: alpha)
    }
  }
}

/// Intervals of the relative lift r = m_B/m_A − 1.
extension MeanDifference {
  /// Fieller's interval (1954): the ρ with (m_B − ρ·m_A)² ≤ c²·(V_B + ρ²·V_A), less 1.
  ///
  /// Written for r, the ends are the roots of A·r² − 2B·r + C with A = m_A² − c²V_A, B = d·m_A + c²V_A and
  /// C = (d − c·SE)(d + c·SE). The root nearer to zero is C over the other one, so that its sign is the
  /// sign of d − c·SE itself: interval and test cannot disagree, not even by rounding.
  ///
  /// - Parameter halfWidth: c·SE, half the width of the interval of d.
  /// - Returns: `nil` when the baseline is not distinguishable from zero (A ≤ 0) and the set is unbounded.
  func fieller(halfWidth: Double) -> Interval? {
    let scale = abs(a.mean)
    let c = halfWidth / error
    guard scale > 0, c.isFinite else { return nil }
    // Everything in units of the baseline, so that no square leaves the range of Double.
    let varianceA = c * c * (varianceA / scale / scale)
    let varianceB = c * c * (varianceB / scale / scale)
    let lift = difference / a.mean
    let leading = 1 - varianceA
    guard leading > 0 else { return nil }
    let linear = lift + varianceA
    let constant = (difference - halfWidth) / scale * ((difference + halfWidth) / scale)
    let root = (varianceB * leading + varianceA * (1 + lift) * (1 + lift)).squareRoot()
    let far = linear >= 0 ? linear + root : linear - root
    guard far != 0 else { return Interval(0, 0) }
    let (first, second) = (far / leading, constant / far)
    return Interval(min(first, second), max(first, second))
  }

  /// The delta method's variance of the lift, V_B/m_A² + V_A·m_B²/m_A⁴; `nil` for a baseline of zero.
  var deltaVariance: Double? {
    let ratio = b.mean / a.mean
    return ((varianceB + varianceA * ratio * ratio) / a.mean / a.mean).ifFinite
  }

  /// r ± c·√v, as GrowthBook makes it. An other group of zeros alone has v = 0 and both ends at −1, where
  /// Fieller's are too.
  func deltaInterval(alpha: Double) -> Interval? {
    guard let lift, let deltaVariance,
      let quantile = StudentT(degreesOfFreedom: nu)?.upperQuantile(alpha / 2)
    else { return nil }
    let halfWidth = quantile * deltaVariance.squareRoot()
    return Interval(lift - halfWidth, lift + halfWidth)
  }

  /// exp(ln(m_B/m_A) ± c·√(V_A/m_A² + V_B/m_B²)) − 1, as tea-tasting makes it: c is the t quantile with
  /// Welch's degrees of freedom of these two relative variances. `nil` unless both means are positive.
  func logInterval(alpha: Double) -> Interval? {
    guard a.mean > 0, b.mean > 0, let lift, lift > -1 else { return nil }
    let relativeA = varianceA / a.mean / a.mean
    let relativeB = varianceB / b.mean / b.mean
    let nu = Self.welch(relativeA, a.degreesOfFreedom, relativeB, b.degreesOfFreedom)
    guard let quantile = StudentT(degreesOfFreedom: nu)?.upperQuantile(alpha / 2) else { return nil }
    let center = log1p(lift)
    let halfWidth = quantile * (relativeA + relativeB).squareRoot()
    return Interval(expm1(center - halfWidth), expm1(center + halfWidth))
  }
}
