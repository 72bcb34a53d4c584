extension ComparisonOptions {
  /// c, the half-width in standard errors of the interval that decides, for a standard error of so many degrees of
  /// freedom after so many users.
  ///
  /// For a single look Student's t. For a look every night that of the confidence sequence, which takes the standard error
  /// for known, times what t takes more than the normal quantile.
  ///
  /// - Parameters:
  ///   - users: N, the users of both groups.
  ///   - degreesOfFreedom: those of the standard error; infinite where it counts as known.
  ///   - share: the part of α that is left.
  public func multiplier(users: Double, degreesOfFreedom: Double = .infinity, shareOfAlpha share: Double = 1) -> Double?
  {
    let level = share * alpha
    guard let t = StudentT(degreesOfFreedom: degreesOfFreedom)?.upperQuantile(level / 2) else { return nil }
    switch decides {
    case .fixed: return t
    case .sequential:
      guard let z = Normal.upperQuantile(level / 2),
        let c = SequentialTest(alpha: alpha, tuning: tuning)?.multiplier(users: users, level: level)
      else { return nil }
      return c * (t / z)
    }
  }
}
