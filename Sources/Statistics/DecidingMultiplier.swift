extension ComparisonOptions {
  /// c, the half-width in standard errors of the interval that decides, for a standard error of so many degrees of
  /// freedom after so many users.
  ///
  /// That of the deciding test; where it takes the standard error for known, times what Student's t takes more than the
  /// normal quantile.
  ///
  /// - Parameters:
  ///   - users: N, the users of both groups.
  ///   - degreesOfFreedom: those of the standard error; infinite where it counts as known.
  ///   - share: the part of α that is left.
  public func multiplier(users: Double, degreesOfFreedom: Double = .infinity, shareOfAlpha share: Double = 1) -> Double?
  {
    let level = share * alpha
    let conditions = TestConditions(alpha: alpha, users: users, degreesOfFreedom: degreesOfFreedom, look: look)
    guard let c = decides.multiplier(level: level, conditions) else { return nil }
    guard decides.treatsErrorAsKnown else { return c }
    guard let t = StudentT(degreesOfFreedom: degreesOfFreedom)?.upperQuantile(level / 2),
      let z = Normal.upperQuantile(level / 2)
    else { return nil }
    return c * (t / z)
  }
}
