/// How many users a test needs, or what it can find with those it has.
///
///     let plan = Power()
///     plan.users(baseline: .proportion(0.03), lift: 0.1)                    // 53209 in each group
///     plan.detectableLift(baseline: .proportion(0.03), users: 50_000)       // about 0.103
///
/// Power is that of the two-sided Welch test, with noncentral t at any size (Cohen 1988, section 2; Moser,
/// Stevens & Watts 1989 for unequal variances); normal where the test takes standard errors for known.
public struct Power: Sendable {
  /// What is known of the baseline.
  public enum Baseline: Sendable, Hashable {
    /// A share p; its variance p(1 − p) moves with the lift.
    case proportion(Double)
    /// A mean and its standard deviation, which the lift leaves alone.
    case mean(Double, standardDeviation: Double)
  }

  /// The level of the test.
  public var alpha: Double
  /// The power wanted.
  public var power: Double
  /// n_B/n_A.
  public var ratio: Double
  /// The test that decides. The power given is that of the one look at the end, a lower bound of that of all looks up
  /// to it (``powerAtAnyLook(baseline:lift:users:looks:)``).
  public var test: any DecidingTest
  /// Which look the one at the end is.
  public var look: Look

  /// Makes a plan.
  public init(
    alpha: Double = 0.05, power: Double = 0.8, ratio: Double = 1, test: any DecidingTest = SingleLook(),
    look: Look = Look()
  ) {
    self.alpha = alpha
    self.power = power
    self.ratio = ratio
    self.test = test
    self.look = look
  }

  /// The power with n_A users in the baseline, ratio·n_A in the other group.
  public func power(baseline: Baseline, lift: Double, users: Double) -> Double? {
    guard users >= 2, ratio > 0, users * ratio >= 2, alpha > 0, alpha < 1,
      let (difference, varianceA, varianceB) = baseline.effect(lift)
    else { return nil }
    let (errorA, errorB) = (varianceA / users, varianceB / (users * ratio))
    let delta = abs(difference) / (errorA + errorB).squareRoot()
    guard delta.isFinite else { return nil }
    let nu = MeanDifference.welch(errorA, users - 1, errorB, users * ratio - 1)
    guard let c = multiplier(users: users * (1 + ratio), degreesOfFreedom: nu, look: look) else { return nil }
    if test.treatsErrorAsKnown { return Normal.upper(c - delta) + Normal.upper(c + delta) }
    let power = DetectableEffect.power(noncentrality: delta, degreesOfFreedom: nu, critical: c).value
    return min(1, power).ifFinite
  }

  /// The power of so many looks, equally far apart unless the plan's own are known, of which the last one has n_A users in
  /// the baseline: the probability that the test finds the lift at any of them.
  ///
  /// `nil` for a test that holds at a single look.
  public func powerAtAnyLook(baseline: Baseline, lift: Double, users: Double, looks: Int) -> Double? {
    guard !test.isForOneLook, looks >= 1, users >= 2, ratio > 0, users * ratio >= 2,
      let (difference, varianceA, varianceB) = baseline.effect(lift)
    else { return nil }
    let drift = abs(difference) / (varianceA / users + varianceB / (users * ratio)).squareRoot()
    let information = look.looks?.shares ?? (1...looks).map { Double($0) / Double(looks) }
    let bounds = information.enumerated().compactMap { index, share in
      multiplier(
        users: users * (1 + ratio) * share, degreesOfFreedom: .infinity,
        look: Look(number: index + 1, planned: looks, of: look.looks))
    }
    guard drift.isFinite, bounds.count == information.count else { return nil }
    return RepeatedLooks(drift: drift, bounds: bounds, information: information).crossing
  }

  /// - Parameter users: of both groups.
  private func multiplier(users: Double, degreesOfFreedom: Double, look: Look) -> Double? {
    test.multiplier(
      level: alpha,
      TestConditions(alpha: alpha, users: users, degreesOfFreedom: degreesOfFreedom, look: look))
  }

  /// The users needed in the baseline group, the least whole number that reaches the power.
  ///
  /// `nil` for a lift of zero, an impossible one, or more than 10¹⁵ users.
  public func users(baseline: Baseline, lift: Double) -> Int? {
    guard power > 0, power < 1, ratio > 0, lift != 0 else { return nil }
    let least = max(2, (2 / ratio).rounded(.up))
    func isEnough(_ users: Double) -> Bool {
      (self.power(baseline: baseline, lift: lift, users: users) ?? 0) >= power
    }
    var high = least
    while !isEnough(high) {
      high *= 2
      if high > 1e15 { return nil }
    }
    var low = max(least, (high / 2).rounded(.down))
    if isEnough(low) { return Int(low) }
    while high - low > 1 {
      let middle = ((low + high) / 2).rounded(.down)
      if isEnough(middle) { high = middle } else { low = middle }
    }
    return Int(high)
  }

  /// The smallest positive lift found with the power wanted; `nil` where none is, as beyond a share of 1.
  public func detectableLift(baseline: Baseline, users: Double) -> Double? {
    guard power > alpha, power < 1 else { return nil }
    func miss(_ lift: Double) -> Double? {
      self.power(baseline: baseline, lift: lift, users: users).map { $0 - power }
    }
    var (low, high) = (0.0, baseline.largestLift(1e-3))
    while let value = miss(high), value < 0 {
      if high == baseline.largestLift(.infinity) || high > 1e12 { return nil }
      (low, high) = (high, baseline.largestLift(2 * high))
    }
    // The power rises with the lift: halve the bracket to the last digit.
    for _ in 0..<200 {
      let middle = low + (high - low) / 2
      guard middle > low, middle < high, let value = miss(middle) else { break }
      if value < 0 { low = middle } else { high = middle }
    }
    return miss(high) == nil ? nil : high
  }
}

extension Power.Baseline {
  /// The difference a lift makes, and both groups' variances by user; `nil` where it is impossible.
  fileprivate func effect(_ lift: Double) -> (difference: Double, varianceA: Double, varianceB: Double)? {
    guard lift.isFinite, lift >= -1 else { return nil }
    switch self {
    case .proportion(let p):
      let other = min(p * (1 + lift), p * (1 + lift) < 1 + 1e-12 ? 1 : .infinity)
      guard p > 0, p < 1, other <= 1 else { return nil }
      return (p * lift, p * (1 - p), other * (1 - other))
    case .mean(let mean, let deviation):
      guard mean != 0, mean.isFinite, deviation > 0, deviation.isFinite else { return nil }
      return (mean * lift, deviation * deviation, deviation * deviation)
    }
  }

  /// `lift`, but no more than what makes every user a success.
  fileprivate func largestLift(_ lift: Double) -> Double {
    if case .proportion(let p) = self { min(lift, 1 / p - 1) } else { lift }
  }
}
