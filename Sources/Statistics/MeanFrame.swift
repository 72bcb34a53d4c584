/// A group's estimate in the one frame all comparisons share: a mean, its variance and its certainty.
///
/// A proportion is a mean of zeros and ones, a ratio the mean of a linearised quantity, an adjusted or
/// stratified mean again a mean. Whatever can say these four numbers can be compared.
public struct MeanFrame: Sendable, Hashable {
  /// The number of users behind it.
  public let n: Double
  /// The estimate m.
  public let mean: Double
  /// V, the square of the standard error; `nil` where it cannot be estimated.
  public let squaredError: Double?
  /// The degrees of freedom of V: n − 1 for a plain mean; infinite when V counts as known.
  public let degreesOfFreedom: Double

  /// Makes a frame; `nil` unless the mean is finite and there are users.
  ///
  /// A squared error that is negative, not finite or without degrees of freedom becomes `nil`.
  public init?(n: Double, mean: Double, squaredError: Double?, degreesOfFreedom: Double) {
    guard n > 0, n.isFinite, mean.isFinite else { return nil }
    self.n = n
    self.mean = mean
    let isKnown = (squaredError ?? -1) >= 0 && degreesOfFreedom > 0
    self.squaredError = isKnown ? squaredError?.ifFinite : nil
    self.degreesOfFreedom = isKnown ? degreesOfFreedom : 0
  }

  /// The frame of a group's moments: m = ȳ and V = s²/n, for a ratio those of the linearised quantity.
  public init?(_ moments: SampleMoments) {
    guard let value = moments.value else { return nil }
    let squaredError = moments.variance.map { $0 / moments.n }
    self.init(n: moments.n, mean: value, squaredError: squaredError, degreesOfFreedom: moments.n - 1)
  }
}

extension MeanFrame {
  /// The frame of the covariate itself: c̄ and s_c²/n, to compare groups on what was known beforehand.
  public init?(covariateOf moments: SampleMoments) {
    guard let mean = moments.meanC else { return nil }
    let squaredError = moments.varianceC.map { $0 / moments.n }
    self.init(n: moments.n, mean: mean, squaredError: squaredError, degreesOfFreedom: moments.n - 1)
  }
}

/// The difference of two means by Welch's test: each group's own variance, and a t distribution.
struct MeanDifference: GroupDifference, Hashable {
  let a: MeanFrame
  let b: MeanFrame
  /// V_A and V_B.
  let varianceA: Double
  let varianceB: Double
  /// d = m_B − m_A.
  let difference: Double
  /// SE = √(V_A + V_B), above zero.
  let error: Double
  /// Welch and Satterthwaite's degrees of freedom.
  let nu: Double

  /// Takes the difference as given, else from the means; `nil` where a standard error is missing or both
  /// are zero.
  init?(_ a: MeanFrame, _ b: MeanFrame, difference: Double?) {
    guard let varianceA = a.squaredError, let varianceB = b.squaredError else { return nil }
    let standardError = (varianceA + varianceB).squareRoot()
    let difference = difference ?? b.mean - a.mean
    guard standardError > 0, standardError.isFinite, difference.isFinite else { return nil }
    self.a = a
    self.b = b
    self.varianceA = varianceA
    self.varianceB = varianceB
    self.difference = difference
    error = standardError
    nu = Self.welch(varianceA, a.degreesOfFreedom, varianceB, b.degreesOfFreedom)
  }

  /// (V_A + V_B)²/(V_A²/ν_A + V_B²/ν_B), Welch 1947; infinite when both ν are.
  static func welch(_ varianceA: Double, _ nuA: Double, _ varianceB: Double, _ nuB: Double) -> Double {
    let total = varianceA + varianceB
    let (shareA, shareB) = (varianceA / total, varianceB / total)
    return 1 / (shareA * shareA / nuA + shareB * shareB / nuB)
  }

  var baselineMean: Double { a.mean }

  var totalUsers: Double { a.n + b.n }

  /// (m_B − ρ·m_A)/√(V_B + ρ²V_A), which Fieller's interval inverts.
  func statistic(ratio rho: Double) -> Double? {
    ((difference + (1 - rho) * a.mean) / (varianceB + rho * rho * varianceA).squareRoot()).ifFinite
  }

  /// d ± c·SE.
  func absInterval(multiplier c: Double) -> Interval? {
    Interval(difference - c * error, difference + c * error)
  }

  func relInterval(multiplier c: Double) -> Interval? { fieller(halfWidth: c * error) }
}
