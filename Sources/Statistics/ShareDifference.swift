/// Two shares of users held against each other by the score test.
///
/// The statistic measures how far the shares seen lie from a hypothesis in standard errors of the likeliest shares that
/// fulfil it. Of "no difference" these are the pooled share p̄, SE² = p̄(1 − p̄)(1/n_A + 1/n_B); intervals are the
/// differences (Mee 1984; Miettinen & Nurminen 1985 without their N/(N − 1)) and the ratios (Koopman 1984) that the same
/// statistic does not reject. An interval excludes no difference exactly when the test does.
///
/// The plain variance p(1 − p)/n of each group is too small just where the small one of unequal groups has few
/// conversions, and calls differences that are none.
struct ShareDifference: GroupDifference {
  private let a: Share
  private let b: Share
  let difference: Double
  let error: Double

  var baselineMean: Double { a.value }
  var nu: Double { .infinity }
  var totalUsers: Double { a.users + b.users }

  /// `nil` unless both are proportions of two users or more, and some of all users converted and some did not.
  init?(_ baseline: SampleMoments, _ other: SampleMoments) {
    guard baseline.kind == .proportion, other.kind == .proportion, baseline.count >= 2, other.count >= 2,
      let difference = other.difference(from: baseline)
    else { return nil }
    (a, b) = (Share(baseline), Share(other))
    let users = a.users + b.users
    let pooled = (a.successes + b.successes) / users * ((a.failures + b.failures) / users)
    error = (pooled * (users / a.users / b.users)).squareRoot()
    self.difference = difference
    guard error > 0, error.isFinite else { return nil }
  }

  /// A group's users, those who converted and those who did not.
  private struct Share {
    let successes: Double
    let failures: Double
    let users: Double

    init(_ moments: SampleMoments) {
      successes = moments.totalY
      users = moments.n
      failures = Double(moments.count - (moments.successes ?? 0))
    }

    var value: Double { successes / users }
  }

  // MARK: - Ratios

  func statistic(ratio rho: Double) -> Double? {
    guard rho > 0 else { return nil }
    // The likeliest a with b = ρ·a: the smaller root of Nρ·a² − (n_Bρ + x_B + n_A + x_Aρ)·a + x_A + x_B.
    let linear = b.users * rho + b.successes + a.users + a.successes * rho
    let successes = a.successes + b.successes
    let root = (linear * linear - 4 * totalUsers * rho * successes).squareRoot()
    let likeliest = 2 * successes / (linear + root)
    let (shareA, shareB) = (likeliest, min(1, rho * likeliest))
    let variance = shareB * (1 - shareB) / b.users + rho * rho * shareA * (1 - shareA) / a.users
    return ((difference + (1 - rho) * a.value) / variance.squareRoot()).ifFinite
  }

  /// The likeliest shares of a given ratio are a = (x_A + μ)/(n_A + μ) and b = (x_B − μ)/(n_B − μ), where μ is the slope of
  /// the log-likelihood by the ratio's logarithm; the statistic is μ·√((1 − a)/(n_A·a) + (1 − b)/(n_B·b)), and rises with μ.
  func relInterval(multiplier c: Double) -> Interval? {
    guard a.successes > 0 else { return nil }
    guard let high = lift(beyond: c, a, b, isAbove: true) else { return nil }
    guard b.successes > 0 else { return reconciled(-1, high, c) }
    guard let low = lift(beyond: c, b, a, isAbove: false) else { return nil }
    return reconciled(low, high, c)
  }

  /// The end of the lift's interval at which the share of `rising` is as high, and that of `falling` as low, as c allows.
  private func lift(beyond c: Double, _ falling: Share, _ rising: Share, isAbove: Bool) -> Double? {
    // m = |μ| takes m conversions from the one group's share and adds them to the other's.
    func variance(_ m: Double) -> Double {
      falling.failures / falling.users / (falling.successes - m)
        + rising.failures / rising.users / (rising.successes + m)
    }
    let limit = falling.successes
    // Whose users have all converted keeps the share 1 until m = n, and then takes any.
    if falling.failures == 0, limit * variance(limit.nextDown).squareRoot() < c {
      let other = (rising.successes + limit) / (rising.users + limit)
      let odds = limit * (c * c / limit / limit - (1 - other) / other / rising.users)
      let share = 1 / (1 + odds)
      return isAbove ? other / share - 1 : share / other - 1
    }
    let start = c / (falling.failures / falling.users / limit + rising.failures / rising.users / limit).squareRoot()
    let found = Inversion.root(start: min(start, limit / 2), low: 0, high: limit, isIncreasing: true) { m in
      let (left, gained) = (falling.successes - m, rising.successes + m)
      let spread = variance(m)
      let slope = falling.failures / falling.users / left / left - rising.failures / rising.users / gained / gained
      let root = spread.squareRoot()
      return (m * root - c, root + m * slope / (2 * root))
    }
    guard let m = found else { return nil }
    let mu = isAbove ? -m : m
    let cross = difference * a.users * b.users
    return ((cross - mu * (a.failures + b.failures)) / ((a.successes + mu) * (b.users - mu))).ifFinite
  }

  // MARK: - Differences

  /// The likeliest shares of a given difference fulfil x − n·q = ∓λ·q(1 − q), with λ the slope of the log-likelihood by the
  /// difference; the statistic is λ·√(a(1 − a)/n_A + b(1 − b)/n_B), and rises with λ.
  func absInterval(multiplier c: Double) -> Interval? {
    guard let low = difference(at: c), let high = difference(at: -c) else { return nil }
    return reconciled(low, high, c)
  }

  /// The difference that lies as many standard errors below the one seen.
  private func difference(at target: Double) -> Double? {
    func likeliest(_ lambda: Double) -> (a: Likeliest, b: Likeliest, variance: Double) {
      let (one, other) = (Likeliest(a, slope: lambda), Likeliest(b, slope: -lambda))
      return (one, other, one.spread / a.users + other.spread / b.users)
    }
    let sign: Double = target < 0 ? -1 : 1
    var reach = abs(target) / error
    func statistic(_ size: Double) -> Double { size * likeliest(sign * size).variance.squareRoot() }
    while statistic(reach) < abs(target) {
      reach *= 2
      // No one's users against all of another's: no difference is larger, and none is rejected for being so.
      if reach > 1e100 { return -sign }
    }
    let found = Inversion.root(start: reach, low: 0, high: reach, isIncreasing: true) { size in
      let (one, other, variance) = likeliest(sign * size)
      let change = one.spreadChange / a.users - other.spreadChange / b.users
      let root = variance.squareRoot()
      return (size * root - abs(target), root + sign * size * change / (2 * root))
    }
    return found.map { size in
      let (one, other, _) = likeliest(sign * size)
      return one.value > 0.5 ? one.complement - other.complement : other.value - one.value
    }
  }

  /// The share q with x − n·q + λ·q(1 − q) = 0, both it and what it lacks of 1 without cancellation.
  private struct Likeliest {
    let value: Double
    let complement: Double
    /// The root of the equation's discriminant.
    private let root: Double

    init(_ share: Share, slope lambda: Double) {
      let distance = share.users - abs(lambda)
      let rest = lambda > 0 ? share.successes : share.failures
      root = (distance * distance + 4 * abs(lambda) * rest).squareRoot()
      value = Self.solve(share.successes, share.users, lambda, root)
      complement = Self.solve(share.failures, share.users, -lambda, root)
    }

    private static func solve(_ x: Double, _ n: Double, _ lambda: Double, _ root: Double) -> Double {
      n >= lambda ? (n - lambda + root > 0 ? 2 * x / (n - lambda + root) : 0) : (lambda - n + root) / (2 * lambda)
    }

    /// q(1 − q).
    var spread: Double { value * complement }
    /// Its derivative by λ: (1 − 2q)·q(1 − q) over the discriminant's root.
    var spreadChange: Double { root > 0 ? (complement - value) * spread / root : 0 }
  }

  // MARK: -

  /// Ends that lie on no difference, but for rounding, go to the side that the test is on.
  private func reconciled(_ low: Double, _ high: Double, _ c: Double) -> Interval? {
    if statistic > c { return Interval(max(low, .leastNormalMagnitude), max(high, .leastNormalMagnitude)) }
    if statistic < -c { return Interval(min(low, -.leastNormalMagnitude), min(high, -.leastNormalMagnitude)) }
    return Interval(min(low, 0), max(high, 0))
  }
}
